#!/usr/bin/python3
"""test_hostile_maps.py - does the server survive maps that no builder wrote?

Takes maps of many shapes, changes their headers, dictionaries, planes and
lengths, and sends them in by every way there is: a cast, text input, binary
COPY, and, past validation, as the stored bytes of a damaged table.  The ways
must agree on what is a map and refuse the rest with the right SQLSTATE; and
every function must cope with what got in.

usage: test/run.sh python/test_hostile_maps

The server is found through PGHOST and its kin; the extension must be installed.
That no process of it crashed is seen by test/lib/cluster.sh, too, in its log.
"""

import os
import random
import re
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
from made_up import random_bytes
from psql_script import UTF8, hex_bytes, new_database, rows_and_errors
from reports import finish, report

DATABASE = "ribbon_hostile_maps"
WANTED = 3000

# Maps to start from: keys, values, and the numbers of keys to make them of.
STARTS = [(keys, values, options, n)
          for keys, values in (
              ("i", "i % 100"), ("i", "CASE WHEN i % 3 > 0 THEN i * 1000 END"), ("i", "i % 2 = 0"),
              ("i", "(ARRAY['free', 'pro', 'max'])[1 + i % 3]::plan"), ("i::text", "'value ' || i % 300"),
              ("i", "CASE WHEN i % 3 > 0 THEN repeat('x', i % 50) END"), ("i", "date '2026-01-01' + i"), ("i", "ribbon_hash(i)"),
              ("md5(i::text)::uuid", "i::int2"), ("i", "7"), ("i", "NULL::plan"), ("i", "ARRAY[i % 5, NULL]"), ("i", "timestamptz '2026-01-01' + i * interval '1s'"))
          for options in ("0.01", "0.3, 'seed=77'", "1, 'width=128'", "0.0000001, 'width=32'")
          for n in (0, 3, 60, 1000)] + [("i", "'value ' || i", "0.01", 6000), ("i", "i % 7", "0.5", 16000)]

SET_UP = """
    CREATE EXTENSION ribbon;
    CREATE TYPE plan AS ENUM ('free', 'pro', 'max');

    -- the SQLSTATE of a statement about map $1, or that it went well
    CREATE FUNCTION state(statement text, m ribbonmap) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN
        EXECUTE statement USING m;
        RETURN 'ok';
    EXCEPTION WHEN OTHERS THEN
        RETURN SQLSTATE;
    END $$;

    -- everything that can be done with a map
    CREATE TABLE uses (statement text);
    INSERT INTO uses VALUES
        ('SELECT count($1 ->> k) FROM generate_series(-50, 50) k'),
        ('SELECT count($1 ->> k::text) FROM generate_series(1, 50) k'),
        ('SELECT count($1 ->> md5(k::text)::uuid) FROM generate_series(1, 50) k'),
        ('SELECT sum($1 -> k) FROM generate_series(1, 50) k'),
        ('SELECT count(*) FROM generate_series(1, 50) k WHERE $1 @> k OR k <@ $1'),
        ('SELECT count(ribbon_get($1, k, 0)) FROM generate_series(1, 50) k'),
        ('SELECT count(ribbon_get($1, k, NULL::plan)) FROM generate_series(1, 50) k'),
        ('SELECT count(ribbon_get($1, k::text, '''')) FROM generate_series(1, 50) k'),
        ('SELECT count(ribbon_get($1, k, NULL::date)) FROM generate_series(1, 50) k'),
        ('SELECT count(ribbon_get($1, k, now())) FROM generate_series(1, 50) k'),
        ('SELECT ribbon_cardinality($1), ribbon_fpr($1)'),
        ('SELECT ribbon_stats($1)'),
        ('SELECT ribbon_check($1)'),
        ('SELECT $1 = $1, $1 < $1'),
        ('SELECT count(*) FROM (SELECT DISTINCT m FROM (VALUES ($1), ($1)) v (m)) s'),
        ('SELECT $1::text, $1::bytea'),
        ('SELECT ($1::text)::ribbonmap, ($1::bytea)::ribbonmap');
"""


def psql(script):
    return rows_and_errors(script, DATABASE)


