#!/usr/bin/python3
"""test_exchange.py - the command and a server make the same bytes, and read each other's files

Of the same keys, of each type that has a text: built by the command from what
the server writes, and by the server.  By \\copy a filter or map goes from a
file into a column and back, in each form there is.

usage: test/run.sh lib/test_exchange
needs: server
"""

import os
import subprocess
import sys
import tempfile
from random import Random

sys.path.insert(0, "test/lib")
import psql_script
from reports import check, compare, finish, report

RIBBON = os.path.abspath("build/lib/ribbon")
KIT = os.path.abspath("test/golden/kit_1.txt")
DATABASE = "ribbon_exchange"
SQL_TYPES = {"char": "char(8)", "enum": "mood", "float": "float8", "integer": "bigint"}
LIMIT = 120

# types of keys, and an expression of i
KEYS = (
    ("integer", "i::int2"), ("integer", "i::int8 << 40"), ("integer", "-i * 1000003"), ("text", "'key ' || i || 'é'"),
    ("text", "CASE i % 3 WHEN 0 THEN '' ELSE repeat(' x', i) END"), ("char", "rpad(i::text, 6)::char(8)"),
    ("bytea", "decode(md5(i::text), 'hex')"), ("bytea", "decode(repeat('0a', i % 20), 'hex')"), ("uuid", "md5(i::text)::uuid"),
    ("bool", "i % 2 = 0"), ("date", "date '2000-01-01' + (i - 50) * 3001"), ("date", "date '0001-01-01' - i * 1000"),
    ("date", "CASE i % 3 WHEN 0 THEN 'infinity' WHEN 1 THEN '-infinity' ELSE '5874897-12-31' END::date"),
    ("time", "time '00:00' + i * interval '7 minutes 1.000001 seconds'"), ("time", "time '24:00'"),
    ("timestamp", "timestamp '2000-01-01' + (i - 50) * interval '1000 days 1.5 seconds'"),
    ("timestamp", "timestamp '4713-01-01 BC' + i * interval '1 microsecond'"), ("timestamp", "timestamp '294276-12-31 23:59:59.999999'"),
    ("timestamptz", "timestamptz '1890-01-01 00:00+00' + i * interval '1000 days 1.25 seconds'"), ("timestamptz", "timestamptz 'infinity'"),
    ("oid", "(i * 40000000::int8)::oid"), ("float", "i::float8 / 7 - 5"), ("float", "i::float4 / 7"),
    ("float", "(ARRAY['-0', 'NaN', 'Infinity', '-Infinity', '1e300', '5e-324'])[i % 6 + 1]::float8"),
    ("numeric", "i::numeric / 8 - 3"), ("numeric", "(i || 'e' || (i - 50))::numeric"), ("numeric", "(i || '.' || repeat('0', i))::numeric"),
    ("numeric", "(ARRAY['NaN', '-0.00', '1e40', '-1e-40'])[i % 4 + 1]::numeric"),
    ("macaddr", "('08:00:2b:01:02:' || lpad(to_hex(i), 2, '0'))::macaddr"),
    ("macaddr8", "('08:00:2b:01:02:03:04:' || lpad(to_hex(i), 2, '0'))::macaddr8"),
    ("xid8", "(i::int8 << 33)::text::xid8"), ("pg_lsn", "('1' || to_hex(i) || '/' || to_hex(i * 7))::pg_lsn"),
    ("enum", "(enum_range(NULL::mood))[i % 3 + 1]"),
    ("interval", "(i - 50) * interval '1 month 3 days 5 hours 6 minutes 7.000001 seconds'"), ("interval", "i * interval '-1 day +23:59:59.5'"),
    ("interval", "interval '1 mon' * (i % 2) + interval '30 days' * (1 - i % 2)"), ("interval", "make_interval(years => i, secs => -i)"),
    ("inet", "('10.' || i || '.0.' || i || '/' || i % 33)::inet"), ("cidr", "set_masklen('10.1.2.3'::inet, i % 33)::cidr"),
    ("inet", "('2001:db8:' || to_hex(i * i) || '::' || to_hex(i) || '/' || i)::inet"), ("inet", "('::ffff:1.2.3.' || i)::inet"),
    ("time with time zone", "('12:34:56.' || i || '+0' || i % 10 || ':30')::timetz"), ("timetz", "('24:00:00-1' || i % 5)::timetz"),
    ("varbit", "i::bit(7)::varbit"), ("bit varying", "repeat(i::bit(7)::text, i % 9)::varbit"), ("bit", "i::bit(64)"),
    ("double precision", "i::float8 / 3"), ("timestamp with time zone", "timestamptz '1890-01-01 00:00+00' + i * interval '1 day'"),
    ("character varying", "'key ' || i"),
    ("jsonb", "jsonb_build_object('id', i, 'name', 'grün ' || i, 'x', jsonb_build_array(i / 8.0, null, i % 2 = 0, jsonb_build_object()))"),
    ("jsonb", "to_jsonb(i / 16.0)"), ("jsonb", "to_jsonb(chr(i) || E'\\\\\"/' || chr(100 + 77 * i))"), ("jsonb", "jsonb_build_array()"),
    ("jsonb", "('{\"a\": {\"' || repeat('b', i % 7) || '\": 1, \"c\": [1e' || i || ', -0.0]}, \"\": null}')::jsonb"),
)

