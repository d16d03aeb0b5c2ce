#!/usr/bin/python3
"""test_keys.py - what "=" calls equal has one hash, what it tells apart has two

Equal and different: types are made at random, of all built-in ones that can be
keys, as arrays, rows, ranges and multiranges of one another; so are values of
them, from few parts that are close together or equal and written differently.
Each pair of values of a type is compared by "=" and by ribbon_hash.

Rates: for each kind of key, KEYS values (20,000 by default; the deep checks
take a million) that are different by construction go into a filter of rate
1e-6, which must count them exactly, find all, and take as few of as many others
for members as the rate says.  Many are chosen to be alike if 64 bits are folded
to 32, as the server's own hash functions do.

usage: [KEYS=n] [SEED=n] test/run.sh python/test_keys
"""

import os
import random

from psql_script import new_database, psql
from reports import finish, report

DATABASE = "ribbon_keys"
KEYS = int(os.environ.get("KEYS", 20000))
SEED = int(os.environ.get("SEED", random.randrange(10**6)))

# type: values that are few, close together, and partly equal
SCALARS = {
    "int2": "0 1 -1 256 32767 -32768",
    "int4": "0 1 -1 65536 2147483647",
    "int8": "0 1 -1 4294967296 4294967297 12884901891 -4294967297",
    "float4": "0 -0 1 1.0000001 NaN -NaN Infinity -Infinity 1e-45",
    "float8": "0 -0 1 1.0000000000000002 NaN -NaN Infinity -Infinity 5e-324",
    "numeric": "0 0.00 1 1.0 1.000 -1 1e3 1000 1000.0 NaN Infinity -Infinity 1e-20 0.00000000000000000001 123456789012345678901234567890",
    "text": "'' a b aa ab 'a ' ' a' é ß a\u0301 á",
    "varchar(3)": "'' a b aa 'a ' é",
    "char(3)": "'' a 'a ' 'a  ' ' a' é",
    "name": "'' a b aa 'a '",
    '"char"': "'' a b \\351 \\377 \\001",
    "bytea": "'' \\x00 \\x0000 \\x61 \\x6100",
    "uuid": "00000000-0000-0000-0000-000000000000 00000000-0000-0000-0000-000000000001 01000000-0000-0000-0000-000000000000",
    "bool": "true false t f",
    "date": "2000-01-01 1999-12-31 infinity -infinity 2000-01-02",
    "time": "00:00 24:00 12:00 12:00:00.000001 00:00:00.000000",
    "timetz": "12:00+01 11:00+00 12:00+00 13:00+02 12:00+01:00",
    "timestamp": "2000-01-01 '2000-01-01 00:00:00.000001' infinity -infinity '1999-12-31 24:00'",
    "timestamptz": "'2000-01-01 00:00+00' '2000-01-01 02:00+02' infinity -infinity '2000-01-01 00:00+01' '2000-01-01 00:00:00.000001+00'",
    "interval": "0 '1 day' '24 hours' '1 month' '30 days' '1 day -24 hours' '-1 day' '1 microsecond' '1 mon -30 days' '178000000 years'",
    "oid": "0 1 4294967295 65536",
    "xid": "0 1 4294967295", "xid8": "0 1 4294967296 4294967297 18446744073709551615", "cid": "0 1 256",
    "tid": "(0,1) (1,0) (65536,1) (1,1) (0,256)",
    "pg_lsn": "0/0 0/1 1/0 1/1 FFFFFFFF/FFFFFFFF",
    "macaddr": "00:00:00:00:00:00 00-00-00-00-00-00 00:00:00:00:00:01 01:00:00:00:00:00",
    "macaddr8": "00:00:00:00:00:00:00:00 00:00:00:00:00:00:00:01 00:00:00:ff:fe:00:00:00 00:00:00:00:00:00",
    "inet": "0.0.0.0 0.0.0.0/0 :: ::/0 10.0.0.1/8 10.0.0.1 10.0.0.1/32 ::10.0.0.1 ::ffff:10.0.0.1",
    "cidr": "0.0.0.0/0 ::/0 10.0.0.0/8 10/8 10.0.0.0/9 ::/128",
    "bit(3)": "000 001 100 111", "varbit": "'' 0 00 1 10 100 00000001 000000010",
    "jsonb": """'null' 'true' '0' '1' '1.0' '1e0' '"1"' '""' '[]' '{}' '[[]]' '[{}]' '[1]' '[[1]]' '[1,2]' '[[1],2]' '[[1,2]]' '[1,[2]]'
                '{"a":1}' '{"a":1.00}' '{"a":2,"a":1}' '{"b":1,"a":2}' '{"a":2,"b":1}' '{"aa":1,"b":2}' '{"é":1,"zz":2}' '{"a":{"b":1}}'
                '{"a":{},"b":1}' '[null]' '["a",1]' '[null,null]' '"é"' '{"":""}' '[1,2,[3,{"x":[]}]]' '[1,2,[3,{"x":{}}]]'""",
    "mood": "sad ok happy", "positive": "1 2 3", "word": "'' a 'a '",
    "int2vector": "'' 0 1 '0 0' '0 1'", "oidvector": "'' 0 1 '0 0' '0 1'",
}
NOT_COMPARED = {"xid", "cid", "int2vector"}         # no ordering, so no ranges and no rows of them
SETUP = """
CREATE EXTENSION ribbon;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN positive AS int8 CHECK (VALUE > 0);
CREATE DOMAIN word AS varchar;
"""