def varint(data, at):
    """The varint there, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def header_end(data):
    """About where a map's slots begin: behind its dictionary and a plane's header."""
    end = 3 if data[2] & 8 else 5                           # unchecked, or two bytes of check bits
    _, end = varint(data, end)                              # keys
    values, end = data[end], end + 2
    if values & 0x40:
        end += 4
    if values & 0x80:
        size, end = varint(data, end)
        end += size
    return min(end + 30, len(data))


def mutations(rng, data):
    """The bytes of a map with something changed, mostly in its headers and its dictionary."""
    end = header_end(data)
    for _ in range(40):
        at = rng.randrange(end)
        kind = rng.randrange(6)
        if kind <= 2:
            yield data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
        elif kind == 3:
            yield data[:at] + bytes([rng.choice((0, 1, 127, 128, 255))]) + data[at + 1:]
        elif kind == 4:
            yield data[:at] + rng.choice((b"\x80\x00", b"\xff\xff\xff\xff\x0f", b"\xff" * 10, b"")) + data[at + 1:]
        else:
            yield data[:at] + random_bytes(rng, rng.randrange(1, 9)) + data[at:]
    yield data[:end] + random_bytes(rng, len(data) - end)
    yield data[:end] + b"\xff" * (len(data) - end)
    yield data[:rng.randrange(len(data))]
    yield data + random_bytes(rng, rng.randrange(1, 20))


def blobs_of(rng, made):
    altered = [blob for data in made for blob in mutations(rng, data)]
    altered = rng.sample(altered, min(WANTED, len(altered)))
    # the beginning of one map with the end of another
    for _ in range(200):
        left, right = rng.choice(made), rng.choice(made)
        altered.append(left[:rng.randrange(header_end(left))] + right[rng.randrange(header_end(right)):])
    for _ in range(300):
        head = bytes([2 | rng.randrange(16) << 4, rng.randrange(9), rng.randrange(70)])
        altered.append(head + random_bytes(rng, rng.randrange(60)))
    altered += [random_bytes(rng, rng.randrange(60)) for _ in range(50)]
    return altered + made


def copy_rows(table, blobs):
    lines = "".join(f"{i}\t\\\\x{blob.hex()}\n" for i, blob in enumerate(blobs))
    return f"COPY {table} FROM STDIN;\n{lines}\\.\n"


def check_crash(name, errors):
    """The server's way to say that it went away."""
    if re.search("server closed the connection|terminating connection|recovery mode|could not connect", errors):
        report(name, errors[:500])
        return True
    return False


def cast_and_text(blobs, made):
    """bytea::ribbonmap and the text form agree: a map, or 22P03.  What was made is one."""
    rows, errors = psql("CREATE TABLE blobs (i int, b bytea);" + copy_rows("blobs", blobs) + """
        CREATE FUNCTION take(b bytea, how text) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN
            IF how = 'text' THEN
                PERFORM b::text::ribbonmap;
            ELSE
                PERFORM b::ribbonmap;
            END IF;
            RETURN 'ok';
        EXCEPTION WHEN OTHERS THEN
            RETURN SQLSTATE;
        END $$;
        SELECT i, take(b, 'cast'), take(b, 'text') FROM blobs ORDER BY i;""")
    name = "cast and text input"
    if check_crash(name, errors) or len(rows) != len(blobs):
        report(name, f"{len(rows)} answers for {len(blobs)} {errors}")
        return []
    good = []
    for (i, cast, text), blob in zip(rows, blobs):
        if cast != text or cast not in ("ok", "22P03") or (blob in made and cast != "ok"):
            report(name, f"{blob[:60].hex()} ({len(blob)} bytes): cast {cast}, text {text}")
            return []
        if cast == "ok":
            good.append(blob)
    report(f"{name}: {len(good)} of {len(blobs)} are maps", None if len(good) > len(made) else "no altered one got in")
    return good