# types whose texts are read by ours as by the server, or are refused, and what random texts are made of
TEXTS = (
    ("inet", ("1.2.3.4", "01.002.3.4", "1.2.3", "1.2.3/24", "1.2/16", "1.2/17", "1.2/24", "1/8", "1.2.3.4/33",
              "1.2.3.4/", "1.2.3.4/032", "256.1.1.1", "1..2.3", "1.2.3.4.", ".1.2.3", "::", "::/0", "1::", "::1",
              "1::2::3", ":::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8::",
              "1:2:3:4:5:6:7", "12345::", "::1.2.3.4", "::ffff:1.2.3.4/128", "1:2:3:4:5:6:1.2.3.4",
              "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "1::/129", "fe80::1%eth0", "FE80::ABCD/64", ":1", "1:", "", "/8",
              "::1.2.3.4.5", "0", "10", "010", "10.1", "10.1.2", "127", "128", "128.1", "191", "192", "192.168",
              "192.168.1", "223", "224", "224.1", "224.0.0", "239", "239.1.2", "240", "240.1", "255.255.255", "256",
              "1/24", "1/32", "1/33", "1/", "10.", "1.2.3/23", "1:2", "0x0a", "0xc0a8/16", "0x0a/7", "0X0A000000/8",
              "0xe0", "0xac1/12", "10./8", "::1:/64", "::1./9"), "0123456789abfx::..//"),
    ("interval", ("1 day", "1 day 2 days", "-1 year -2 mons +3 days -04:05:06.789", "00:00", "1 year 12 mons",
                  "@ 1 year 2 mons -3 days 4 hours 5 mins 6.5 secs ago", "@ 0", "P1Y2M3DT4H5M6.7S", "P1D", "PT1H", "PT",
                  "P", "P1DT", "PT-1.5S", "P-1Y", "P2W", "1 week", "04:05:06 ago", "1.5 days", "1.5 seconds",
                  "-0.5 secs", "1:60:00", "1:00:60", "25:00:00", "-25:00", "1:2", "2147483647 days", "2147483648 days",
                  "178956970 years 7 mons", "178956971 years", "", "ago", "day", "1", "1 2 days",
                  "1 day 04:05:06 5 hours", "+1 day", "1day", "1 MON", "-00:00:00.000001", "1-2"), None),
    ("timetz", ("12:34:56+02", "12:34+02:30", "24:00:00Z", "24:00:01Z", "12:34:56.123456-15:59:59", "12:34:56+16",
                "12:34:56", "12:34:56 +02", "00:00z"), None),
    ("macaddr8", ("08:00:2b:01:02:03:04:05", "08002b.0102030405", "08:00:2b:01:02:03", "08002b010203", "0800.2b01.0203",
                  "08:00-2b:01:02:03", "08:00:2b:01:02", "08:00:2b:01:02:03:04", "08:00:2b:01:02:0g",
                  "08002B:010203"), None),
    ("varbit", ("", "0", "1", "0101", "b0101", "x1F", "X0aB", "2", "0x1", "B", "x", "xG", "01 01"), "01"),
    ("xid8", ("0", "7", "007", "010", "09", "0x1F", "00", "18446744073709551615", "-1", "+1", " 12 ",
              "1x"), "0123456789"),
    ("jsonb", ("{}", "[]", "null", "nul", "true", "1", "-0", "0", "01", "1.", ".5", "1e5", "1E+5", "1e-5", "-", "1.50",
               "100e-2", '"a"', '"\\u00e9"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\ude00"', '"\\u0000"',
               '"\\u0041\\n\\/"', '"\\x"', '"', "'a'", '{"a":1,"a":2}', '{"b":1,"a":2,"aa":3,"":4}', '{"a":1,}', "[1,]",
               "[1 2]", '{"a" 1}', "{1:2}", " [ 1 , { } ] ", "[[[[[]]]]]", "[", "]", "", "{} {}", "NaN", "Infinity",
               '{"a":{"c":1,"b":[{"z":1,"y":2}]}}', '"a\nb"', '{"é":1,"zz":2,"z":3}',
               '{"a":1,"a":2,"a":{"b":3}}'), '{}[]",:01.e-ta'),
)
# what the server reads and ours does not
UNREAD = {"@ 0", "1", "1 2 days", "1.5 days", "1-2", "", "P", "PT", "P1DT", "12:34:56", "1:60:00", "1:00:60", "04:05:06 ago", "24:00:01Z"}