def literals(text):
    """Split at white space outside of apostrophes."""
    words, inside, word = [], False, None
    for c in text:
        if c == "'":
            inside = not inside
            word = word or ""
        elif c.isspace() and not inside:
            if word is not None:
                words.append(word)
            word = None
        else:
            word = (word or "") + c
    return words + ([word] if word is not None else [])


class Types:
    """Types and random values of them, as SQL expressions."""

    def __init__(self, chance):
        self.chance, self.made, self.setup = chance, 0, []

    def name(self, kind):
        self.made += 1
        return f"{kind}_{self.made}"

    def scalar(self, compared=False):
        base = self.chance.choice([t for t in SCALARS if not (compared and t in NOT_COMPARED)])
        values = literals(SCALARS[base])
        return base, lambda: f"'{self.chance.choice(values)}'::{base}", base not in NOT_COMPARED

    def some(self, depth, compared=False):
        if depth == 0 or self.chance.random() < 0.15:
            return self.scalar(compared)
        return self.chance.choice([self.array, self.row, self.range, self.multirange])(depth - 1)

    def array(self, depth):
        part, value, compared = self.some(depth)
        if "[]" in part:                            # no array of arrays, but of a domain over them
            domain = self.name("arrays")
            self.setup.append(f"CREATE DOMAIN {domain} AS {part};")
            part, inner = domain, value
            value = lambda: f"{inner()}::{domain}"
        chance = self.chance

        def make():
            def element():
                return "NULL" if chance.random() < 0.2 else value()
            shape = chance.random()
            if shape < 0.1:
                return f"'{{}}'::{part}[]"
            if shape < 0.25:
                return (f"ARRAY[{element()}]::{part}[]" if "arrays" in part else
                        f"ARRAY[[{element()}, {element()}], [{element()}, {element()}]]::{part}[]")
            flat = f"ARRAY[{', '.join(element() for _ in range(chance.randint(1, 4)))}]::{part}[]"
            if shape < 0.4:
                return f"array_fill({element()}::{part}, ARRAY[{chance.randint(1, 2)}], ARRAY[{chance.randint(0, 1)}])"
            return flat
        return f"{part}[]", make, compared

    def row(self, depth):
        columns = [self.some(depth, compared=True) for _ in range(self.chance.randint(1, 3))]
        name = self.name("row")
        self.setup.append(f"CREATE TYPE {name} AS ({', '.join(f'c{i} {c[0]}' for i, c in enumerate(columns))});")

        def make():
            fields = ("NULL" if self.chance.random() < 0.2 else value() for _, value, _ in columns)
            return f"ROW({', '.join(fields)})::{name}"
        return name, make, all(compared for _, _, compared in columns)

    def range_of(self, depth):
        part, value, compared = self.some(depth, compared=True)
        if not compared or part == "jsonb":         # a range of jsonb has no literal order that we know
            part, value, _ = "numeric", lambda: f"'{self.chance.choice(literals(SCALARS['numeric']))}'::numeric", True
        name = self.name("range")
        self.setup.append(f"CREATE TYPE {name} AS RANGE (subtype = {part}, multirange_type_name = multi{name});")
        chance = self.chance

        def bounds():
            a, b = ("NULL" if chance.random() < 0.2 else value() for _ in range(2))
            flags = chance.choice(["[]", "[)", "(]", "()"])
            # greatest and least ignore NULL, which stands for infinity
            low = a if a == "NULL" or b == "NULL" else f"least({a}, {b})"
            high = b if a == "NULL" or b == "NULL" else f"greatest({a}, {b})"
            return f"'empty'::{name}" if chance.random() < 0.1 else f"{name}({low}::{part}, {high}::{part}, '{flags}')"
        return name, bounds

    def range(self, depth):
        name, bounds = self.range_of(depth)
        return name, bounds, True

    def multirange(self, depth):
        name, bounds = self.range_of(depth)
        return f"multi{name}", lambda: f"multi{name}({', '.join(bounds() for _ in range(self.chance.randint(0, 3)))})", True


