"""_stats.py - statistics of filters and maps: named tuples, whose types programs may ask for"""

import datetime
from typing import NamedTuple, Optional


class FilterStats(NamedTuple):
    """Statistics of a filter: the columns of ``ribbon_stats`` on the server, and the seed of an exact set."""
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
    as_of: Optional[datetime.datetime]
    seed: Optional[int]


class MapStats(NamedTuple):
    """Statistics of a map: the columns of ``ribbon_stats`` on the server, and the seed."""
    kind: str
    key_type: str
    keys: int
    fpr: float
    value_type: str
    value_bits: int
    distinct_values: Optional[int]
    code: str
    bits_per_key: Optional[float]
    overhead: Optional[float]
    ribbon_width: int
    layers: int
    slots: int
    empty_slots: int
    bumped_keys: int
    bytes: int
    format_version: int
    seed: int