# types of values, and an expression
VALUES = (
    ("bigint", "(i - 50)::int8 << 20"), ("integer", "i * 7 % 10 - 3"), ("smallint", "NULLIF(i % 5, 3)::int2"), ("boolean", "i % 3 = 0"),
    ("date", "date '2000-01-01' + (i - 50) * 3001"), ("timestamp", "timestamp '1999-12-31' + (i - 50) * interval '1 day 0.5 seconds'"),
    ("timestamptz", "timestamptz '1999-12-31 00:00+00' - (i - 50) * interval '30 years 0.000001 seconds'"),
    ("text", "(ARRAY['red', '', 'grün', NULL])[i % 4 + 1]"),
)

SETTINGS = "SET bytea_output = 'hex'; SET extra_float_digits = 1; SET TimeZone = 'UTC'; SET DateStyle = 'ISO';\n"


def psql(script):
    return psql_script.psql(SETTINGS + script, DATABASE)


def ribbon(*arguments, stdin=b""):
    done = subprocess.run([RIBBON, *arguments], input=stdin, capture_output=True, timeout=LIMIT, check=False)
    if done.returncode > 1:
        return done.stderr
    return done.stdout


def check_keys():
    for type_, expression in KEYS:
        psql(f"COPY (SELECT {expression} FROM generate_series(1, 100) i) TO '{os.getcwd()}/keys.csv' (FORMAT csv)")
        server = psql(f"SELECT ribbon_build({expression}, 0.0001) FROM generate_series(1, 100) i")
        ours = ribbon("build", "--format", "csv", "-k", type_, "-f", "0.0001", "--as", "hex", "keys.csv").decode().strip()
        compare(f"{type_}: {expression}", ours, server)


def is_odd(type_, text):
    """A text that the server reads, but hardly means anything."""
    if type_ == "xid8":     # octal, or cut off
        return not text.strip().isdigit() or text.strip()[0] == "0" or int(text) >= 1 << 64
    return text in UNREAD


