"""_types.py - what arguments are, to a type checker, and to programs that ask for annotations"""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from mmap import mmap
from os import PathLike
from typing import TYPE_CHECKING, Any, Callable, Iterable, Literal, Mapping, Protocol, TypeVar, Union
from uuid import UUID

from numpy import generic, ndarray

from ribbonfilter._core import Key, Opened

if TYPE_CHECKING:
    from numpy.typing import NDArray as NDArray
    from typing_extensions import Self as Self
else:       # an old numpy, or Python, has none; and importing them takes its time
    Self = TypeVar("Self")

    class NDArray:
        """An array, of whatever values."""
        def __class_getitem__(cls, _):
            return ndarray

KeyType = Literal[
    "integer", "text", "bytea", "uuid", "boolean", "date", "time", "timestamp", "timestamptz", "oid", "float", "macaddr", "macaddr8",
    "numeric", "interval", "inet", "enum", "char", "timetz", "xid8", "pg_lsn", "bit"]
ValueType = Literal["text", "boolean", "smallint", "integer", "bigint", "date", "timestamp", "timestamptz"]
Kind = Literal["burr", "homogeneous", "auto"]
Code = Literal["auto", "plain", "entropy"]
Width = Literal[32, 64, 128]

OneKey = Union[
    int, str, bytes, bytearray, memoryview, bool, float, UUID, date, datetime, time, timedelta, Decimal,
    IPv4Address, IPv6Address, IPv4Network, IPv6Network, generic, Key]
Buffer = Union[bytes, bytearray, memoryview, mmap, NDArray[Any], Opened]


class Column(Protocol):
    """What speaks Arrow's C interface."""
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


# Columns of pandas and the like are Iterable, too.
Keys = Union[NDArray[Any], Iterable[Any], Column]
Members = Union[Keys, Mapping[Any, bool]]
Moment = Union[datetime, str]
Path = Union[str, bytes, PathLike[str], PathLike[bytes]]
Progress = Callable[[float], object]
