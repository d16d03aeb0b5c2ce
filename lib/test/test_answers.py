#!/usr/bin/python3
"""test_answers.py - test/golden/answers_1.txt: what filters, exact sets and maps say, in every language

The table has sets, and for each the answers to some keys: those that are easily
given otherwise in one language than in another, of empty sets, without a time,
of infinities, NULLs, and keys of another type.  Here the server and the command
are asked; test_lib_answers.c, and the packages' tests of the same name, ask the
others.  test/golden/README.md explains its lines.

usage: test/run.sh lib/test_answers, or with a server lib/test/test_answers.py --write
needs: server
"""

import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, "test/lib")
import psql_script
from reports import compare, finish

RIBBON = os.path.abspath("build/lib/ribbon")
TABLE = os.path.abspath("test/golden/answers_1.txt")
DATABASE = "ribbon_answers"
LIMIT = 120
SQLSTATES = {"42804": "!KEY_TYPE", "22023": "!NOT_EXACT"}
SQL_TYPES = {"char": "char(8)", "float": "float8", "integer": "bigint"}

FAR, NEAR = 2**63 - 1, -2**63
NAN = struct.pack("<Q", 0x7FF8000000000000)


def number(i):
    return ("integer", str(i), struct.pack("<q", i))


def text(word):
    return ("text", word, word.encode())


def float_(written, value):
    return ("float", written, NAN if value is None else struct.pack("<d", value))


def numeric(written, shortest):
    return ("numeric", written, shortest.encode())


def timestamptz(written, microseconds):
    return ("timestamptz", written, struct.pack("<q", microseconds))


def date(written, days):
    return ("date", written, struct.pack("<i", days))