def check_texts():
    """Texts that the server may refuse: ours are refused, too, or the same key."""
    random = Random(43)
    psql("CREATE FUNCTION built(t text, type text) RETURNS text LANGUAGE plpgsql AS $f$ DECLARE f text; BEGIN"
         " EXECUTE format('SELECT ribbon_build(%L::%s, 1e-6)', t, type) INTO f; RETURN f; EXCEPTION WHEN OTHERS THEN RETURN 'refused'; END $f$;")
    for type_, texts, alphabet in TEXTS:
        texts = [*texts]
        for text in texts[:] * 8 if alphabet else ():
            at = random.randrange(len(text) + 1)
            texts.append(text[:at] + random.choice(["", *alphabet]) + text[at + random.randrange(2):])
        texts = sorted({text for text in texts if text or type_ != "inet"})     # of which empty lines are skipped
        rows = ", ".join(f"({i}, $t${text}$t$)" for i, text in enumerate(texts))
        # an inet may be what the server has as a cidr alone
        other = "cidr" if type_ == "inet" else type_
        server = psql(f"SELECT coalesce(nullif(built(t, '{type_}'), 'refused'), built(t, '{other}'))"
                      f" FROM (VALUES {rows}) v(i, t) ORDER BY i").split("\n")
        faults = []
        read = 0
        for text, theirs in zip(texts, server):
            ours = ribbon("build", "-z", "-k", type_, "-f", "1e-6", "--as", "hex",
                          stdin=text.encode() + b"\0").decode().strip()
            read += ours.startswith("\\x")
            if ours != theirs and not (ours.startswith("ribbon: ") and (theirs == "refused" or is_odd(type_, text))):
                faults.append((text, ours, theirs))
        compare(f"texts of {type_}: {len(texts)}, of which {read} are read", faults, [])
        check(f"some texts of {type_} are read", read >= 5, read)


def check_options():
    for options, arguments in (("kind=homogeneous", ["--kind", "homogeneous"]), ("kind=auto, width=32", ["--kind", "auto", "--width", "32"]),
                               ("width=128", ["--width", "128"])):
        server = psql(f"SELECT ribbon_build(i, 0.02, '{options}') FROM generate_series(1, 5000) i")
        ours = ribbon("build", "-k", "integer", "-f", "0.02", "--as", "hex", *arguments,
                      stdin="\n".join(map(str, range(1, 5001))).encode())
        compare(options, ours.decode().strip(), server)
    keys = "\n".join(map(str, range(1, 1500001))).encode()
    server = psql("SELECT md5(ribbon_build(i)::bytea) FROM generate_series(1, 1500000) i")
    with open("large.ribbon", "wb") as file:
        file.write(ribbon("build", "-k", "integer", "-m", "16M", stdin=keys))
    psql(f"CREATE TABLE large AS SELECT pg_read_binary_file('{os.getcwd()}/large.ribbon')::ribbonfilter AS f")
    compare("1,500,000 keys by files", psql("SELECT md5(f::bytea) FROM large"), server)
    shrunk = ribbon("shrink", "-f", "0.05", "--as", "hex", "large.ribbon").decode().strip()
    check("shrink is the server's", psql("SELECT ribbon_shrink(f, 0.05) FROM large") == shrunk, len(shrunk))


