"""ribbonfilter.psycopg - filters and maps as values of psycopg 3

    import psycopg
    import ribbonfilter.psycopg

    connection = psycopg.connect()
    ribbonfilter.psycopg.register(connection)
    f = connection.execute("SELECT members FROM audience WHERE name = 'eu'").fetchone()[0]
    connection.execute("INSERT INTO audience VALUES ('copy', %s)", [f])

Then columns of type ribbonfilter and ribbonmap are read as Filter and Map, and arrays of them as lists. A Filter or
Map can be a parameter of a query, or a value of COPY. The binary format sends just the bytes.
"""

from __future__ import annotations

import base64
from typing import Any, Optional

from psycopg import AsyncConnection, Connection, pq
from psycopg.abc import AdaptContext
from psycopg.adapt import Dumper, Loader
from psycopg.rows import tuple_row
from psycopg.types import TypeInfo

from ribbonfilter import Filter, Map

CLASSES = {"ribbonfilter": Filter, "ribbonmap": Map}

# The types of the extension, in whatever schema it is.
TYPES = """
SELECT t.typname::text, t.oid::bigint, t.typarray::bigint
  FROM pg_catalog.pg_extension AS e
  JOIN pg_catalog.pg_depend AS d
    ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.refobjid = e.oid AND d.deptype = 'e'
  JOIN pg_catalog.pg_type AS t ON d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND t.oid = d.objid
 WHERE e.extname = 'ribbon' AND t.typname IN ('ribbonfilter', 'ribbonmap')
"""


class StoredDumper(Dumper):
    """The bytes themselves."""
    format = pq.Format.BINARY

    def dump(self, obj):
        return bytes(obj)


class StoredTextDumper(Dumper):
    """Their hexadecimal digits, or base64 where these would exceed 1 GB."""
    format = pq.Format.TEXT
    most_hex = (1 << 29) - 1    # with \\x in front, and a 0 behind them on the server

    def dump(self, obj):
        data = bytes(obj)
        return b"\\x" + data.hex().encode() if len(data) < self.most_hex else b"\\b" + base64.b64encode(data)


class StoredLoader(Loader):
    format = pq.Format.BINARY
    opened = Filter

    def load(self, data):
        return self.opened(bytes(data))     # the memory that is lent is used again


class StoredTextLoader(StoredLoader):
    format = pq.Format.TEXT

    def load(self, data):
        digits = bytes(data[2:])
        is_base64 = bytes(data[:2]) == b"\\b"       # where hexadecimal digits would exceed 1 GB
        return self.opened(base64.b64decode(digits) if is_base64 else bytes.fromhex(digits.decode()))


def register(connection: Connection[Any], context: Optional[AdaptContext] = None) -> None:
    """Tell this connection, or another psycopg context, about the types of the extension in its database.

    Call it once per connection; or just once, with psycopg itself as the context, if all databases are copies of one.
    Raises LookupError if the extension is not there.
    """
    with connection.cursor(row_factory=tuple_row) as cursor:
        _register(connection if context is None else context, cursor.execute(TYPES).fetchall())


async def register_async(connection: AsyncConnection[Any], context: Optional[AdaptContext] = None) -> None:
    """The same for an AsyncConnection."""
    async with connection.cursor(row_factory=tuple_row) as cursor:
        await cursor.execute(TYPES)
        _register(connection if context is None else context, await cursor.fetchall())


def _register(context, rows):
    if len(rows) < len(CLASSES):
        raise LookupError("the extension ribbon is not in this database: CREATE EXTENSION ribbon")
    for name, oid, array_oid in rows:
        opened = CLASSES[name]
        TypeInfo(name, oid, array_oid).register(context)
        for base in StoredTextDumper, StoredDumper:
            context.adapters.register_dumper(opened, type(f"{name}_{base.__name__}", (base,), {"oid": oid}))
        for base in StoredTextLoader, StoredLoader:
            context.adapters.register_loader(oid, type(f"{name}_{base.__name__}", (base,), {"opened": opened}))
