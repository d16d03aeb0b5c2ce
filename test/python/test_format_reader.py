#!/usr/bin/python3
"""test_format_reader.py - do the library and docs/format.md say the same?

Builds filters of many shapes with SQL, reads their bytes with format_reader.py,
which knows nothing but the document, and compares: hashes of keys, cardinality,
and the answer for members and non-members.  Then both read bytes that no builder
writes, and must agree on which of them are filters, too.

usage: test/run.sh python/test_format_reader

The server is found through PGHOST and its kin; the extension must be installed.
"""

import datetime
import decimal
import ipaddress
import itertools
import json
import math
import random
import re
import uuid

from canonical_forms import hash_key
from format_reader import BUCKETS, Filter, next_hash
from inverse_hash import int8_key
from made_up import compare_bytes, made_up_header, mutations, read, refit
from psql_script import UTF8, hex_bytes, new_database, rows_and_errors
from reports import finish, report

DATABASE = "ribbon_format_reader"
M64 = 2**64 - 1


def evenly(count, wanted):
    """Up to so many of the numbers 1 .. count."""
    return sorted({1 + i * count // wanted for i in range(wanted)}) if count else []


class Keys:
    """Keys of a type: what SQL makes of i, and Python of the text SQL shows."""

    def __init__(self, name, key_class, expression, parse, shown="key::text", parts=()):
        self.name, self.key_class, self.parse = name, key_class, parse
        self.parts = list(parts)
        self.expression = f"({expression})::{name}"
        self.shown = shown


def parse_date(text):
    infinite = {"infinity": 2**31 - 1, "-infinity": -2**31}
    return infinite.get(text) or datetime.date.fromisoformat(text)


def parse_time(text):
    return 24 * 3600 * 10**6 if text == "24:00:00" else datetime.time.fromisoformat(text)


def parse_datetime(text):
    infinite = {"infinity": 2**63 - 1, "-infinity": -2**63}
    return infinite.get(text) or datetime.datetime.fromisoformat(text)


def parse_seconds(text):
    return datetime.timedelta(microseconds=int(decimal.Decimal(text) * 10**6))


def parse_mac(text):
    return bytes.fromhex(text.replace(":", ""))


def parse_bool(text):
    return {"true": True, "false": False}[text]


def parse_timetz(text):
    return datetime.time.fromisoformat(text if ":" in text[-5:] else text + ":00")


def loads(text):
    if not isinstance(text, str):
        return text
    return json.loads(text, parse_int=decimal.Decimal, parse_float=decimal.Decimal)


def parse_array(key_class, parse):
    """Of what array_to_json shows, with lower bounds of 1."""
    def parse_text(text):
        value, lengths = loads(text), []
        while value and isinstance(value, list) and isinstance(value[0], list):
            lengths.append((len(value), 1))
            value = [element for part in value for element in part]
        shape = lengths + [(len(value) // math.prod(length for length, _ in lengths), 1)]
        return shape, key_class, [None if e is None else parse(e) for e in value]
    return parse_text


def parse_range(key_class, parse):
    def parse_text(text):
        if text == "empty":
            return None
        lower, upper = text[1:-1].split(",")
        return (key_class, (parse(lower), text[0] == "[") if lower else None,
                (parse(upper), text[-1] == "]") if upper else None)
    return parse_text


def parse_pair(value):
    value = loads(value)
    return [(1, int(value["a"])), None if value["b"] is None else (2, value["b"])]


BIGINT = Keys("bigint", 1, "(i - 50) * 1000000000003", int)     # also in report_bumped
TYPES = [
    Keys("int2", 1, "i - 500", int),
    Keys("int4", 1, "i * 2000003 - 1000000000", int),
    Keys("text", 2, "chr(i + 200) || ' ' || repeat('word', i % 90)", str),
    Keys("varchar(20)", 2, "i::text || ' '", str),
    Keys("char(9)", 18, "'  ' || chr(i + 9000)", str),
    Keys("name", 2, "'é' || i", str),
    Keys("bytea", 3, "sha512(int4send(i))", hex_bytes),
    Keys("uuid", 4, "md5(i::text)", uuid.UUID),
    Keys("bool", 5, "i % 2 = 1", parse_bool),
    Keys("date", 6, "CASE i WHEN 1 THEN 'infinity' WHEN 2 THEN '-infinity' "
         "ELSE '1999-06-01'::date + i END", parse_date),
    Keys("time", 7, "CASE i WHEN 1 THEN '24:00' "
         "ELSE '00:00:00.000001'::time + i * '37.01 s'::interval END", parse_time),
    Keys("timestamp", 8, "CASE i WHEN 1 THEN 'infinity' WHEN 2 THEN '-infinity' "
         "ELSE '1999-12-31 23:59:59.000001'::timestamp + (i - 9) * '7:06:05.04'::interval END",
         parse_datetime),
    Keys("timestamptz", 9, "CASE i WHEN 1 THEN 'infinity' WHEN 2 THEN '-infinity' "
         "ELSE '1999-12-31 23:59:59.000001Z'::timestamptz + (i - 9) * '7:06:05.04'::interval END",
         parse_datetime),
    Keys("oid", 10, "i * 4000000::bigint", int),
    Keys("float8", 11, "CASE i WHEN 1 THEN 'NaN' WHEN 2 THEN '-0' WHEN 3 THEN '-inf' "
         "ELSE (i - 300) / 7.0::float8 END", float),
    Keys("float4", 11, "CASE i WHEN 1 THEN 'NaN' WHEN 2 THEN '-0' WHEN 3 THEN 'inf' "
         "ELSE i * 1.1e-5::float4 END", float, "key::float8"),
    Keys("macaddr", 12, "lpad(to_hex(i * 5000011::bigint), 12, '0')", parse_mac),
    Keys("macaddr8", 13, "lpad(to_hex(i * 5000011::bigint), 16, 'a')", parse_mac),
    Keys("numeric", 14, "CASE i WHEN 1 THEN 'NaN' WHEN 2 THEN '0.000' WHEN 3 THEN 1e30 "
         "ELSE (i - 300) * 0.050 * 10.0 ^ (i % 40 - 20) END", decimal.Decimal),
    Keys("numeric", 14, "CASE i WHEN 1 THEN 'Infinity' WHEN 2 THEN '-Infinity' ELSE i * 10::numeric END",
         decimal.Decimal),
    Keys("interval", 15, "make_interval(months => i % 23 % 12 - 6, days => i - 300, secs => i * 17.3)",
         parse_seconds, "extract(epoch FROM key)"),
    Keys("inet", 16, "format(CASE i % 2 WHEN 0 THEN '10.%s.255.1/%s' ELSE '2001:db8::%s:1/%s' END, i % 250, i % 31)",
         ipaddress.ip_interface),
    Keys("cidr", 16, "format('10.%s.0.0/%s', i % 250, i % 17 + 16)", ipaddress.ip_interface),
    Keys("fruit", 17, "(enum_range(NULL::fruit))[1 + i % 3]", str),
    Keys("timetz", 19, "CASE i % 2 WHEN 0 THEN '12:34:56.789+05:30' ELSE '00:00-01' END::timetz + i * '7.01 s'::interval",
         parse_timetz),
    Keys("xid8", 20, "(i * 5000000011)::text::xid8", int, "key::text"),
    Keys("pg_lsn", 21, "'0/0'::pg_lsn + i * 5000000011", lambda text: int(text), "key - '0/0'::pg_lsn"),
    Keys("varbit", 22, "right(i::bit(20)::text, i % 21)", str),
    Keys("bit(9)", 22, "i::bit(9)", str),
    Keys("int[]", 23, "ARRAY[i, -i, NULL]", parse_array(1, int), "array_to_json(key)", [1]),
    Keys("text[]", 23, "ARRAY['é' || i, NULL, '']", parse_array(2, str), "array_to_json(key)", [2]),
    Keys("int8[]", 23, "ARRAY[[i, -i], [0, NULL]]", parse_array(1, int), "array_to_json(key)", [1]),
    Keys("char(3)[]", 23, "ARRAY[chr(i + 9000)]", parse_array(18, str), "array_to_json(key)", [18]),
    Keys("int8range", 24, "int8range(CASE i % 3 WHEN 0 THEN NULL ELSE i END, CASE i % 5 WHEN 0 THEN NULL ELSE i + 7 END)",
         parse_range(1, int), parts=[1]),
    Keys("numrange", 24, "numrange(i / 4.0, i + 0.50, CASE i % 2 WHEN 0 THEN '[]' ELSE '()' END)",
         parse_range(14, decimal.Decimal), parts=[14]),
    Keys("int4multirange", 25, "int4multirange(int4range(i, i + 3), int4range(i + 5, NULL))",
         lambda text: [parse_range(1, int)(r) for r in re.findall(r"[\[(][^\])]*[\])]", text)], parts=[1]),
    Keys("pair", 26, "(i, CASE WHEN i % 3 > 0 THEN 'é' || i END)", parse_pair, "row_to_json(key)", [1, 2]),
    Keys("pair[]", 23, "ARRAY[(i, 'x'), NULL]::pair[]",
         lambda text: ([(2, 1)], 26, [None if p is None else parse_pair(p) for p in loads(text)]), "array_to_json(key)", [26, 1, 2]),
    Keys("jsonb", 27, "jsonb_build_object('b', i / 4.0, 'aa', jsonb_build_array(NULL, i % 2 = 0, 'é'), 'é', '{}'::jsonb, '', i)",
         lambda text: loads(text)),
    Keys("jsonb", 27, "to_jsonb(i)", lambda text: loads(text)),
    Keys("ribbonfilter", 28, "(SELECT ribbon_build(k) FROM generate_series(1, i % 300) AS k)", lambda text: int(text) & M64,
         "ribbon_filter_hash_extended(key, 0)"),
]

KEYS = (0, 1, 2, 3, 10, 63, 64, 65, 100, 1000, 1535, 1536, 1537, 2048, 5000,
        20000, 60000, 200000)
RATES = (0.5, 0.3, 0.01, 0.0039, 0.001, 1e-6)
# From one rate to another: fewer columns, a part of one, or all but one.
SHRINKS = ((0.01, 0.0115), (0.001, 0.3), (1e-6, 0.0039), (0.0039, 0.007),
           (0.3, 0.45), (0.001, 0.0011), (0.01, 0.5))


def check(name, filter_bytes, cardinality, distinct, answers, probes, hashes):
    """Compare a filter as its reader sees it with what the library says."""
    try:
        reader = Filter(filter_bytes)
    except ValueError as why:
        report(name, f"the reader refuses {filter_bytes[:40].hex()}...: {why}")
        return None
    if not reader.cardinality == int(cardinality) == int(distinct):
        report(name, f"cardinality {reader.cardinality}, {cardinality} or {distinct}")
        return reader
    if len(answers) != len(probes):
        report(name, f"{len(answers)} answers for {len(probes)} probes")
        return reader
    for (member, key), h, answer in zip(probes, hashes, answers):
        found = reader.contains_hash(h)
        if found != (answer == "1") or (member and not found):
            report(name, f"key {key!r}, hash {h:#x}, member {member}: the library says {answer}, "
                         f"the reader {found}; filter {filter_bytes[:40].hex()}...")
            return reader
    report(name)
    return reader


def run_group(keys, n, cases):
    """Build and probe filters of n keys.  Of those that both know, yield the readers.

    A case is (name, arguments of ribbon_build after the key, rate to shrink to).
    """
    places = evenly(n, 200) + list(range(n + 1, n + 301))
    script = f"""
        CREATE TEMP TABLE keys AS SELECT {keys.expression} AS key FROM generate_series(1, {n}) AS i;
        CREATE TEMP TABLE probes AS
        SELECT i, {keys.expression} AS key FROM unnest('{{{",".join(map(str, places))}}}'::int[]) AS i;
        SELECT {keys.shown}, ribbon_hash(key) FROM probes ORDER BY i;
        SELECT count(DISTINCT key) AS distinct FROM keys \\gset
    """
    for number, (_, arguments, shrunk) in enumerate(cases):
        built = f"ribbon_build(key{arguments})"
        if shrunk is not None:
            built = f"ribbon_shrink({built}, {shrunk})"
        script += f"""
            SELECT 'case', {number}, f::bytea, ribbon_cardinality(f), :distinct,
                   (SELECT string_agg(ribbon_contains(f, key)::int::text, '' ORDER BY i) FROM probes)
              FROM (SELECT {built} AS f FROM keys) AS s;"""
    rows, errors = rows_and_errors(script)

    group = f"{keys.name} {n} keys"
    shown, rows = rows[:len(places)], rows[len(places):]
    try:
        probes = [(i <= n, keys.parse(text)) for i, (text, _) in zip(places, shown)]
        hashes = [hash_key(keys.key_class, key) for _, key in probes]
        wrong = [(key, text, h) for (_, key), (text, theirs), h in zip(probes, shown, hashes)
                 if h != int(theirs) & M64]
    except ValueError as why:
        report(group, f"{why} {errors}")
        return
    if len(shown) != len(places) or wrong:
        report(f"{group}: hashes", f"{wrong[:3]} {errors}")
        return

    results = {int(row[1]): row[2:] for row in rows}
    for number, (name, _, _) in enumerate(cases):
        if number not in results:
            report(name, f"no answer: {errors}")
            continue
        filter_bytes, cardinality, distinct, answers = results[number]
        reader = check(name, hex_bytes(filter_bytes), cardinality, distinct, answers, probes, hashes)
        if reader is not None:
            if reader.key_class != keys.key_class or (n > 0 and reader.key_parts != keys.parts):
                report(name, f"key class {reader.key_class} of {reader.key_parts}")
            yield reader, hex_bytes(filter_bytes)


def shapes():
    """Filters of integers: all sizes, kinds and widths, with rates in turn."""
    rates, shrinks = itertools.cycle(RATES), itertools.cycle(SHRINKS)
    for n in KEYS:
        cases = []
        for kind, width in itertools.product(("burr", "homogeneous"), (32, 64, 128)):
            what = f"{n} keys, {kind}, width {width}"
            options = f"'kind={kind}, width={width}'"
            for rate in next(rates), next(rates), next(rates):
                cases.append((f"{what}, rate {rate}", f", {rate}::float8, {options}", None))
            rate, shrunk = next(shrinks)
            cases.append((f"{what}, rate {rate} to {shrunk}", f", {rate}::float8, {options}", shrunk))
        next(rates)             # so that all sizes do not get the same
        yield from run_group(BIGINT, n, cases)

    extremes = [(f"5000 keys{arguments}", arguments, None)
                for arguments in ("", ", 0.02", ", 0.1, 'kind=auto'", ", 2::float8 ^ -32",
                                  ", 2::float8 ^ -32 * 1.4, 'width=32'",
                                  ", 1e-9, 'kind=homogeneous, width=32'",
                                  ", 1e-9, 'kind=homogeneous, width=128'")]
    yield from run_group(BIGINT, 5000, extremes)

    # keys clustered into one of 256 parts make a homogeneous build salt its hashes
    keys = ",".join(str(int8_key(0xA5 << 56 | i * 0x9E3779B97F4A7C15 >> 8 & 2**56 - 1)) for i in range(2300))
    clustered = Keys("bigint", 1, f"('{{{keys}}}'::bigint[])[i]", int)
    yield from run_group(clustered, 2000, [(f"2000 clustered keys, {kind}", f", 0.01, 'kind={kind}'", None)
                                         for kind in ("burr", "homogeneous")])

    least = [(f"10 keys, {kind}, width {width}, least rate", f", 2::float8 ^ -32, 'kind={kind}, width={width}'", None)
             for kind, width in itertools.product(("burr", "homogeneous"), (32, 64, 128))]
    yield from run_group(BIGINT, 10, least)

    for n, widths, rates in (60000, (32, 64, 128), (0.25, 0.002)), (200000, (32,), (0.005,)):
        layered = [(f"{n} keys, burr, width {width}, rate {rate}", f", {rate}, 'width={width}'", None)
                   for width, rate in itertools.product(widths, rates)]
        for made in run_group(BIGINT, n, layered):
            report_bumped(made[0], n)
            yield made


def report_bumped(reader, n):
    """Does each layer of a filter of n BIGINT keys bump as many as it says?"""
    xs = [hash_key(1, (i - 50) * 1000000000003) for i in range(1, n + 1)]
    counted = []
    for layer in reader.layers:
        xs = [next_hash(x) for x in xs if layer.bumps(x)]
        counted.append(len(xs))
    said = [layer.bumped for layer in reader.layers]
    report(f"bumped: {said} of {n} keys, width {reader.width}, scheme {reader.scheme}",
           None if counted == said else f"the reader has {counted}")


def types():
    for keys in TYPES:
        cases = [(f"{keys.name} ({keys.expression})", ", 0.05", None)]
        yield from run_group(keys, 300, cases)


def worked_example():
    """Section 7."""
    rows, errors = rows_and_errors("SELECT ribbon_build(k, 1.0/16, 'kind=burr, width=64')::bytea "
                                   "FROM generate_series(1::bigint, 5) k")
    if rows != [["\\x11010018050000213708"]]:
        report("worked example", f"bytes {rows} {errors}")
        return
    reader = Filter(hex_bytes(rows[0][0]))
    answers = [reader.contains(key) for key in (1, 2, 3, 4, 5, 7)]
    report("worked example", None if answers == 5 * [True] + [False] else str(answers))


def cut_short(made):
    """No beginning of a filter is one, nor is a filter and something after it."""
    for reader, data in made:
        lengths = {*range(min(len(data), reader.header_size + 4)), len(data) // 2, len(data) - 1}
        for bad in itertools.chain((data[:length] for length in lengths), (data + b"\0", data + data)):
            if read(bad) is not None:
                report("truncated or extended", f"the reader takes {len(bad)} bytes of {data[:40].hex()}...")
                return
    report(f"truncated or extended ({len(made)} filters)")


def seen(made):
    """Have the builders made use of all that the document describes?"""
    readers = [reader for reader, _ in made if reader.cardinality > 0]
    burr = [reader for reader in readers if reader.kind == "burr"]
    zones = [zone for reader in burr for zone in reader.zones]
    schemes = {(reader.width, reader.scheme) for reader in burr if reader.layers}
    for what, found in (
            ("every bucket scheme", schemes == set(BUCKETS)),
            ("several bumped layers", any(len(r.layers) > 1 for r in burr)),
            ("several narrow and several wide zones", any(min(r.nzones) > 1 for r in burr)),
            ("a zone of no slots", any(zone.slots == 0 for zone in zones)),
            ("a zone shorter than its width", any(0 < zone.slots < 64 for zone in zones)),
            ("many seeds", len({zone.seed for zone in zones}) > 8),
            ("shrunk, split above wide", any(r.split > r.wide for r in burr)),
            ("shrunk, split below wide", any(r.split < r.wide for r in burr)),
            ("a zone with wide blocks", any(zone.wide_block < math.inf for zone in zones)),
            ("a salt", any(r.salt is not None for r in readers)),
            ("32 columns", any(r.columns == 32 for r in readers))):
        report(f"seen: {what}", None if found else "in no filter")


def answers(data):
    """What the reader says of these bytes, for compare_bytes()."""
    reader = read(data)
    return "none" if reader is None else ",".join(str(int(reader.contains_hash(hash_key(1, i)))) for i in range(80))


def compare_filters(name, blobs):
    compare_bytes(DATABASE, name, blobs, "ribbonfilter", "ribbon_contains(x, i)::int::text", 80, answers)


def main():
    _, errors = rows_and_errors("CREATE EXTENSION IF NOT EXISTS ribbon; "
                                "CREATE TYPE pair AS (a int, b text); CREATE TYPE fruit AS ENUM ('apple', 'plum', 'äpfel')")
    if errors:
        report("set up", errors)
        return

    worked_example()
    made = list(shapes())
    for _ in types():
        pass
    cut_short(made)
    seen(made)

    rng = random.Random(1)
    altered = []
    for reader, data in made:
        if reader.cardinality in (0, 3, 64, 1536, 2048) and len(data) < 2000:
            altered += mutations(rng, data, reader.header_size)
    altered = rng.sample(altered, 3000)
    compare_filters("headers altered", altered)
    refitted = [refit(rng, data) for data in altered]
    compare_filters("headers altered, sizes adjusted", [data for data in refitted if data is not None])
    headers = [made_up_header(rng) for _ in range(300)]
    made_up = [refit(rng, header) for header in headers]
    compare_filters("made up", [data for data in made_up if data is not None])


if __name__ == "__main__":
    with new_database(DATABASE, UTF8):
        main()
    finish()