def check_maps():
    for type_, expression in VALUES:
        for seed in (0, 77):
            where = f"{os.getcwd()}/map.csv"
            psql(f"COPY (SELECT i, {expression} FROM generate_series(1, 100) i) TO '{where}' (FORMAT csv)")
            server = psql(f"SELECT ribbon_map(i, {expression}, 0.001, 'seed={seed}') FROM generate_series(1, 100) i")
            ours = ribbon("map", "--format", "csv", "-k", "int", "-v", type_, "-f", "0.001", "--seed", str(seed), "--as", "hex",
                          "-o", "map.hex", "map.csv")
            with open("map.hex", encoding="ascii") as file:
                compare(f"map of {type_}, seed {seed}", ours.decode() + file.read().strip(), server)
        answers = ribbon("get", "--values", "map.hex", stdin="\n".join(map(str, range(1, 101))).encode()).decode()
        expected = psql(f"SELECT '=' || coalesce(m ->> i, '\\N') FROM generate_series(1, 100) i,"
                        f" (SELECT ribbon_map(i, {expression}) AS m FROM generate_series(1, 100) i) AS s ORDER BY i")
        compare(f"its values as ->> has them, {type_}", [f"={line}" for line in answers.split("\n")[:100]], expected.split("\n"))
    psql(f"COPY (SELECT i, i % 1000 = 0 FROM generate_series(1, 20000) i) TO '{os.getcwd()}/map.csv' (FORMAT csv)")
    for code in ("plain", "entropy", "auto"):
        server = psql(f"SELECT ribbon_map(i, i % 1000 = 0, 1, 'code={code}') FROM generate_series(1, 20000) i")
        ours = ribbon("map", "--format", "csv", "-k", "int", "-v", "bool", "-f", "1", "--code", code, "--as", "hex", "map.csv")
        compare(f"values whose code is {code}", ours.decode().strip(), server)
    psql("CREATE TABLE moods AS SELECT ribbon_map(i, (enum_range(NULL::mood))[i % 3 + 1]) AS m FROM generate_series(1, 30) i")
    psql(f"COPY moods TO '{os.getcwd()}/moods' (FORMAT binary)")
    stats = ribbon("stats", "moods").decode()
    check("a map of an enum says its type", "value_type       public.mood\n" in stats, stats)
    compare("and its values", ribbon("get", "--values", "moods", stdin=b"1\n2\n3\n"), b"ok\nhappy\nsad\n")


def check_exact():
    psql(f"COPY (SELECT i, i % 7 = 0 FROM generate_series(1, 20000) i) TO '{os.getcwd()}/universe.csv' (FORMAT csv)")
    for options, arguments in (("", []), ("width=128", ["--width", "128"]),
                               ("as_of=2024-02-29 12:00:00+00", ["--as-of", "2024-02-29 12:00:00+00"])):
        server = psql(f"SELECT ribbon_build_exact(i, i % 7 = 0, '{options}') FROM generate_series(1, 20000) i")
        ours = ribbon("exact", "--format", "csv", "-k", "int", "--as", "hex", *arguments, "universe.csv").decode().strip()
        compare(f"an exact set, {options or 'as it comes'}", ours, server)


def check_as_of():
    """Times that are as_of, or are refused, as the server has them."""
    for text in ("2026-01-01 00:00:00+00", "2026-01-01T00:00:00Z", "2026-01-01 12:30+02",
                 "2026-01-01 12:30:00.123456-05:30", "2026-01-01z", "infinity", "-infinity",
                 "0044-03-15 00:00:00+00 BC", "12026-01-01 00:00+00", "2026-01-01 00:00:00", "2026-01-01", "today",
                 "yesterday", "01/02/2026 00:00+00", "2026-1-1 00:00+00", "2026-02-30 00:00+00", "2026-01-01 00:00 UTC",
                 "2026-01-01 00:00 Asia/Shanghai", "2026-01-01 00:00+25", "20260101T000000Z", "", "epoch",
                 "1 Jan 2026 00:00+00"):
        try:
            server = psql(f"SELECT ribbon_build_exact(1, true, 'as_of={text}')")
        except RuntimeError:
            server = "refused"
        ours = ribbon("exact", "-k", "int", "--as", "hex", "--as-of", text, stdin=b"1\tt\n").decode().strip()
        compare(f"as_of {text}", "refused" if ours.startswith("ribbon: invalid time") else ours, server)


