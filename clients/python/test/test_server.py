#!/usr/bin/python3
"""test_server.py - the server's filters and maps and those of Python are the same; psycopg 3 carries both

usage: test/run.sh python-client/test_server
needs: server
"""

import asyncio
import datetime
import decimal
import enum
import ipaddress
import re
import struct
import sys
import uuid
from fractions import Fraction

from built import all_true, compare, error_of, raises, report
from reports import finish

import numpy

from ribbonfilter import Filter, Key, Map

try:
    import psycopg
    from psycopg import pq
except ImportError:
    report("psycopg 3 is not installed # SKIP")
    sys.exit()

import ribbonfilter.psycopg

UTC = datetime.timezone.utc
LIMIT = "SET statement_timeout = '120s'"

# A type, an expression of i in SQL, the same in Python, and the type of key where Python must say it.
TYPES = (
    ("smallint", "i % 1000", lambda i: i % 1000, None),
    ("integer", "i * 7", lambda i: i * 7, None),
    ("bigint", "i * 123456789012", lambda i: i * 123456789012, None),
    ("text", "'wörd ' || i", lambda i: f"wörd {i}", None),
    ("varchar", "repeat('x', i % 200)", lambda i: "x" * (i % 200), None),
    ("char(9)", "i::text", lambda i: str(i), "char"),
    ("bytea", "int4send(i)", lambda i: struct.pack(">i", i), None),
    ("uuid", "md5(i::text)", lambda i: uuid.UUID(__import__("hashlib").md5(str(i).encode()).hexdigest()), None),
    ("boolean", "i % 2 = 0", lambda i: i % 2 == 0, None),
    ("date", "date '1900-01-01' + i * 20", lambda i: datetime.date(1900, 1, 1) + datetime.timedelta(days=20 * i), None),
    ("time", "time '00:00' + i * interval '7.000001 s'",
     lambda i: (datetime.datetime(2000, 1, 1) + i * datetime.timedelta(seconds=7, microseconds=1)).time(), None),
    ("timetz", "(time '00:00' + i * interval '7 s')::text || '-05:30'",
     lambda i: (datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone(-datetime.timedelta(hours=5, minutes=30))) +
                i * datetime.timedelta(seconds=7)).timetz(), None),
    ("timestamp", "timestamp '1950-01-01' + i * interval '1 day 7.000001 s'",
     lambda i: datetime.datetime(1950, 1, 1) + i * datetime.timedelta(days=1, seconds=7, microseconds=1), None),
    ("timestamptz", "timestamptz '1950-01-01 00:00Z' + i * interval '23 h 7.000001 s'",
     lambda i: datetime.datetime(1950, 1, 1, tzinfo=UTC) + i * datetime.timedelta(hours=23, seconds=7, microseconds=1),
     None),
    ("interval", "i * interval '-1 day 5 h 0.000001 s'",
     lambda i: i * (datetime.timedelta(hours=5, microseconds=1) - datetime.timedelta(days=1)), None),
    ("float8", "i / 7.0", lambda i: i / 7, None),
    ("real", "i / 8.0", lambda i: i / 8, None),
    ("numeric", "(i - 1000)::numeric / 8 * 1e3", lambda i: decimal.Decimal(i - 1000) / 8 * 1000, None),
    ("inet", "inet '10.0.0.0/8' + i", lambda i: ipaddress.ip_interface((ipaddress.ip_address("10.0.0.0") + i, 8)), None),
    ("cidr", "set_masklen(inet '2001:db8::' + (i::bigint << 8), 120)::cidr",
     lambda i: ipaddress.ip_network((ipaddress.ip_address("2001:db8::") + (i << 8), 120)), None),
    ("oid", "i", lambda i: i, "oid"),
    ("xid8", "(i::bigint << 20)::text", lambda i: i << 20, "xid8"),
    ("pg_lsn", "'0/' || to_hex(i)", lambda i: f"0/{i:X}", "pg_lsn"),
    ("macaddr", "'08:00:2b:00:' || regexp_replace(lpad(to_hex(i), 4, '0'), '(..)(..)', '\\1:\\2')",
     lambda i: f"08:00:2b:00:{i >> 8:02x}:{i & 255:02x}", "macaddr"),
    ("varbit", "substring(i::bit(32) FROM 1 + i % 20)", lambda i: f"{i:032b}"[i % 20:], "bit"),
    ("mood", "(enum_range(NULL::mood))[1 + i % 3]", lambda i: ["sad", "ok", "happy"][i % 3], "enum"),
)