# name, filter or map, how SQL or the command makes it, the keys asked for: type, text, canonical bytes
INTEGERS = [number(i) for i in (1, 100, 101, -1, 2**63 - 1)]
SETS = (
    ("empty", "filter", "SELECT ribbon_build(i) FROM generate_series(1, 0) i", [*INTEGERS[:2], text("1")]),
    ("empty, of no type", "filter", "SELECT '\\x1100000000'::ribbonfilter", [number(1), text("a"), date("infinity", 2**31 - 1)]),
    ("integers", "filter", "SELECT ribbon_build(i, 1e-6) FROM generate_series(1, 100) i", [*INTEGERS, text("1"), numeric("1", "1"), float_("1", 1)]),
    ("homogeneous", "filter", "SELECT ribbon_build(i, 1e-6, 'kind=homogeneous') FROM generate_series(1, 100) i", INTEGERS),
    ("texts", "filter", "SELECT ribbon_build(t, 1e-6) FROM unnest(ARRAY['', 'a', 'a ', 'é']) t",
     [text(""), text("a"), text("a "), text("A"), text("é"), text("e\u0301"), number(1), ("bytea", "\\x61", b"a")]),
    ("char(n)", "filter", "SELECT ribbon_build(t::char(4), 1e-6) FROM unnest(ARRAY['', 'a', 'b ']) t",
     [("char", "a", b"a"), ("char", "a  ", b"a"), ("char", "b", b"b"), ("char", "c", b"c"), ("char", "", b"")]),
    ("floats", "filter", "SELECT ribbon_build(x, 1e-6) FROM unnest(ARRAY['0', 'NaN', 'Infinity', '0.1']::float8[]) x",
     [float_("0", 0.0), float_("-0", 0.0), float_("NaN", None), float_("Infinity", float("inf")), float_("-Infinity", -float("inf")),
      float_("0.1", 0.1), number(0)]),
    ("numerics", "filter", "SELECT ribbon_build(x, 1e-6) FROM unnest(ARRAY['1.50', 'NaN', 'Infinity', '0']::numeric[]) x",
     [numeric("1.5", "1.5"), numeric("1.5000", "1.5"), numeric("NaN", "NaN"), numeric("Infinity", "Infinity"),
      numeric("-Infinity", "-Infinity"), numeric("-0.0", "0"), number(0)]),
    ("times", "filter", "SELECT ribbon_build(x, 1e-6) FROM unnest(ARRAY['infinity', '2000-01-01 00:00Z']::timestamptz[]) x",
     [timestamptz("infinity", FAR), timestamptz("-infinity", NEAR), timestamptz("2000-01-01 02:00:00+02", 0), date("infinity", 2**31 - 1)]),
    ("dates", "filter", "SELECT ribbon_build(x, 1e-6) FROM unnest(ARRAY['-infinity', '2000-01-01']::date[]) x",
     [date("-infinity", -2**31), date("infinity", 2**31 - 1), date("2000-01-01", 0), timestamptz("-infinity", NEAR)]),
    ("exact", "filter", "SELECT ribbon_build_exact(i, i % 5 = 0) FROM generate_series(1, 100) i", [number(5), number(6), number(100), text("5")]),
    ("exact, of members", "filter", "SELECT ribbon_build_exact(i, true) FROM generate_series(1, 10) i", [number(1), number(10)]),
    ("exact, of others", "filter", "SELECT ribbon_build_exact(i, false) FROM generate_series(1, 10) i",
     [number(1), number(10), number(11), text("1")]),
    ("exact, of no rows", "filter", "SELECT ribbon_build_exact(i, true) FROM generate_series(1, 0) i", [number(1), text("1")]),
    ("map", "map", "SELECT ribbon_map(i, NULLIF(i % 4, 3), 1e-6) FROM generate_series(1, 40) i",
     [number(1), number(3), number(4), number(41), text("1")]),
    ("map, under a seed", "map", "SELECT ribbon_map(i, i % 4, 1e-6, 'seed=7') FROM generate_series(1, 40) i", [number(1), number(4), number(41)]),
    ("map, of a rate of 1", "map", "SELECT ribbon_map(i, i % 4, 1) FROM generate_series(1, 40) i", [number(1), number(4), text("1")]),
    ("map, of no rows", "map", "SELECT ribbon_map(i, i) FROM generate_series(1, 0) i", [number(1), text("1")]),
    ("map, of NULL", "map", "SELECT ribbon_map(i, NULL::int, 1e-6) FROM generate_series(1, 4) i", [number(1), number(5)]),
    ("map of texts", "map", "SELECT ribbon_map(i::text, (ARRAY['', 'red', 'grün', NULL, E'a\\\\b'])[i], 1e-6) FROM generate_series(1, 5) i",
     [text(str(i)) for i in range(1, 7)] + [number(1)]),
    ("map of texts, of no rows", "map", "SELECT ribbon_map(i, 'a'::text) FROM generate_series(1, 0) i", [number(1)]),
    ("map of booleans", "map", "SELECT ribbon_map(i, i % 3 = 0, 1e-6) FROM generate_series(1, 9) i", [number(1), number(3), number(10)]),
    ("map of large numbers", "map",
     "SELECT ribbon_map(i, CASE i WHEN 1 THEN 9223372036854775807 ELSE -9223372036854775808 END, 1e-6) FROM generate_series(1, 2) i",
     [number(1), number(2), number(3)]),
    ("map of dates", "map", "SELECT ribbon_map(i, (ARRAY['infinity', '2000-01-01', '0044-03-15 BC']::date[])[i], 1e-6) FROM generate_series(1, 3) i",
     [number(1), number(2), number(3), number(4)]),
    ("map of times", "map",
     "SELECT ribbon_map(i, (ARRAY['infinity', '-infinity', '2000-01-01 00:00:00.5Z']::timestamptz[])[i], 1e-6) FROM generate_series(1, 3) i",
     [number(1), number(2), number(3), number(4)]),
)

OF_NO_ROWS = ("exact", "-k", "integer", "--as-of", "2026-01-01 00:00Z", "--as", "hex")
TIMES = ("2025-12-31 23:59:59.999999+00", "2026-01-01 00:00:00+00", "2026-01-01 00:00:00.000001+00", "infinity", "-infinity", "\\N")

# what ribbon_member is asked: name, how it is made (None: by the command), keys, their times
MEMBERS = (
    ("as of 2026", "SELECT ribbon_build_exact(i, i % 5 = 0, 'as_of=2026-01-01 00:00:00+00') FROM generate_series(1, 100) i",
     [number(5), number(6), text("5")], TIMES),
    ("as of infinity", "SELECT ribbon_build_exact(i, i % 5 = 0, 'as_of=infinity') FROM generate_series(1, 100) i", [number(5), number(6)], TIMES),
    ("as of -infinity", "SELECT ribbon_build_exact(i, i % 5 = 0, 'as_of=-infinity') FROM generate_series(1, 100) i", [number(5), number(6)], TIMES),
    ("as of 2026, of no rows", None, [number(1), text("1")], TIMES),
    *((name, sql, [number(5), text("5")], TIMES[1:2]) for name, _, sql, _ in SETS
      if name in ("integers", "empty", "empty, of no type") or name.startswith("exact")),
)
SETTINGS = "SET bytea_output = 'hex'; SET extra_float_digits = 1; SET TimeZone = 'UTC'; SET DateStyle = 'ISO';\n"