def check_kit():
    """The golden kit, as the server has it."""
    with open(KIT, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    for kind, *fields in lines:
        if kind == "key":
            type_, text, _, hash_, _ = fields
            sql = SQL_TYPES.get(type_, type_)
            found = psql(f"SELECT to_hex(ribbon_hash($${text}$$::{sql}))").zfill(16)
            compare(f"kit: {type_} {text[:40]}", found, hash_)
        elif kind == "filter":
            type_, fpr, how, width, n, bytes_, _ = fields
            width = f", width={width}" if width != "0" else ""
            found = psql(f"SELECT ribbon_build(i::text::{type_}, {fpr}, 'kind={how}{width}') FROM generate_series(1, {n}) i")
            compare(f"kit: filter of {n} keys of {type_}, {how} {fpr}", found, "\\x" + bytes_)
        elif kind == "map":
            type_, value_type, fpr, seed, values, bytes_, answers = fields
            array = f"string_to_array($${values}$$, ',', '\\N')::{value_type}[]"
            found = psql(f"SELECT ribbon_map(i::text::{type_}, v, {fpr}, 'seed={seed}') FROM unnest({array}) WITH ORDINALITY AS u(v, i)")
            compare(f"kit: map of {value_type}, rate {fpr}", found, "\\x" + bytes_)
            n, asked = values.count(",") + 1, 10 if fpr == "1" else 1000
            found = psql(f"SELECT string_agg(i || '=' || coalesce(m ->> i::text::{type_}, '\\N'), ',' ORDER BY i)"
                         f" FROM generate_series({n} + 1, {n} + {asked}) i, (SELECT '\\x{bytes_}'::ribbonmap AS m) s"
                         f" WHERE m @> i::text::{type_}")
            compare("kit: its answers", found, answers)
        else:
            type_, *fpr, n, every, bytes_ = fields if kind == "exact" else fields[:-1]
            rate = "".join(f", {text}" for text in fpr)
            found = psql(f"SELECT ribbon_build_exact(i::text::{type_}, (i % {every} = 0) = ({every} > 0){rate})"
                         f" FROM generate_series(1, {n}) i")
            compare(f"kit: exact set of {n} keys{rate}", found, "\\x" + bytes_)
        if kind in ("filter", "rated"):
            found = psql(f"SELECT string_agg(i::text, ',' ORDER BY i) FROM generate_series({n} + 1, {n} + 1000) i"
                         f" WHERE '\\x{bytes_}'::ribbonfilter @> i::text::{type_}")
            compare("kit: its positives", found, fields[-1])


def check_copy():
    """\\copy both ways."""
    psql("CREATE TABLE members (f ribbonfilter)")
    keys = "\n".join(map(str, range(1, 3001))).encode()
    for form, options in (("copy", "(FORMAT binary)"), ("hex", "(FORMAT csv)")):
        with open("in", "wb") as file:
            file.write(ribbon("build", "-k", "integer", "--as", form, stdin=keys))
        psql(f"TRUNCATE members;\n\\copy members FROM 'in' {options}\n")
        compare(f"a file of form {form} goes into a column", psql("SELECT f = (SELECT ribbon_build(i) FROM generate_series(1, 3000) i),"
                                                                  " f @> 3000, ribbon_check(f) FROM members"), "t|t|t")
        for out in ("(FORMAT binary)", "(FORMAT csv)", "(FORMAT text)"):
            psql(f"\\copy members TO 'out' {out}\n")
            compare(f"and out of it {out}", ribbon("test", "--count", "out", stdin=keys), b"3000\n")


def main():
    with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
        os.chmod(directory, 0o777)
        os.chdir(directory)
        with psql_script.new_database(DATABASE, psql_script.UTF8):
            psql("CREATE EXTENSION ribbon; CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');")
            for part in (check_keys, check_texts, check_options, check_maps, check_exact, check_as_of, check_kit,
                         check_copy):
                try:
                    part()
                except RuntimeError as error:
                    report(part.__name__, str(error))
        os.chdir("/")
    finish()


if __name__ == "__main__":
    main()
