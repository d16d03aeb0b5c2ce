#!/usr/bin/python3
"""test_hostile_bytes.py - does the server survive bytes that no builder wrote?

Takes filters of many shapes, changes their headers, payloads and lengths, and
sends them in by every way there is: a cast, text input, binary COPY, and,
past validation, as the stored bytes of a damaged table.  The ways must agree
on what is a filter and refuse the rest with the right SQLSTATE; and every
function must cope with what got in.

usage: test/run.sh python/test_hostile_bytes

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
from made_up import made_up_header, mutations, random_bytes, read, refit
from psql_script import UTF8, hex_bytes, new_database, rows_and_errors
from reports import finish, report

DATABASE = "ribbon_hostile_bytes"
WANTED = 1500

# Filters to start from: keys, arguments of ribbon_build, rate to shrink to.
STARTS = [(expression, f", {rate}, 'kind={kind}, width={width}'", shrunk)
          for kind in ("burr", "homogeneous") for width in (32, 64, 128)
          for expression, rate, shrunk in (
              ("i FROM generate_series(1, 0) i", 0.01, None),
              ("i FROM generate_series(1, 3) i", 0.3, None),
              ("i::text FROM generate_series(1, 70) i", 0.003, 0.2),
              ("i * 1000003 FROM generate_series(1, 1000) i", 0.01, 0.013),
              ("md5(i::text)::uuid FROM generate_series(1, 5000) i", 0.2, None),
              ("i FROM generate_series(1, 16000) i", 0.3, 0.45),
              ("i::numeric FROM generate_series(1, 64) i", 1e-6, None))]

SET_UP = """
    CREATE EXTENSION ribbon;

    -- the SQLSTATE of a statement about filter $1, or that it went well
    CREATE FUNCTION state(statement text, f ribbonfilter) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN
        EXECUTE statement USING f;
        RETURN 'ok';
    EXCEPTION WHEN OTHERS THEN
        RETURN SQLSTATE;
    END $$;

    -- everything that can be done with a filter
    CREATE TABLE uses (statement text);
    INSERT INTO uses VALUES
        ('SELECT count(*) FROM generate_series(-50, 50) k WHERE $1 @> k'),
        ('SELECT count(*) FROM generate_series(1, 50) k WHERE k::text <@ $1'),
        ('SELECT count(*) FROM generate_series(1, 50) k WHERE ribbon_contains($1, md5(k::text)::uuid)'),
        ('SELECT count(*) FROM generate_series(1, 50) k WHERE ribbon_contains($1, k::numeric)'),
        ('SELECT ribbon_contains_any($1, (SELECT array_agg(k) FROM generate_series(1, 700) k))'),
        ('SELECT ribbon_contains_all($1, (SELECT array_agg(k) FROM generate_series(1, 700) k))'),
        ('SELECT ribbon_contains_any($1, ARRAY[''a'', ''b'', NULL])'),
        ('SELECT ribbon_cardinality($1), ribbon_fpr($1)'),
        ('SELECT ribbon_stats($1)'),
        ('SELECT ribbon_check($1)'),
        ('SELECT ribbon_stats(ribbon_shrink($1, least(0.5, 1.5 * ribbon_fpr($1))))'),
        ('SELECT ribbon_stats(ribbon_shrink($1, 0.5))'),
        ('SELECT ribbon_shrink($1, 0.0001)'),
        ('SELECT $1 = $1, $1 <> $1'),
        ('SELECT count(*) FROM (SELECT DISTINCT f FROM (VALUES ($1), ($1)) v (f)) s'),
        ('SELECT $1::text, $1::bytea'),
        ('SELECT ($1::text)::ribbonfilter, ($1::bytea)::ribbonfilter');