def connect(**options):
    connection = psycopg.connect(autocommit=True, connect_timeout=60, **options)
    connection.execute(LIMIT)
    return connection


connection = connect()


def ask(query, *values, binary=False):
    if values:
        query = re.sub("%(?![sbt])", "%%", query)
    return connection.cursor(binary=binary).execute(query, values or None).fetchone()[0]


def check_types():
    numbers = range(2000)
    for name, expression, value, key_type in TYPES:
        keys = f"SELECT ({expression})::{name} AS k FROM generate_series(0, 1999) AS i"
        theirs = ask(f"SELECT ribbon_build(k) FROM ({keys}) AS s")
        values = [value(i) for i in numbers]
        ours = Filter.build(values, key_type=key_type)
        faults = []
        if ours != theirs:
            faults.append(f"{ours.nbytes} bytes of class {ours.key_type}, the server has {theirs.nbytes} of class {theirs.key_type}")
        if not theirs.contains(values).all() or not all(key in theirs for key in values[:100]):
            faults.append("members are missing")
        if ask(f"SELECT bool_and(%b @> k) FROM ({keys}) AS s", ours) is not True:
            faults.append("members are missing on the server")
        hashes = ask(f"SELECT array_agg(ribbon_hash(k)) FROM ({keys}) AS s")
        if hashes != [Key(key, key_type).hash for key in values]:
            faults.append("hashes differ")
        all_true(f"keys of type {name}", faults)
    psycopg_values = ask("SELECT array_agg(k) FROM (SELECT i::oid AS k FROM generate_series(1, 9) AS i) AS s")
    compare("shards", ask("SELECT array_agg(ribbon_shard(i, 7)) FROM generate_series(1, 99) AS i"), [Key(i).shard(7) for i in range(1, 100)])
    compare("the most shards", ask("SELECT ribbon_shard(42::bigint, 2147483647)"), Key(42).shard(2147483647))
    compare("values as psycopg has them", bytes(Filter.build(psycopg_values, key_type="oid")),
            bytes(ask("SELECT ribbon_build(i::oid) FROM generate_series(1, 9) AS i")))


