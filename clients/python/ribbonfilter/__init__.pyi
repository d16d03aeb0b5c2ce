# What a type checker sees of the package; __init__.py and the modules that it names have the contracts.

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from mmap import mmap
from os import PathLike
from typing import Any, Callable, Iterable, Literal, Mapping, NamedTuple, Optional, Protocol, Tuple, Union
from uuid import UUID

from numpy import bool_, generic
from numpy.typing import NDArray
from typing_extensions import Self

__version__: str
__all__ = ["Chain", "ConflictError", "Filter", "FilterStats", "FormatError", "Key", "Map", "MapStats", "expected_size"]

_KeyType = Literal[
    "integer", "text", "bytea", "uuid", "boolean", "date", "time", "timestamp", "timestamptz", "oid", "float", "macaddr", "macaddr8",
    "numeric", "interval", "inet", "enum", "char", "timetz", "xid8", "pg_lsn", "bit"]
_ValueType = Literal["text", "boolean", "smallint", "integer", "bigint", "date", "timestamp", "timestamptz"]
_Kind = Literal["burr", "homogeneous", "auto"]
_Width = Literal[32, 64, 128]

_Key = Union[
    int, str, bytes, bytearray, memoryview, bool, float, UUID, date, datetime, time, timedelta, Decimal,
    IPv4Address, IPv6Address, IPv4Network, IPv6Network, generic, "Key"]
_Value = Union[int, str, bool, date, datetime, generic, None]
_Buffer = Union[bytes, bytearray, memoryview, mmap, NDArray[Any], "_Stored"]
class _Column(Protocol):
    """What speaks Arrow's C interface."""
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...

# Columns of pandas and the like are Iterable, too.
_Keys = Union[NDArray[Any], Iterable[Any], _Column]
_Path = Union[str, bytes, "PathLike[str]", "PathLike[bytes]"]
_Progress = Callable[[float], object]

class FormatError(ValueError): ...
class ConflictError(ValueError): ...

class Key:
    def __init__(self, value: _Key, type: Optional[_KeyType] = None) -> None: ...
    @staticmethod
    def from_canonical(type_number: int, data: Union[bytes, bytearray, memoryview]) -> Key: ...
    @property
    def type_number(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def hash(self) -> int: ...
    def shard(self, shards: int) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class _Stored:
    def __init__(self, buffer: _Buffer) -> None: ...
    @classmethod
    def open(cls, path: _Path) -> Self: ...
    def save(self, path: Union[str, "PathLike[str]"]) -> None: ...
    @property
    def buffer(self) -> Any: ...
    @property
    def fpr(self) -> float: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def key_type(self) -> str: ...
    def contains(self, keys: _Keys, key_type: Optional[_KeyType] = None) -> NDArray[bool_]: ...
    def check(self) -> None: ...
    def __contains__(self, key: object) -> bool: ...
    def __bytes__(self) -> bytes: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class FilterStats(NamedTuple):
    kind: str
    key_type: str
    keys: int
    fpr: float
    bits_per_key: Optional[float]
    overhead: Optional[float]
    ribbon_width: int
    layers: int
    slots: int
    empty_slots: int
    bumped_keys: int
    bytes: int
    format_version: int
    universe: Optional[int]
    as_of: Optional[datetime]

class Filter(_Stored):
    @classmethod
    def build(cls, keys: _Keys, fpr: float = 0.01, *, key_type: Optional[_KeyType] = None, kind: _Kind = "burr",
              width: Optional[_Width] = None, threads: Optional[int] = None, memory: Optional[int] = None,
              progress: Optional[_Progress] = None) -> Self: ...
    @classmethod
    def build_exact(cls, keys: Union[_Keys, Mapping[Any, bool]], members: Optional[_Keys] = None, *,
                    fpr: Optional[float] = None, key_type: Optional[_KeyType] = None,
                    as_of: Union[datetime, str, None] = None,
                    width: Optional[_Width] = None, threads: Optional[int] = None, memory: Optional[int] = None,
                    progress: Optional[_Progress] = None) -> Self: ...
    @property
    def as_of(self) -> Optional[datetime]: ...
    def member(self, key: _Key, key_time: Union[datetime, str]) -> Optional[bool]: ...
    def shrink(self, fpr: float) -> Self: ...
    def stats(self) -> FilterStats: ...

class Chain:
    def __init__(self, parts: Iterable[Filter]) -> None: ...
    @property
    def parts(self) -> Tuple[Filter, ...]: ...
    @property
    def key_type(self) -> str: ...
    @property
    def fpr(self) -> float: ...
    @property
    def as_of(self) -> Optional[datetime]: ...
    def __contains__(self, key: object) -> bool: ...
    def contains(self, keys: _Keys, key_type: Optional[_KeyType] = None) -> NDArray[bool_]: ...
    def member(self, key: _Key, key_time: Union[datetime, str]) -> Optional[bool]: ...
    def delta(self, keys: Union[_Keys, Mapping[Any, bool]], members: Optional[_Keys] = None, *,
              fpr: Optional[float] = None, key_type: Optional[_KeyType] = None,
              as_of: Union[datetime, str, None] = None,
              width: Optional[_Width] = None, threads: Optional[int] = None, memory: Optional[int] = None,
              progress: Optional[_Progress] = None) -> Filter: ...

class MapStats(NamedTuple):
    kind: str
    key_type: str
    keys: int
    fpr: float
    value_type: str
    value_bits: int
    distinct_values: Optional[int]
    bits_per_key: Optional[float]
    overhead: Optional[float]
    ribbon_width: int
    layers: int
    slots: int
    empty_slots: int
    bumped_keys: int
    bytes: int
    format_version: int
    code: str

class Map(_Stored):
    @classmethod
    def build(cls, keys: Union[_Keys, Mapping[Any, Any]], values: Optional[_Keys] = None, fpr: float = 0.01, *,
              key_type: Optional[_KeyType] = None, value_type: Optional[_ValueType] = None,
              code: Literal["auto", "plain", "entropy"] = "auto", width: Optional[_Width] = None, seed: int = 0,
              threads: Optional[int] = None, memory: Optional[int] = None,
              progress: Optional[_Progress] = None) -> Self: ...
    @property
    def value_type(self) -> str: ...
    def __getitem__(self, key: _Key) -> Any: ...
    def get(self, key: Optional[_Key], default: Any = None) -> Any: ...
    def get_many(self, keys: _Keys, default: Any = None, key_type: Optional[_KeyType] = None) -> NDArray[Any]: ...
    def stats(self) -> MapStats: ...

def expected_size(keys: int, fpr: float = 0.01) -> int: ...