"""


def psql(script):
    return rows_and_errors(script, DATABASE)


def blobs_of(rng, made):
    """Filters spoilt in their headers, with fitting and unfitting lengths, and in their slots."""
    altered = []
    for data in made:
        altered += mutations(rng, data, read(data).header_size)
    altered = rng.sample(altered, WANTED)
    blobs = altered[:WANTED // 3]
    blobs += [blob for blob in (refit(rng, data) for data in altered[WANTED // 3:]) if blob is not None]
    blobs += [blob for blob in (refit(rng, made_up_header(rng)) for _ in range(200)) if blob is not None]
    for data in made:
        size = read(data).header_size
        blobs.append(data[:size] + random_bytes(rng, len(data) - size))
        blobs.append(data[:size] + b"\xff" * (len(data) - size))
        blobs.append(data[:rng.randrange(len(data))])
    blobs += [random_bytes(rng, rng.randrange(60)) for _ in range(50)]
    return blobs + made


def copy_rows(table, blobs):
    lines = "".join(f"{i}\t\\\\x{blob.hex()}\n" for i, blob in enumerate(blobs))
    return f"COPY {table} FROM STDIN;\n{lines}\\.\n"


def check_crash(name, errors):
    """The server's way to say that it went away."""
    if re.search("server closed the connection|terminating connection|recovery mode|could not connect", errors):
        report(name, errors[:500])
        return True
    return False


def known_class(blob):
    return blob[1] & 31 in (*range(18), 30, 31)