def check_pairs(number_of_types, values):
    chance = random.Random(SEED)
    types = Types(chance)
    cases = []
    for base in SCALARS:
        made = literals(SCALARS[base])
        cases.append((base, [f"'{v}'::{base}" for v in made]))
    for _ in range(number_of_types):
        make = chance.choice([types.array, types.row, types.range, types.multirange])
        name, value, compared = make(chance.randint(0, 2))
        if compared or make == types.row:           # "=" of rows needs no order
            cases.append((name, [value() for _ in range(values)]))
    script = ["\n".join(types.setup)]
    for name, made in cases:
        equal = "a.v = b.v"
        script.append(f"CREATE TABLE t (v {name});"
                      + "".join(f"INSERT INTO t VALUES ({v});" for v in made)
                      + f"SELECT '{name.replace(chr(39), '')}', count(*), count(*) FILTER (WHERE {equal}),"
                      f" count(*) FILTER (WHERE ({equal}) <> (ribbon_hash(a.v) = ribbon_hash(b.v))),"
                      f" min(format('%s and %s', a.v, b.v)) FILTER (WHERE ({equal}) <> (ribbon_hash(a.v) = ribbon_hash(b.v)))"
                      " FROM t AS a, t AS b; DROP TABLE t;")
    rows = [line.split("|", 4) for line in psql("\n".join(script)).splitlines() if line.count("|") >= 4]
    bad = [row for row in rows if row[3] != "0"]
    pairs, equal = (sum(int(row[i]) for row in rows) for i in (1, 2))
    report(f"{len(rows)} types, {pairs} pairs, {equal} of them equal: alike to ribbon as to \"=\" (SEED={SEED})",
           "; ".join(f"{row[0]}: {row[3]} pairs, such as {row[4]}" for row in bad[:3])
           if bad else None if len(rows) == len(cases) and equal > len(rows) else f"{len(rows)} of {len(cases)} types, {equal} equal pairs")