def psql(script):
    return psql_script.psql(SETTINGS + script, DATABASE)


def ribbon(*arguments, stdin=b""):
    done = subprocess.run([RIBBON, *arguments], input=stdin, capture_output=True, timeout=LIMIT, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def question(kind, bytes_, what, type_, key, time):
    """What SQL says to it, as text."""
    key = f"$k${key}$k$::{SQL_TYPES.get(type_, type_)}"
    set_ = f"'\\x{bytes_}'::ribbon{kind}"
    if what == "member":
        time = "NULL" if time == "\\N" else f"'{time}'"
        return f"coalesce(ribbon_member({set_}, {key}, {time})::text, 'null')"
    if what == "get":
        return f"CASE WHEN {set_} @> {key} THEN coalesce('=' || ({set_} ->> {key}), 'null') ELSE 'no' END"
    return f"({set_} @> {key})::text"


ASK = """
CREATE FUNCTION answer(question text) RETURNS text LANGUAGE plpgsql AS $f$
DECLARE
    answer text;
BEGIN
    EXECUTE 'SELECT ' || question INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $f$;
"""


def server_answers(asked):
    """Of questions (kind, bytes, what, type, key, time)."""
    rows = ",\n".join(f"({i}, $q${question(*one)}$q$)" for i, one in enumerate(asked))
    answers = psql(f"SELECT answer(q) FROM (VALUES {rows}) AS v(i, q) ORDER BY i;").split("\n")
    return [SQLSTATES.get(answer, answer) for answer in answers]


def made_table():
    """The table's lines, as the server answers."""
    lines = []
    asked = []
    for name, kind, sql, keys in (*SETS, *((name, "filter", sql, ()) for name, sql, _, _ in MEMBERS)):
        if any(line[1] == name for line in lines):
            continue
        bytes_ = (psql(sql) if sql else ribbon(*OF_NO_ROWS)[1].strip())[2:]
        lines.append(("set", name, kind, bytes_))
        whats = ("contains", "get") if kind == "map" else ("contains",)
        asked += [(name, kind, bytes_, what, *key, "") for what in whats for key in keys]
        asked += [(name, kind, bytes_, "member", *key, time) for member, _, keys, times in MEMBERS if member == name
                  for key in keys for time in times]
    answers = server_answers([(*one[1:6], one[7]) for one in asked])
    lines += [("ask", name, what, type_, key, canonical.hex(), time, answer)
              for (name, _, _, what, type_, key, canonical, time), answer in zip(asked, answers)]
    return lines


def read_table():
    with open(TABLE, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    sets = {name: (kind, bytes_) for what, name, kind, bytes_ in (line for line in lines if line[0] == "set")}
    return sets, [line[1:] for line in lines if line[0] == "ask"]


def command_answer(kind, bytes_, what, type_, key):
    """What the command says, which has no member."""
    with open("set", "wb") as file:
        file.write(bytes.fromhex(bytes_))
    arguments = ["get", "-z", "--values", "--null", "null"] if what == "get" else ["test", "-z"]
    status, output, errors = ribbon(*arguments, "-k", type_, "set", stdin=f"{key}\0".encode())
    if status == 2:
        return "!KEY_TYPE" if " are of type " in errors else errors
    if what == "contains":
        return "true" if status == 0 else "false"
    return "no" if status == 1 else "null" if output == "null\0" else "=" + output[:-1]


def main():
    with psql_script.new_database(DATABASE, psql_script.UTF8):
        psql("CREATE EXTENSION ribbon;" + ASK)
        if sys.argv[1:] == ["--write"]:
            with open(TABLE, "w", encoding="utf-8") as file:
                file.writelines("\t".join(line) + "\n" for line in made_table())
            return
        made = made_table()
        sets, asked = read_table()
        compare("the server makes these sets", {line[1]: line[2:] for line in made if line[0] == "set"}, sets)
        compare("and gives these answers", [list(line[1:]) for line in made if line[0] == "ask"], asked)
    with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
        os.chdir(directory)
        for what in ("contains", "get"):
            faults = [(name, type_, key, got, answer)
                      for name, how, type_, key, _, _, answer in asked if how == what
                      for got in [command_answer(*sets[name], what, type_, key)] if got != answer]
            compare(f"the command's answers, {what}", faults, [])
        os.chdir("/")
    finish()


if __name__ == "__main__":
    main()