def cast_and_text(blobs):
    """bytea::ribbonfilter and the text form: 22P03 for all that the document does not call a filter."""
    rows, errors = psql("CREATE TABLE blobs (i int, b bytea);" + copy_rows("blobs", blobs) + """
        CREATE FUNCTION take(b bytea, how text) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN
            IF how = 'text' THEN
                PERFORM b::text::ribbonfilter;
            ELSE
                PERFORM b::ribbonfilter;
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
        expected = "ok" if read(blob) is not None and known_class(blob) else "22P03"
        if not cast == text == expected:
            report(name, f"{blob[:60].hex()} ({len(blob)} bytes): cast {cast}, text {text}, expected {expected}")
            return []
        if cast == "ok":
            good.append(blob)
    report(f"{name}: {len(good)} of {len(blobs)} are filters")
    return good


def bad_text(rng, made):
    """Text that is not even bytes: 22P02."""
    texts = ["", "\\", "\\x1", "x11", "\\X1100000000", "1100000000", "\\x11 00000000", "\\xgg00", "\\x" + "0" * 99999]
    for data in made:
        text = list("\\x" + data[:300].hex())
        text[rng.randrange(len(text))] = rng.choice("g \\/:@`é\x01")
        texts.append("".join(text))
    quoted = ",".join("E'" + "".join(f"\\U{ord(c):08x}" for c in text) + "'" for text in texts)
    rows, errors = psql(f"""
        CREATE FUNCTION take_text(t text) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM t::ribbonfilter;
            RETURN 'ok';
        EXCEPTION WHEN OTHERS THEN
            RETURN SQLSTATE;
        END $$;
        SELECT take_text(t) FROM unnest(ARRAY[{quoted}]) t""")
    states = [state for state, in rows]
    report("text that is no hexadecimal",
           None if len(states) == len(texts) and set(states) == {"22P02"} else f"{states} {errors}")


def copy_file(fields):
    """A file for COPY ... (FORMAT binary), of rows of one field each: (length it states, bytes)."""
    rows = b"".join(struct.pack(">hi", 1, length) + data for length, data in fields)
    return b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0) + rows + struct.pack(">h", -1)


def binary_copy(rng, blobs):
    """COPY of one filter each, and files whose own lengths are wrong."""
    files = [(blob, copy_file([(len(blob), blob)])) for blob in blobs]
    for blob in rng.sample(blobs, 100):
        length = rng.choice((-2, -1, 0, 1, len(blob) - 1, len(blob) + 1, 2**31 - 1, 10**9))
        files.append((None, copy_file([(length, blob)])))
        whole = copy_file([(len(blob), blob)] * 3)
        files.append((None, whole[:rng.randrange(len(whole))]))
    with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
        os.chmod(directory, 0o755)      # the server reads the files
        script = "CREATE TABLE copied (f ribbonfilter);\n"
        for i, (_, data) in enumerate(files):
            with open(f"{directory}/{i}", "wb") as file:
                file.write(data)
            script += f"COPY copied FROM '{directory}/{i}' WITH (FORMAT binary);\n\\echo {i} :SQLSTATE\n"
        rows, errors = psql(script + "SELECT count(*) FROM copied;")
    name = "binary COPY"
    states = [row[0].split() for row in rows[:-1]]
    if check_crash(name, errors) or len(states) != len(files):
        report(name, f"{len(states)} answers for {len(files)} {errors[-500:]}")
        return
    accepted = 0
    for (blob, _), (i, state) in zip(files, states):
        if blob is None:
            continue
        good = read(blob) is not None and known_class(blob)
        accepted += good
        if state != ("00000" if good else "22P03"):
            report(name, f"{blob[:60].hex()} ({len(blob)} bytes): {state}")
            return
    report(f"{name}: {accepted} of {len(blobs)} got in; {len(files) - len(blobs)} files were damaged themselves")


def use(name, table, states, fill):
    """Everything that can be done with a table of filters ends with one of these SQLSTATEs."""
    rows, errors = psql(fill + f"""
        SELECT statement, s, count(*), min(i) FROM {table}, uses, state(statement, f) s
         GROUP BY 1, 2 ORDER BY 1, 2;""")
    if check_crash(name, errors) or not rows or errors:
        report(name, f"{len(rows)} rows {errors}")
        return
    # a check may find out what nobody else looks at
    wrong = [row for row in rows if row[1] not in states and row[:2] != ["SELECT ribbon_check($1)", "XX001"]]
    report(f"{name}: {sum(int(row[2]) for row in rows)} uses, {', '.join(sorted({row[1] for row in rows}))}",
           str(wrong) if wrong else None)


def constants(good):
    """A filter as a constant is looked at when a query is planned, too."""
    script = "CREATE TABLE numbers AS SELECT i FROM generate_series(1, 100) i; ANALYZE numbers;\n"
    for blob in good:
        script += f"EXPLAIN SELECT * FROM numbers WHERE '\\x{blob.hex()}'::ribbonfilter @> i;\n"
    rows, errors = psql(script)
    name = f"planned as constants ({len(good)})"
    bad = [line for line in errors.splitlines() if "ERROR" in line and "key" not in line]
    if not check_crash(name, errors):
        report(name, str(bad[:5]) if bad or not rows else None)


def damage(blobs, storage, compression=""):
    """Statements for a table of filters whose bytes nobody has looked at."""
    table = f"damaged_{storage}"
    return f"""
        CREATE TABLE {table} (i int, f bytea {compression});
        ALTER TABLE {table} ALTER f SET STORAGE {storage};
        """ + copy_rows(table, blobs) + f"""
        UPDATE pg_attribute SET atttypid = 'ribbonfilter'::regtype
         WHERE attrelid = '{table}'::regclass AND attname = 'f';
        \\c -
        """


def main():
    _, errors = psql(SET_UP)
    if errors:
        report("set up", errors)
        return
    script = ""
    for expression, arguments, shrunk in STARTS:
        column, source = expression.split(" FROM ")
        script += f"SELECT ribbon_build({column}{arguments})::bytea FROM {source};\n"
        if shrunk is not None:
            script += f"SELECT ribbon_shrink(ribbon_build({column}{arguments}), {shrunk})::bytea FROM {source};\n"
    rows, errors = psql(script)
    made = [hex_bytes(row[0]) for row in rows]
    if errors or not made:
        report("filters to start from", errors)
        return

    rng = random.Random(1)
    blobs = blobs_of(rng, made)
    good = cast_and_text(blobs)
    bad_text(rng, made)
    binary_copy(rng, rng.sample(blobs, 400) + made)

    # a key of another class, a rate below the filter's own
    use("what got in", "filters", {"ok", "42804", "22023"},
        "CREATE TABLE filters (i int, f ribbonfilter);" + copy_rows("filters", good))
    constants(good)

    # bytes that were never looked at may be found out, and otherwise behave
    found_out = {"ok", "42804", "22023", "XX001", "22P03"}
    use("damaged in the table, plain or in TOAST", "damaged_external", found_out, damage(blobs, "external"))
    use("damaged in the table, compressed", "damaged_extended", found_out,
        damage(blobs, "extended", "COMPRESSION pglz"))
    rows, errors = psql("SELECT count(*) FROM filters")
    report("the server is still there", None if rows == [[str(len(good))]] else f"{rows} {errors}")


if __name__ == "__main__":
    with new_database(DATABASE, UTF8):
        main()
    finish()