# Of i, each: different for every i, and alike if halves of 64 bits are folded.
FOLDED = "((i << 32) | (i # 12345))"
EXPRESSIONS = {
    "int8": FOLDED, "int8 at random": "hashint8extended(i, 7)",
    "xid8": f"{FOLDED}::text::xid8",
    "pg_lsn": f"('0/0'::pg_lsn + {FOLDED}::numeric)",
    "timetz": "(('00:00'::time + i * interval '1 microsecond') AT TIME ZONE 'UTC')",
    "timestamptz": "(to_timestamp(0) + (i % 1000) * interval '1 year' + i * interval '1 microsecond')",
    "varbit": f"substring({FOLDED}::bit(64) FROM 1 + (i % 5)::int)", "bit(64)": f"{FOLDED}::bit(64)",
    "int8[]": f"ARRAY[{FOLDED}]", "int8[] of two": f"ARRAY[{FOLDED}, -{FOLDED}]",
    "int8[] of NULLs": f"(array_fill(NULL::int8, ARRAY[i::int % 50]) || {FOLDED})",
    "int4[] of one, two and four": "(CASE i % 3 WHEN 0 THEN ARRAY[i] WHEN 1 THEN ARRAY[i, i] ELSE ARRAY[ARRAY[i, 0], ARRAY[0, i]] END)",
    "int4[] of other bounds": "array_fill((i / 100), ARRAY[1], ARRAY[(i % 100)::int])",
    "text[]": "ARRAY[i::text, NULL, 'x']", "numeric[]": f"ARRAY[{FOLDED} / 7.0]", "float8[]": "ARRAY[i / 7.0::float8]",
    "timestamptz[]": f"ARRAY[to_timestamp(0) + (i % 1000) * interval '1 year' + i * interval '1 microsecond']",
    "uuid[]": "ARRAY[md5(i::text)::uuid]", "interval[]": "ARRAY[i * interval '1 month 1 second']", "inet[]": "ARRAY['10.0.0.0'::inet + i]",
    "mood[]": "(SELECT array_agg((ARRAY['sad', 'ok', 'happy']::mood[])[1 + (i / p) % 3] ORDER BY p)"
              " FROM (VALUES (1), (3), (9), (27), (81), (243), (729), (2187), (6561), (19683), (59049), (177147), (531441), (1594323)) AS v (p))",
    "row": f"ROW({FOLDED})", "row of three": f"ROW(i % 7, {FOLDED}, 'x'::text)", "row of a row": f"ROW(ROW({FOLDED}, NULL), ROW(1))",
    "row of timestamps": f"ROW(timestamp '2000-01-01' + i * interval '1 microsecond', 'infinity'::date)",
    "pair": f"({FOLDED}, 'x')::pair", "pair[]": f"ARRAY[({FOLDED}, 'x')::pair, NULL]", "record[]": f"ARRAY[ROW({FOLDED})]",
    "int8range": f"int8range({FOLDED}, NULL)", "int8range of two": f"int8range({FOLDED}, {FOLDED} + 1 + i % 3)",
    "tstzrange of an hour": "tstzrange(to_timestamp(i), to_timestamp(i + 3600))", "numrange": "numrange(i / 7.0, i + 1, '[]')",
    "int8multirange": f"int8multirange(int8range({FOLDED}, {FOLDED} + 5), int8range({FOLDED} + 10, NULL))",
    "int8range[]": f"ARRAY[int8range({FOLDED}, NULL), int8range(NULL, 5)]",
    "jsonb number": f"to_jsonb({FOLDED})", "jsonb array": f"jsonb_build_array({FOLDED})",
    "jsonb object": f"jsonb_build_object('a', {FOLDED}, 'b', ARRAY[NULL, 1])",
    "jsonb name": f"jsonb_build_object({FOLDED}::text, true)",
    "jsonb nested": f"jsonb_build_object('a', jsonb_build_array(jsonb_build_object('b', {FOLDED})))",
    "jsonb[]": f"ARRAY[to_jsonb({FOLDED}), NULL]",
}


