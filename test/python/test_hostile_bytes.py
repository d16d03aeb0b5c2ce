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

import random

from hostile_values import HostileValues, copy_file
from made_up import made_up_header, mutations, random_bytes, read, refit
from psql_script import UTF8, hex_bytes, new_database
from reports import finish, report

DATABASE = "ribbon_hostile_bytes"
FILTERS = HostileValues("ribbonfilter", DATABASE)
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

# Everything that can be done with a filter.
USES = (
    "SELECT count(*) FROM generate_series(-50, 50) k WHERE $1 @> k",
    "SELECT count(*) FROM generate_series(1, 50) k WHERE k::text <@ $1",
    "SELECT count(*) FROM generate_series(1, 50) k WHERE ribbon_contains($1, md5(k::text)::uuid)",
    "SELECT count(*) FROM generate_series(1, 50) k WHERE ribbon_contains($1, k::numeric)",
    "SELECT ribbon_contains_any($1, (SELECT array_agg(k) FROM generate_series(1, 700) k))",
    "SELECT ribbon_contains_all($1, (SELECT array_agg(k) FROM generate_series(1, 700) k))",
    "SELECT ribbon_contains_any($1, ARRAY['a', 'b', NULL])",
    "SELECT ribbon_cardinality($1), ribbon_fpr($1)",
    "SELECT ribbon_stats($1)",
    "SELECT ribbon_check($1)",
    "SELECT ribbon_stats(ribbon_shrink($1, least(0.5, 1.5 * ribbon_fpr($1))))",
    "SELECT ribbon_stats(ribbon_shrink($1, 0.5))",
    "SELECT ribbon_shrink($1, 0.0001)",
    "SELECT $1 = $1, $1 <> $1",
    "SELECT count(*) FROM (SELECT DISTINCT f FROM (VALUES ($1), ($1)) v (f)) s",
    "SELECT $1::text, $1::bytea",
    "SELECT ($1::text)::ribbonfilter, ($1::bytea)::ribbonfilter",
)


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


def is_right(blob, state):
    """22P03 for all that the document does not call a filter."""
    known_class = len(blob) > 1 and blob[1] & 31 in (*range(18), 30, 31)
    return state == ("ok" if read(blob) is not None and known_class else "22P03")


def bad_text(rng, made):
    """Text that is not even bytes: 22P02."""
    texts = ["", "\\", "\\x1", "x11", "\\X1100000000", "1100000000", "\\x11 00000000", "\\xgg00", "\\x" + "0" * 99999]
    for data in made:
        text = list("\\x" + data[:300].hex())
        text[rng.randrange(len(text))] = rng.choice("g \\/:@`é\x01")
        texts.append("".join(text))
    quoted = ",".join("E'" + "".join(f"\\U{ord(c):08x}" for c in text) + "'" for text in texts)
    rows, errors = FILTERS.psql(f"""
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


def damaged_files(rng, blobs):
    """Files for COPY whose own lengths are wrong."""
    for blob in rng.sample(blobs, 100):
        length = rng.choice((-2, -1, 0, 1, len(blob) - 1, len(blob) + 1, 2**31 - 1, 10**9))
        yield copy_file([(length, blob)])
        whole = copy_file([(len(blob), blob)] * 3)
        yield whole[:rng.randrange(len(whole))]


def main():
    errors = FILTERS.set_up("", USES)
    if errors:
        report("set up", errors)
        return
    script = ""
    for expression, arguments, shrunk in STARTS:
        column, source = expression.split(" FROM ")
        script += f"SELECT ribbon_build({column}{arguments})::bytea FROM {source};\n"
        if shrunk is not None:
            script += f"SELECT ribbon_shrink(ribbon_build({column}{arguments}), {shrunk})::bytea FROM {source};\n"
    rows, errors = FILTERS.psql(script)
    made = [hex_bytes(row[0]) for row in rows]
    if errors or not made:
        report("filters to start from", errors)
        return

    rng = random.Random(1)
    blobs = blobs_of(rng, made)
    good = FILTERS.cast_and_text(blobs, is_right)
    bad_text(rng, made)
    copied = rng.sample(blobs, 400) + made
    FILTERS.binary_copy(copied, is_right, list(damaged_files(rng, copied)))
    FILTERS.constants(good, lambda constant: f"SELECT * FROM numbers WHERE {constant} @> i")

    # a key of another class, a rate below the filter's own; bytes that were never looked at may be found out
    FILTERS.use_all(good, blobs, {"ok", "42804", "22023"}, {"XX001", "22P03"})


if __name__ == "__main__":
    with new_database(DATABASE, UTF8):
        main()
    finish()