class Color(str, enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Word(str):
    def __str__(self):
        return "another"


def zoned(hours, *moment):
    return datetime.datetime(*moment, tzinfo=datetime.timezone(datetime.timedelta(hours=hours)))


def check_psycopg_values():
    """A value is the key that it is as psycopg's parameter; what psycopg refuses, is refused."""
    faults = []
    for value in (
            0, -1, (1 << 63) - 1, -1 << 63, True, False, Level.HIGH, 0.0, -0.0, float("nan"), float("inf"), 5e-324, 0.1,
            b"", b"\0", b"a\0", bytearray(b"x\0"), memoryview(b"xyz")[::1],
            *map(decimal.Decimal, ("1.10", "-0", "1e30", "1e-30", "NaN", "Infinity", "-Infinity", "sNaN", "1e131071", "1e-16383",
                                   "123456789012345678901234567890.5", "100")),
            datetime.date.min, datetime.date.max, datetime.datetime.min, datetime.datetime.max,
            datetime.datetime(1970, 1, 1, 0, 0, 0, 1), zoned(14, 2024, 2, 29, 1), zoned(-9.5, 1, 1, 1, 12),
            zoned(0, 9999, 12, 31), zoned(5.75, 1583, 1, 1, 0, 0, 0, 999999),
            datetime.time.min, datetime.time.max, zoned(5.75, 2000, 1, 1).timetz(), zoned(-15, 2000, 1, 1, 23).timetz(),
            datetime.timedelta(0), datetime.timedelta(microseconds=-1), datetime.timedelta(days=-400, seconds=86399),
            datetime.timedelta(days=30), datetime.timedelta(hours=720),
            uuid.UUID(int=0), ipaddress.ip_address("255.255.255.255"), ipaddress.ip_interface("10.1.2.3/8"), ipaddress.ip_network("::/0"),
            ipaddress.ip_address("::ffff:10.0.0.1"), ipaddress.ip_network("10.0.0.0/31")):
        theirs = ask("SELECT ribbon_hash(%b)" if isinstance(value, (bytes, bytearray)) else "SELECT ribbon_hash(%s)", value)
        if Key(value).hash != theirs:
            faults.append(f"{value!r}: {Key(value).hash}, psycopg's is {theirs}")
    for value in "", " a ", "é", "\U0001F600", Color.RED, Word("word"), "e\u0301":
        as_sent = value.value if isinstance(value, enum.Enum) else str.__str__(value)
        if Key(value).hash != ask("SELECT ribbon_hash(%s::text)", as_sent):
            faults.append(f"{value!r}")
    all_true("values as psycopg sends them", faults)
    for value in ("a\0b", "\ud800", decimal.Decimal("1e131072"), complex(1), object(), Fraction(1, 2)):
        query = "SELECT ribbon_hash(%s::text)" if isinstance(value, str) else "SELECT ribbon_hash(%s)"
        ours, theirs = error_of(Key, value), error_of(ask, query, value)
        refused = isinstance(ours, (TypeError, ValueError, OverflowError)) and theirs is not None
        all_true(f"{value!r} is refused by both", [] if refused else [f"{ours!r}, {theirs!r}"])
    for value, type_ in (1 << 63, "numeric"), (-1 << 70, "numeric"):
        compare(f"{value} as {type_}", Key(value, type_).hash, ask("SELECT ribbon_hash(%s)", value))
        raises(f"{value} by itself", OverflowError, Key, value, says="numeric")


def rounded(values):
    return [float(f"{value:.5g}") if isinstance(value, float) else value for value in values]


def check_options():
    for n in 0, 1, 10, 1000, 100_000:
        ids = numpy.arange(n)
        for fpr, kind, width in ((0.01, "burr", None), (1e-6, "homogeneous", 128), (0.3, "auto", 64), (0.002, "burr", 32)):
            options = f"kind={kind}" + (f", width={width}" if width else "")
            theirs = ask("SELECT ribbon_build(i::bigint, %s, %s) FROM generate_series(0, %s::bigint - 1) AS i", fpr, options, n)
            ours = Filter.build(ids, fpr, kind=kind, width=width)
            compare(f"{n} keys, {options}, rate {fpr}", ours, theirs)
            if n >= 1000 and fpr < 0.1:
                compare("shrunk", ours.shrink(0.1), ask("SELECT ribbon_shrink(%b, 0.1)", ours))
    f = Filter.build(range(12345), 0.001)
    said = connection.execute("SELECT * FROM ribbon_stats(%b)", [f]).fetchone()
    compare("stats, which have no seed", rounded(f.stats()), rounded([*said, None]))
    for values in range(1234), [str(i % 9) for i in range(1234)], ["pro" if i % 99 == 0 else "free" for i in range(1234)]:
        m = Map.build(range(1234), values, 0.001)
        cursor = connection.execute("SELECT * FROM ribbon_stats(%b)", [m])
        names = [*(column.name for column in cursor.description), "seed"]
        compare(f"stats of a map of {m.value_type}", list(zip(names, rounded([*cursor.fetchone(), 0]))),
                list(zip(m.stats()._fields, rounded(m.stats()))))


def check_maps():
    keys = "SELECT i::bigint AS k, {} AS v FROM generate_series(0, 4999) AS i"
    for name, expression, value in (
            ("bigint", "CASE WHEN i % 7 > 0 THEN i::bigint * 3 END", lambda i: i * 3 if i % 7 else None),
            ("integer", "(i % 90)::integer", lambda i: numpy.int32(i % 90)), ("boolean", "i % 3 = 0", lambda i: i % 3 == 0),
            ("text", "'é' || i % 30", lambda i: f"é{i % 30}"),
            ("text", "CASE WHEN i % 7 > 0 THEN (i % 30)::text END", lambda i: str(i % 30) if i % 7 else None),
            ("date", "date '1999-12-31' + i", lambda i: datetime.date(1999, 12, 31) + datetime.timedelta(days=i)),
            ("timestamp", "timestamp '1999-12-31' + i * interval '1 s'", lambda i: datetime.datetime(1999, 12, 31) + datetime.timedelta(seconds=i)),
            ("timestamptz", "timestamptz '1999-12-31 UTC' + i * interval '1 s'",
             lambda i: datetime.datetime(1999, 12, 31, tzinfo=UTC) + datetime.timedelta(seconds=i))):
        theirs = ask(f"SELECT ribbon_map(k, v) FROM ({keys.format(expression)}) AS s", binary=True)
        values = [value(i) for i in range(5000)]
        if name == "integer":
            values = numpy.array(values)
        ours = Map.build(range(5000), values)
        compare(f"a map of {name}", (ours, ours.value_type), (theirs, name))
        compare(f"a map of {name}: its values", [theirs[i] for i in range(5000)], list(values))
        compare(f"a map of {name}: on the server", ask(
            f"SELECT count(*) FROM ({keys.format(expression)}) AS s WHERE ribbon_get(%b, k, NULL::{name}) IS DISTINCT FROM v", ours), 0)
    moods = ask("SELECT ribbon_map(i, (enum_range(NULL::mood))[1 + i % 3]) FROM generate_series(1, 99) AS i")
    compare("an enum", (moods.value_type, moods[1], moods.get_many([2, 3]).tolist()), ("public.mood", "ok", ["happy", "sad"]))
    numbers = ask("SELECT ribbon_map(i, i / 4.0) FROM generate_series(1, 99) AS i")
    compare("numeric", (numbers.value_type, decimal.Decimal(numbers[1])), ("numeric", decimal.Decimal("0.25")))
    far = ask("SELECT ribbon_map(i, CASE i WHEN 1 THEN date 'infinity' ELSE '2000-01-02' END) FROM generate_series(1, 2) AS i")
    raises("a date that Python does not have", OverflowError, far.__getitem__, 1)
    compare("is NaT among many", str(far.get_many([1, 2]).data.tolist()), "[None, datetime.date(2000, 1, 2)]")


def check_exact():
    as_of = datetime.datetime(2026, 3, 1, tzinfo=UTC)
    for name, key, value in (("numbers", "i::bigint", lambda i: i), ("texts", "'key ' || i", lambda i: f"key {i}")):
        for each in 2, 7, 70:
            theirs = ask(f"SELECT ribbon_build_exact({key}, i % {each} = 0) FROM generate_series(0, 19999) AS i")
            keys, members = [value(i) for i in range(20000)], [i % each == 0 for i in range(20000)]
            ours = Filter.build_exact(keys, members)
            compare(f"an exact set of {name}, one of {each} a member", ours, theirs)
            compare("no wrong answer", theirs.contains(keys).tolist(), members)
            compare("one by one", [key in theirs for key in keys[:100]], members[:100])
            said = connection.execute("SELECT * FROM ribbon_stats(%b)", [ours]).fetchone()
            compare("stats, and the seed", rounded(ours.stats()), rounded([*said, 0]))
    theirs = ask("SELECT ribbon_build_exact(i, i % 3 = 0, 'as_of=2026-03-01 00:00+00, width=128') FROM generate_series(1, 999) AS i")
    ours = Filter.build_exact(numpy.arange(1, 1000), numpy.arange(1, 1000) % 3 == 0, as_of=as_of, width=128)
    compare("with a time", (ours, ours.as_of, ours.stats().as_of), (theirs, as_of, as_of))
    for days in -1, 0, 1:
        when = as_of + datetime.timedelta(days=days)
        compare(f"a key that came {days} days after it", [ours.member(key, when) for key in (1, 2, 3)],
                ask("SELECT array_agg(ribbon_member(%b, i, %s)) FROM generate_series(1, 3) AS i", ours, when))


def check_psycopg():
    f, m = Filter.build([1, 2, 3]), Map.build({"a": 1})
    for placeholder in "%s", "%b", "%t":
        for binary in False, True:
            for value in f, m:
                back = ask(f"SELECT {placeholder}", value, binary=binary)
                compare(f"{type(value).__name__} by {placeholder}, back {'binary' if binary else 'as text'}",
                        (type(back), back), (type(value), value))
            compare(f"arrays by {placeholder}, back {'binary' if binary else 'as text'}",
                    ask(f"SELECT {placeholder}", [f, None, f], binary=binary), [f, None, f])
    compare("their types are known", ask("SELECT pg_typeof(%s)::text || ' ' || pg_typeof(%b)::text", f, m), "ribbonfilter ribbonmap")
    texts = ribbonfilter.psycopg.StoredTextLoader, ribbonfilter.psycopg.StoredTextDumper
    texts[1].most_hex = 8
    data = texts[1](Filter).dump(f)
    compare("in base64, as texts of more than 1 GB are",
            (ask("SELECT %t", f), f.nbytes >= 8, data[:2], texts[0](0).load(memoryview(data))), (f, True, b"\\b", f))
    texts[1].most_hex = 1 << 29
    compare("NULL", ask("SELECT NULL::ribbonfilter", binary=True), None)
    compare("as operand", (ask("SELECT %s @> 2", f), ask("SELECT %b -> 'a'", m)), (True, 1))
    compare("what comes is a value of its own", [bytes(row[0]) for row in connection.cursor(binary=True).execute(
        "SELECT ribbon_build(i) FROM generate_series(1, 99) AS i GROUP BY i % 9").fetchall()][0][:1], b"\x11")
    connection.execute("CREATE TABLE copied (f ribbonfilter, m ribbonmap)")
    for format_ in "TEXT", "BINARY":
        with connection.cursor().copy(f"COPY copied FROM STDIN (FORMAT {format_})") as copy:
            if format_ == "BINARY":
                copy.set_types(["ribbonfilter", "ribbonmap"])
            copy.write_row([f, m])
            copy.write_row([None, None])
        with connection.cursor().copy(f"COPY copied TO STDOUT (FORMAT {format_})") as copy:
            copy.set_types(["ribbonfilter", "ribbonmap"])
            compare(f"COPY {format_}", list(copy.rows()), [(f, m), (None, None)])
        connection.execute("TRUNCATE copied")
    with connect(options="-c search_path=pg_catalog", row_factory=psycopg.rows.dict_row) as other:
        compare("not known unless told", type(other.execute("SELECT public.ribbon_build(1) AS f").fetchone()["f"]), str)
        ribbonfilter.psycopg.register(other)
        compare("whatever the search_path and the rows", type(other.execute("SELECT public.ribbon_build(1) AS f").fetchone()["f"]), Filter)
    with connect(dbname="template1") as other:
        raises("a database without the extension", LookupError, ribbonfilter.psycopg.register, other, says="CREATE EXTENSION")

    async def ask_async():
        async with await psycopg.AsyncConnection.connect(connect_timeout=60) as other:
            await ribbonfilter.psycopg.register_async(other)
            cursor = await other.execute("SELECT ribbon_build(1)")
            return type((await cursor.fetchone())[0])

    compare("an asynchronous connection", asyncio.run(asyncio.wait_for(ask_async(), 60)), Filter)
    compare("formats", (pq.Format.BINARY, f.nbytes), (1, len(bytes(f))))


def check_page():
    """The program of docs/python.md that wants a server."""
    connection.execute("CREATE TABLE audience (name text PRIMARY KEY, members ribbonfilter);"
                       "INSERT INTO audience SELECT 'eu', ribbon_build(i) FROM generate_series(1::bigint, 1000) AS i")
    with open("docs/python.md", encoding="utf-8") as file:
        program = re.search(r"^```python\n(import psycopg.*?)^```$", file.read(), re.M | re.S).group(1)
    said = []
    exec(compile(program, "docs/python.md", "exec"), {"print": said.append})
    compare("the program of the page", (said, len(ask("SELECT members FROM audience WHERE name = 'copy'")) >= 101), ([True], True))


connection.execute("SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS ribbon; DROP TYPE IF EXISTS mood;"
                   "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')")
ribbonfilter.psycopg.register(connection)
check_types()
check_psycopg_values()
check_options()
check_maps()
check_exact()
check_psycopg()
check_page()
connection.close()
finish()