def binary_copy(blobs, good):
    """COPY of one map each takes what a cast takes."""
    with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
        os.chmod(directory, 0o755)      # the server reads the files
        script = "CREATE TABLE copied (m ribbonmap);\n"
        for i, blob in enumerate(blobs):
            with open(f"{directory}/{i}", "wb") as file:
                file.write(b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0) + struct.pack(">hi", 1, len(blob)) + blob
                           + struct.pack(">h", -1))
            script += f"COPY copied FROM '{directory}/{i}' WITH (FORMAT binary);\n\\echo {i} :SQLSTATE\n"
        rows, errors = psql(script)
    name = f"binary COPY of {len(blobs)}"
    states = [row[0].split()[1] for row in rows]
    if check_crash(name, errors) or len(states) != len(blobs):
        report(name, f"{len(states)} answers for {len(blobs)} {errors[-500:]}")
        return
    wrong = [(blob[:60].hex(), state) for blob, state in zip(blobs, states) if state != ("00000" if blob in good else "22P03")]
    report(name, str(wrong[:3]) if wrong else None)


def use(name, table, states, fill):
    """Everything that can be done with a table of maps ends with one of these SQLSTATEs."""
    rows, errors = psql(fill + f"""
        SELECT statement, s, count(*), min(i) FROM {table}, uses, state(statement, m) s
         GROUP BY 1, 2 ORDER BY 1, 2;""")
    if check_crash(name, errors) or not rows or errors:
        report(name, f"{len(rows)} rows {errors}")
        return
    # a check may find out what nobody else looks at
    wrong = [row for row in rows if row[1] not in states and row[:2] != ["SELECT ribbon_check($1)", "XX001"]]
    report(f"{name}: {sum(int(row[2]) for row in rows)} uses, {', '.join(sorted({row[1] for row in rows}))}",
           str(wrong) if wrong else None)


def constants(good):
    """A map as a constant is looked at when a query is planned, too."""
    script = "CREATE TABLE numbers AS SELECT i FROM generate_series(1, 100) i; ANALYZE numbers;\n"
    for blob in good:
        script += f"EXPLAIN SELECT '\\x{blob.hex()}'::ribbonmap ->> i FROM numbers WHERE '\\x{blob.hex()}'::ribbonmap @> i;\n"
    rows, errors = psql(script)
    name = f"planned as constants ({len(good)})"
    bad = [line for line in errors.splitlines() if "ERROR" in line and "key" not in line]
    if not check_crash(name, errors):
        report(name, str(bad[:5]) if bad or not rows else None)


def damage(blobs, storage, compression=""):
    """Statements for a table of maps whose bytes nobody has looked at, and ANALYZE of it."""
    table = f"damaged_{storage}"
    return f"""
        CREATE TABLE {table} (i int, m bytea {compression});
        ALTER TABLE {table} ALTER m SET STORAGE {storage};
        """ + copy_rows(table, blobs) + f"""
        UPDATE pg_attribute SET atttypid = 'ribbonmap'::regtype
         WHERE attrelid = '{table}'::regclass AND attname = 'm';
        \\c -
        ANALYZE {table};
        """


def main():
    _, errors = psql(SET_UP)
    if errors:
        report("set up", errors)
        return
    rows, errors = psql("".join(f"SELECT ribbon_map({keys}, {values}, {options})::bytea FROM generate_series(1, {n}) i;\n"
                                for keys, values, options, n in STARTS))
    made = [hex_bytes(row[0]) for row in rows]
    if errors or len(made) != len(STARTS):
        report("maps to start from", errors)
        return

    rng = random.Random(1)
    blobs = blobs_of(rng, made)
    good = cast_and_text(blobs, set(made))
    binary_copy(rng.sample(blobs, 600), set(good))

    # a key or an answer of another class, and a label that the type does not have
    use("what got in", "maps", {"ok", "42804", "22P02"},
        "CREATE TABLE maps (i int, m ribbonmap);" + copy_rows("maps", good))
    constants(rng.sample(good, 300))

    # bytes that were never looked at may be found out, or have text that is not in the encoding
    found_out = {"ok", "42804", "22P02", "XX001", "22P03", "22021"}
    use("damaged in the table, plain or in TOAST", "damaged_external", found_out, damage(blobs, "external"))
    use("damaged in the table, compressed", "damaged_extended", found_out,
        damage(blobs, "extended", "COMPRESSION pglz"))
    rows, errors = psql("SELECT count(*) FROM maps")
    report("the server is still there", None if rows == [[str(len(good))]] else f"{rows} {errors}")


if __name__ == "__main__":
    with new_database(DATABASE, UTF8):
        main()
    finish()