def check_rates():
    psql("CREATE TYPE pair AS (a int8, b text);")
    expected = KEYS * 1e-6
    most = expected + 5 * expected**0.5 + 2
    for name, expression in EXPRESSIONS.items():
        found = psql(f"""CREATE TEMP TABLE f AS SELECT ribbon_build({expression}, 1e-6) AS f FROM generate_series(1, {KEYS}::int8) AS i;
            SELECT ribbon_cardinality(f), (SELECT count(*) FROM generate_series(1, {KEYS}::int8) AS i WHERE f @> {expression}),
                   (SELECT count(*) FROM generate_series({KEYS} + 1, 2 * {KEYS}::int8) AS i WHERE f @> {expression}) FROM f;""")
        keys, members, others = (int(n) for n in found.split("|"))
        report(f"{KEYS} keys: {name}", None if keys == members == KEYS and others <= most else
               f"{keys} keys, {members} found, {others} of as many others")


def check_large(size):
    """Structures of many elements, of which one differs."""
    cases = {
        "array": f"(SELECT array_agg(e + CASE WHEN e = i * 97 THEN 1::int8 << 40 ELSE 0 END ORDER BY e) FROM generate_series(1, {size}::int8) AS e)",
        "array of text": f"(SELECT array_agg(CASE WHEN e = i * 97 THEN 'x' ELSE e::text END ORDER BY e) FROM generate_series(1, {size}) AS e)",
        "array of rows": f"(SELECT array_agg((e, CASE WHEN e = i * 97 THEN 'x' END)::pair ORDER BY e) FROM generate_series(1, {size}) AS e)",
        "multirange": f"(SELECT range_agg(int8range(e * 4, e * 4 + CASE WHEN e = i * 97 THEN 2 ELSE 1 END)) FROM generate_series(1, {size}) AS e)",
        "jsonb array": f"(SELECT jsonb_agg(CASE WHEN e = i * 97 THEN NULL ELSE e END ORDER BY e) FROM generate_series(1, {size}) AS e)",
        "jsonb object": f"(SELECT jsonb_object_agg(e, CASE WHEN e = i * 97 THEN 0 ELSE e END) FROM generate_series(1, {size}) AS e)",
    }
    for name, expression in cases.items():
        found = psql(f"""CREATE TEMP TABLE t AS SELECT i, {expression} AS v FROM generate_series(1, 10) AS i;
            SELECT ribbon_cardinality(f), (SELECT count(*) FROM t WHERE i <= 5 AND f @> v), (SELECT count(*) FROM t WHERE i > 5 AND f @> v),
                   (SELECT count(DISTINCT ribbon_hash(v)) FROM t) FROM (SELECT ribbon_build(v, 1e-9) AS f FROM t WHERE i <= 5) AS s;""")
        report(f"{name} of {size} parts, one of which differs", None if found == "5|5|0|10" else found)


def check_memory():
    """An object of 500,000 members, 15 MB, is hashed without a list of them."""
    psql("""CREATE TABLE large (j jsonb); ALTER TABLE large ALTER j SET STORAGE external;
        INSERT INTO large SELECT jsonb_object_agg(i, i) FROM generate_series(1, 500000) AS i;""")
    peak = "SELECT substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\\s*(\\d+)');"
    before, _, after = psql(f"SELECT jsonb_typeof(j) FROM large; {peak} SELECT ribbon_hash(j) FROM large; {peak}").split()[1:]
    grown = (int(after) - int(before)) // 1024
    limit = 20 if "ASAN" in os.environ.get("SERVER_ENV", "") else 10        # ASan keeps some of what is freed
    report(f"jsonb object of 500000 parts, in less than {limit} MB beside it", None if grown < limit else f"{grown} MB")


with new_database(DATABASE):
    psql(SETUP)
    check_pairs(60, 40)
    check_rates()
    check_large(100000)
    check_memory()
finish()
