#!/usr/bin/python3
"""test_states.py - states of ribbon_build and ribbon_map in the hands of another extension

Extensions that aggregate on several servers ship partial states as bytes, and
may take some of any caller.  A module of ours (modules/states.c) does that as
they do.  Genuine states must combine to the same filter or map as a build of all
rows, wherever they have been; states that are made up may give some filter or an
error of a few kinds, but never a crash, and no file may be looked for.

usage: test/run.sh python/test_states

The server is found through PGHOST and its kin; PG_CONFIG names its pg_config.
"""

import os
import random
import struct
import sys
import tempfile

import psql_script
from reports import check, compare, finish
from server_modules import compiled

DATABASE = "ribbon_states"
SEED = 20211120
PARALLEL = """SET work_mem = '64kB'; SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET enable_hashagg = off;"""
LEFT = "SELECT count(*) FROM pg_ls_dir('base/pgsql_tmp', true, false);"
SCRIPT = """
CREATE EXTENSION ribbon;
CREATE FUNCTION states_transition(internal, anycompatible) RETURNS internal LANGUAGE c AS :module;
CREATE FUNCTION states_serialize(internal) RETURNS bytea LANGUAGE c AS :module;
CREATE FUNCTION states_combine(internal, bytea) RETURNS internal LANGUAGE c AS :module;
CREATE FUNCTION states_final(internal) RETURNS ribbonfilter LANGUAGE c AS :module;
CREATE FUNCTION states_final_thrice(internal) RETURNS bytea[] LANGUAGE c AS :module;
CREATE FUNCTION states_read(bytea) RETURNS ribbonfilter LANGUAGE c AS :module;
CREATE FUNCTION states_combine_alone(bytea) RETURNS void LANGUAGE c AS :module;
CREATE FUNCTION states_forge(internal) RETURNS bytea LANGUAGE c STRICT PARALLEL SAFE AS :module;

-- as a server of many that sends its share
CREATE AGGREGATE state(anycompatible) (
    SFUNC = ribbon_build_transfn, STYPE = internal, FINALFUNC = states_serialize);
CREATE AGGREGATE state(anycompatible, float8, text) (
    SFUNC = ribbon_build_transfn, STYPE = internal, FINALFUNC = states_serialize);
CREATE AGGREGATE state_of_others(anycompatible) (
    SFUNC = states_transition, STYPE = internal, FINALFUNC = states_serialize);
-- and the one that gets all of them
CREATE AGGREGATE combine_states(bytea) (
    SFUNC = states_combine, STYPE = internal, FINALFUNC = states_final);

-- of exact sets, whose states are combined as those of filters
CREATE AGGREGATE exact_state(anycompatible, boolean) (
    SFUNC = ribbon_build_exact_transfn, STYPE = internal, FINALFUNC = states_serialize);
CREATE AGGREGATE exact_state(anycompatible, boolean, text) (
    SFUNC = ribbon_build_exact_transfn, STYPE = internal, FINALFUNC = states_serialize);
CREATE AGGREGATE exact_thrice(anycompatible, boolean) (
    SFUNC = ribbon_build_exact_transfn, STYPE = internal, FINALFUNC = states_final_thrice);

-- the same of maps
CREATE FUNCTION states_final_map(internal) RETURNS ribbonmap LANGUAGE c AS :module, 'states_final';
CREATE FUNCTION states_read_map(bytea) RETURNS ribbonmap LANGUAGE c AS :module, 'states_read';
CREATE AGGREGATE map_state(anyelement, anycompatible) (
    SFUNC = ribbon_map_transfn, STYPE = internal, FINALFUNC = states_serialize);
CREATE AGGREGATE map_state(anyelement, anycompatible, float8, text) (
    SFUNC = ribbon_map_transfn, STYPE = internal, FINALFUNC = states_serialize);
CREATE AGGREGATE combine_map_states(bytea) (
    SFUNC = states_combine, STYPE = internal, FINALFUNC = states_final_map);
CREATE AGGREGATE map_thrice(anyelement, anycompatible) (
    SFUNC = ribbon_map_transfn, STYPE = internal, FINALFUNC = states_final_thrice);

CREATE AGGREGATE thrice(anycompatible) (
    SFUNC = ribbon_build_transfn, STYPE = internal, FINALFUNC = states_final_thrice);
CREATE AGGREGATE forged(anycompatible) (
    SFUNC = ribbon_build_transfn, STYPE = internal, FINALFUNC = ribbon_build_finalfn, FINALFUNC_EXTRA,
    COMBINEFUNC = ribbon_build_combinefn, SERIALFUNC = states_forge, DESERIALFUNC = ribbon_build_deserialfn,
    PARALLEL = SAFE);

CREATE FUNCTION outcome(query text, state bytea DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
    EXECUTE query INTO answer USING state;
    RETURN coalesce(answer, 'null');
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END$$;

CREATE TABLE keys AS SELECT i, i::int8 * 7919 AS k FROM generate_series(1, 600000) AS i;
ALTER TABLE keys SET (parallel_workers = 2);
VACUUM ANALYZE keys;
"""


def psql(script, database=DATABASE):
    return psql_script.psql(script, database).split("\n")


# --- genuine states ---

def test_genuine():
    """The same bytes as a build of all rows, however the rows were split."""
    for key in ("i", "i::text", "i::numeric / 7", "ARRAY[i::numeric, i % 3]", "ROW(ARRAY[[i::oid]], 'a'::text)"):
        compare(f"states of {key} combine to the filter of all rows", psql(f"""
            SELECT combine_states(s) = (SELECT ribbon_build({key}) FROM keys WHERE i <= 50000)
              FROM (SELECT state({key}) AS s FROM keys WHERE i <= 50000 GROUP BY i % 5) AS states;
            SELECT combine_states(s) = (SELECT ribbon_build({key}) FROM keys WHERE i <= 1000)
              FROM (SELECT state_of_others({key}) AS s FROM keys WHERE i <= 1000 GROUP BY i % 100) AS states;"""),
                ["t", "t"])
    compare("with options", psql("""
        SELECT combine_states(s) = (SELECT ribbon_build(i, 0.001, 'kind=homogeneous') FROM keys WHERE i <= 5000)
          FROM (SELECT state(i, 0.001, 'kind=homogeneous') AS s FROM keys WHERE i <= 5000 GROUP BY i % 5) AS states;"""),
            ["t"])
    compare("beyond work_mem", psql("""SET work_mem = '64kB'; SET max_parallel_workers_per_gather = 0;
        SELECT combine_states(s) = (SELECT ribbon_build(k) FROM keys)
          FROM (SELECT state(k) AS s FROM keys GROUP BY i % 3) AS states;
        SELECT states_read(state_of_others(k)) = ribbon_build(k) FROM keys;""" + LEFT), ["t", "t", "0"])
    compare("in some groups of a plan with partial states of its own", psql(PARALLEL + """
        SELECT bool_and(filter = of_all) FROM
          (SELECT g, combine_states(s) AS filter FROM
            (SELECT i % 2 AS g, i % 6 AS h, state(k) AS s FROM keys GROUP BY g, h) AS states GROUP BY g) AS a
          JOIN (SELECT i % 2 AS g, ribbon_build(k) AS of_all FROM keys GROUP BY g) AS b USING (g);""" + LEFT), ["t", "0"])
    compare("no state, an empty one, and those of no row", psql("""
        SELECT outcome('SELECT combine_states(s) FROM (SELECT state(k) AS s FROM keys WHERE false) AS states');
        SELECT combine_states(s) = (SELECT ribbon_build(NULL::int8)) FROM
            (SELECT state(NULL::int8) AS s FROM keys WHERE i < 3) AS states;
        SELECT state(k) IS NULL FROM keys WHERE false;"""), ["42P18", "t", "t"])


def test_used_again():
    """The final function leaves the state as it was."""
    for rows in (0, 1, 10, 1000, 600000):
        compare(f"a state of {rows} keys after its final function", psql(f"""
            SET work_mem = '64kB'; SET max_parallel_workers_per_gather = 0;
            SELECT count(*), count(DISTINCT f), bool_and(f = (SELECT ribbon_build(k)::bytea FROM keys WHERE i <= {rows}))
              FROM (SELECT thrice(k) AS fs FROM (SELECT k FROM keys WHERE i <= {rows} UNION ALL SELECT NULL) AS s) AS s,
                   unnest(fs) AS f;"""), ["5|1|t"])


def test_genuine_exact():
    for options in ("", ", 'width=128, as_of=2026-01-01Z'"):
        compare(f"states of exact sets{options}", psql(f"""
            SELECT combine_states(s) = (SELECT ribbon_build_exact(k, i % 9 = 0{options}) FROM keys WHERE i <= 50000)
              FROM (SELECT exact_state(k, i % 9 = 0{options}) AS s FROM keys WHERE i <= 50000 GROUP BY i % 5) AS states;"""),
                ["t"])
    compare("exact sets beyond work_mem", psql("""SET work_mem = '64kB'; SET max_parallel_workers_per_gather = 0;
        SELECT combine_states(s) = (SELECT ribbon_build_exact(k, i % 50 = 0) FROM keys)
          FROM (SELECT exact_state(k, i % 50 = 0) AS s FROM keys GROUP BY i % 3) AS states;
        SELECT count(*), count(DISTINCT f), bool_and(f = (SELECT ribbon_build_exact(k, i % 50 = 0)::bytea FROM keys))
          FROM (SELECT exact_thrice(k, i % 50 = 0) AS fs FROM keys) AS s, unnest(fs) AS f;""" + LEFT), ["t", "5|1|t", "0"])
    compare("states that do not go together with those of exact sets", psql("""
        CREATE TEMP TABLE states AS SELECT exact_state(1, true) AS one, exact_state(1, false) AS not_one, exact_state(2, false) AS two,
            exact_state(2, false, 'as_of=2026-01-01Z') AS dated, exact_state('x'::text, true) AS text, state(1) AS filter, map_state(1, 2) AS map;
        CREATE FUNCTION outcome_of_both(a bytea, b bytea) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN RETURN (SELECT ribbon_cardinality(combine_states(s)) FROM unnest(ARRAY[a, b]) AS s);
            EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE; END $$;
        SELECT outcome_of_both(one, two), outcome_of_both(one, one), outcome_of_both(one, not_one), outcome_of_both(one, dated),
               outcome_of_both(one, text), outcome_of_both(one, filter), outcome_of_both(filter, one), outcome_of_both(one, map) FROM states;
        DROP FUNCTION outcome_of_both;"""), ["1|1|21000|22023|42804|22P03|22P03|22P03"])


def test_genuine_maps():
    for value in ("i % 7", "NULLIF(i % 7, 3)", "i", "'v' || i % 100", "NULLIF(i % 10, 3)::numeric", "i % 2 = 0", "NULL::text"):
        compare(f"states of values {value} combine to the map of all rows", psql(f"""SET states.aggregate = 'map';
            SELECT combine_map_states(s) = (SELECT ribbon_map(i, {value}) FROM keys WHERE i <= 50000)
              FROM (SELECT map_state(i, {value}) AS s FROM keys WHERE i <= 50000 GROUP BY i % 5) AS states;
            SELECT combine_map_states(s) = (SELECT ribbon_map(i, {value}, 1, 'width=32 seed=7') FROM keys WHERE i <= 5000)
              FROM (SELECT map_state(i, {value}, 1, 'width=32 seed=7') AS s FROM keys WHERE i <= 5000 GROUP BY i % 5) AS states;
            SELECT count(*), count(DISTINCT m), bool_and(m = (SELECT ribbon_map(i, {value})::bytea FROM keys WHERE i <= 1000))
              FROM (SELECT map_thrice(i, {value}) AS ms FROM keys WHERE i <= 1000) AS s, unnest(ms) AS m;"""),
                ["t", "t", "5|1|t"])
    compare("maps beyond work_mem", psql("""SET states.aggregate = 'map';
        SET work_mem = '64kB'; SET max_parallel_workers_per_gather = 0;
        SELECT combine_map_states(s) = (SELECT ribbon_map(k, i % 100 || '') FROM keys)
          FROM (SELECT map_state(k, i % 100 || '') AS s FROM keys GROUP BY i % 3) AS states;
        SELECT count(*), count(DISTINCT m), bool_and(m = (SELECT ribbon_map(k, i)::bytea FROM keys))
          FROM (SELECT map_thrice(k, i) AS ms FROM keys) AS s, unnest(ms) AS m;""" + LEFT), ["t", "5|1|t", "0"])
    compare("maps that do not go together", psql("""SET states.aggregate = 'map';
        CREATE TEMP TABLE states AS SELECT map_state(1, 2) AS two, map_state(1, 3) AS three, map_state(2, 2::int8) AS wide,
            map_state(2, 'x'::text) AS text, map_state(2, 'x'::name) AS name, map_state(2, 2, 0.01, 'seed=1') AS seed,
            map_state('x'::text, 2) AS key, map_state(2, NULL::int) AS null, map_state(NULL::int, NULL::int) AS none;
        CREATE FUNCTION together(a bytea, b bytea) RETURNS text LANGUAGE sql AS $$
            SELECT ribbon_cardinality(combine_map_states(s)) FROM unnest(ARRAY[a, b]) AS s $$;
        CREATE FUNCTION outcome_of_both(a bytea, b bytea) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN RETURN together(a, b); EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE; END $$;
        SELECT outcome_of_both(two, two), outcome_of_both(two, three), outcome_of_both(two, wide), outcome_of_both(two, text),
               outcome_of_both(text, name), outcome_of_both(two, seed), outcome_of_both(two, key), outcome_of_both(two, "null"),
               outcome_of_both(none, two) FROM states;
        DROP FUNCTION together, outcome_of_both;"""), ["1|21000|42804|42804|42804|22023|42804|2|1"])


# --- made-up states ---

BUILD, MAP, EXACT, RATED = range(4)


# What the bytes begin with, of which the version tells the size: src/pg/aggregate/partial.c.
HEAD = struct.Struct("@I?Q0Q" "dqBBBBI0Q")
BLOCK = struct.Struct("@QIII0Q")
# What comes next, of a map: src/pg/value/buildvalues.c.
VALUES = struct.Struct("=qqBBB5xII")

ARRAY = 23  # of key classes: RIBBON_CLASS_ARRAY


def words(numbers):
    return b"".join(struct.pack("=Q", n & (1 << 64) - 1) for n in numbers)


def state(numbers=(), version=0, aggregate=BUILD, kind=0, width=64, coding=0, has_as_of=0, key_class=1, seed=0,
          fpr=0.01, as_of=0, values=b"", large=0, count=None, body=b""):
    count = len(numbers) if count is None else count
    time_or_seed = struct.unpack("=q", struct.pack("=I4x", seed) if seed else struct.pack("=q", as_of))[0]
    bits = aggregate | has_as_of << 7 if sys.byteorder == "little" else aggregate << 1 | has_as_of
    head = bytearray(HEAD.pack(0x52010000 + HEAD.size + version, False, 0 if large else count, fpr,
                               time_or_seed, kind, width, coding, bits, key_class))
    head[4] = large
    return bytes(head) + values + words(numbers) + body


def large(nfiles=1, nlists=1, lists=None, name=(1, 0), **header):
    files = struct.pack("=3I", *name, 1663) * min(nfiles, 4)
    lists = [(0, 0, 4096)] if lists is None else lists
    body = struct.pack("=I", nfiles) + files + struct.pack("=I", nlists)
    for i in range(min(nlists, 256)):
        mine = lists if i == 0 else []
        body += struct.pack("=I", len(mine)) + b"".join(BLOCK.pack(0, *block) for block in mine)
    return state(large=1, body=body, **header)


def outcomes(states, query="SELECT ribbon_cardinality(combine_states($1))", aggregate="build"):
    """What becomes of each: a row, or an SQLSTATE."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"{i}\t\\\\x{s.hex()}\n" for i, s in enumerate(states))
        file.flush()
        answers = psql(f"SET states.aggregate = '{aggregate}';\nCREATE TEMP TABLE made_up (i int, s bytea);\n\\copy made_up FROM '{file.name}'\n"
                       f"SELECT outcome($${query}$$, s) FROM made_up ORDER BY i;")
    if len(answers) != len(states):
        raise RuntimeError(f"{len(answers)} answers for {len(states)} states")
    return answers


def test_made_up():
    name = (os.getpid(), 0)
    cases = [
        ("as they should be", state(range(10)), "10"),
        ("duplicates", state([7] * 10), "1"),
        ("no key", state(), "0"),
        ("no byte", b"", "22P03"),
        ("half a header", state()[:12], "08P01"),
        ("another version", state(version=1), "22P03"),
        ("another order of bytes", state()[3::-1] + state()[4:], "22P03"),
        ("an unknown key class", state(key_class=30), "22P03"),
        ("an impossible key class", state(key_class=1 << 20), "22P03"),
        ("a negative key class", state(key_class=0xFFFFFFFF), "22P03"),
        ("parts of what has none", state(key_class=1 | 1 << 5), "22P03"),
        ("an unknown kind", state(kind=4), "22P03"),
        ("an unknown aggregate", state(aggregate=3), "22P03"),
        ("a seed", state(seed=1), "22P03"),
        ("a coding", state(coding=1), "22P03"),
        ("a time", state(has_as_of=1), "22P03"),
        ("values", state(range(10), values=VALUES.pack(0, 0, 0, 0, 0, 0, 3)), "08P01"),
        ("an unknown width", state(width=63), "22P03"),
        ("rate 0", state(fpr=0.0), "22P03"),
        ("rate 1", state(fpr=1.0), "22P03"),
        ("rate NaN", state(fpr=float("nan")), "22P03"),
        ("rate -infinity", state(fpr=float("-inf")), "22P03"),
        ("too few hashes", state(range(3), count=4), "08P01"),
        ("too many hashes", state(range(3), count=2), "08P01"),
        ("2^61 hashes", state(range(3), count=(1 << 61) + 3), "22P03"),
        ("half a hash", state(range(3), body=b"1234"), "08P01"),
        ("a large state", large(), "0A000"),
        ("a large state of this process' files", large(name=name), "0A000"),
        ("a large state without a file", large(nfiles=0, lists=[]), "0A000"),
        ("a large state with hashes", large()[:8] + words([1]) + large()[16:], "22P03"),
        ("neither small nor large", state(large=2), "22P03"),
    ]
    for query in ("SELECT ribbon_cardinality(combine_states($1))", "SELECT ribbon_cardinality(states_read($1))"):
        got = outcomes([case[1] for case in cases], query)
        for (what, _, expected), answer in zip(cases, got):
            compare(f"{what}: {query.split('(')[1]}", answer, expected)

    both = "SELECT ribbon_cardinality(combine_states(s)) FROM unnest(ARRAY[$1, '\\x" + state(range(5)).hex() + "']) AS s"
    compare("a state of other keys", outcomes([
        state(range(9)), state(range(9), key_class=2), state(range(9), fpr=0.02), state(range(9), width=32),
        state(range(9), kind=1), state(range(9), key_class=3)], both), ["9", "42804", "22023", "22023", "22023", "42804"])
    integers, texts = ARRAY | 1 << 5, ARRAY | 2 << 5
    both = both.replace(state(range(5)).hex(), state((1, 2), key_class=integers).hex())
    compare("a state of arrays of other elements", outcomes([
        state((2, 3), key_class=integers), state((), key_class=ARRAY), state((2, 3), key_class=texts)], both),
            ["3", "2", "42804"])
    compare("outside an aggregate", outcomes([state(range(9))], "SELECT states_combine_alone($1)"), ["0A000"])


def exact_state(records=(), **header):
    """A state of ribbon_build_exact; records are pairs of a hash and a word."""
    return state([n for pair in records for n in pair],
                 **{"aggregate": EXACT, "kind": 3, "fpr": 1 if header.get("aggregate") != RATED else 0.01} | header)


def test_made_up_exact():
    pairs = [(i << 50, 2 * i | (i % 3 == 0)) for i in range(10)]
    cases = [
        ("as they should be", exact_state(pairs), "4"),
        ("with a time", exact_state(pairs, has_as_of=1, as_of=-5), "4"),
        ("no key", exact_state(), "0"),
        ("keys of one hash", exact_state([(7, 2 * i | (i % 2)) for i in range(100)]), "50"),
        ("one on both sides", exact_state([(7, 2), (7, 4), (7, 3)]), "21000"),
        ("at the end of time", exact_state(pairs, has_as_of=1, as_of=2**63 - 1), "4"),
        ("after the last time", exact_state(pairs, has_as_of=1, as_of=2**63 - 2), "22P03"),
        ("before the first time", exact_state(pairs, has_as_of=1, as_of=1 - 2**63), "22P03"),
        ("a time that there is not", exact_state(pairs, as_of=5), "22P03"),
        ("a rate of none", exact_state(pairs, fpr=0.1), "22P03"),
        ("with a rate", exact_state(pairs, aggregate=RATED), "4"),
        ("with a time and a rate", exact_state(pairs, aggregate=RATED, has_as_of=1, as_of=-5), "4"),
        ("with the rate 1", exact_state(pairs, aggregate=RATED, fpr=1), "22P03"),
        ("with a rate that is none", exact_state(pairs, aggregate=RATED, fpr=0.6), "22P03"),
        ("half a record", exact_state(pairs, count=19), "22P03"),
        ("another kind", exact_state(pairs, kind=1), "22P03"),
        ("an odd number of words", exact_state([(1, 2), (3,)], count=3), "22P03"),
        ("a large state", large(aggregate=EXACT, kind=3, fpr=1), "0A000"),
    ]
    for (what, _, expected), answer in zip(cases, outcomes([case[1] for case in cases])):
        compare(f"exact: {what}", answer, expected)


def map_state(records=(), value_class=3, flags=2, least=0, greatest=255, head=None, texts=(), ntexts=None, length=None,
              **header):
    """A state of ribbon_map.

    Records are pairs of a hash and a value word.  flags say whether there are NULLs (1), numbers (2), a number like
    NULL (4), or are the three bytes.  length is what the last text claims to have.
    """
    texts = [] if head is None else [head, *texts]
    made = b""
    for text in texts:
        made += struct.pack("=I", length if length is not None and text is texts[-1] else len(text)) + text
    if isinstance(flags, int):
        flags = (flags & 1, flags >> 1 & 1, flags >> 2)
    values = VALUES.pack(least, greatest, *flags, len(texts) if ntexts is None else ntexts, value_class)
    return state([n for pair in records for n in pair], aggregate=MAP, values=values + made, **header)


NAMES = b"\x0apg_catalog\x04text"


def test_made_up_maps():
    pairs = [(i << 50, i) for i in range(10)]
    null = 0x9A3C5E71B2D4F680
    dictionary = {"value_class": 0, "flags": 0, "greatest": 0, "head": NAMES}
    cases = [
        ("as they should be", map_state(pairs), "10"),
        ("duplicates", map_state([(7, 5)] * 10), "1"),
        ("a conflict", map_state([(7, 5), (7, 6)]), "21000"),
        ("a NULL", map_state([(7, null)], flags=3), "1"),
        ("no key", map_state(), "0"),
        ("rate 1", map_state(pairs, fpr=1.0), "10"),
        ("rate 2", map_state(pairs, fpr=2.0), "22P03"),
        ("rate NaN", map_state(pairs, fpr=float("nan")), "22P03"),
        ("a NULL that is not announced", map_state([(7, null)]), "22P03"),
        ("a NULL and a number like it", map_state([(7, null)], flags=7), "22003"),
        ("a number too small", map_state([(7, -1)]), "22P03"),
        ("a number too large", map_state([(7, 256)]), "22P03"),
        ("numbers of 64 bits", map_state(pairs, value_class=4, least=-1 << 63, greatest=(1 << 63) - 1), "10"),
        ("numbers of 64 bits, and NULL",
         map_state(pairs, value_class=4, least=-1 << 63, greatest=(1 << 63) - 1, flags=3), "22003"),
        ("numbers of 32 bits", map_state(pairs, least=-1 << 31, greatest=(1 << 31) - 1), "10"),
        ("a number below them", map_state(pairs, least=(-1 << 31) - 1), "22P03"),
        ("a number above them", map_state(pairs, greatest=1 << 31), "22P03"),
        ("no number is announced", map_state(pairs, flags=0), "22P03"),
        ("none of them", map_state(pairs, least=3, greatest=2), "22P03"),
        ("neither NULLs nor none", map_state(pairs, flags=(2, 1, 0)), "22P03"),
        ("neither numbers nor none", map_state(pairs, flags=(0, 2, 0)), "22P03"),
        ("neither like NULL nor not", map_state(pairs, flags=(0, 1, 2)), "22P03"),
        ("an unknown coding", map_state(pairs, coding=3), "22P03"),
        ("an unknown class", map_state(pairs, value_class=8), "22P03"),
        ("a dictionary without a head", map_state((), value_class=0, flags=0), "22P03"),
        ("a head without a dictionary", map_state(pairs, head=NAMES), "22P03"),
        ("an empty dictionary", map_state((), **dictionary), "0"),
        ("some texts", map_state((), texts=[b"a", b"", "ö".encode()], **dictionary), "0"),
        ("a text twice", map_state((), texts=[b"a", b"a"], **dictionary), "0"),
        ("bad UTF-8", map_state((), texts=[b"\xff"], **dictionary), "22P03"),
        ("a zero", map_state((), texts=[b"a\0b"], **dictionary), "22P03"),
        ("a word of no text", map_state(pairs, texts=[b"a"], **dictionary), "22P03"),
        ("fewer texts", map_state((), texts=[b"a"], ntexts=3, **dictionary), "08P01"),
        ("more texts", map_state((), texts=[b"a", b"b"], ntexts=2, **dictionary), "08P01"),
        ("4 billion texts", map_state((), texts=[b"a"], ntexts=0xFFFFFFFF, **dictionary), "08P01"),
        ("4 billion bytes", map_state((), texts=[b"a"], length=0xFFFFFFFF, **dictionary), "22P03"),
        ("a byte too many", map_state((), texts=[b"a"], length=2, **dictionary), "08P01"),
        ("an empty head", map_state((), value_class=0, flags=0, greatest=0, head=b""), "22P03"),
        ("one name", map_state((), value_class=0, flags=0, greatest=0, head=b"\x0apg_catalog"), "22P03"),
        ("a long name", map_state((), value_class=0, flags=0, greatest=0, head=b"\xff"), "22P03"),
        ("a name in Latin 1", map_state((), value_class=0, flags=0, greatest=0, head=b"\1a\1\xe4"), "22P03"),
        ("no name", map_state((), value_class=0, flags=0, greatest=0, head=b"\1a\0"), "22P03"),
        ("an empty name first", map_state((), **{**dictionary, "head": b"\0" + NAMES}), "22P03"),
        ("three names", map_state((), **{**dictionary, "head": NAMES + b"\1a"}), "22P03"),
        ("65537 texts", map_state((), texts=[b"%d" % i for i in range(65537)], **dictionary), "54000"),
        ("half a record", map_state(pairs, count=19)[:-8], "22P03"),
        ("a state of ribbon_build", state(range(10)), "22P03"),
    ]
    for query in ("SELECT ribbon_cardinality(combine_map_states($1))", "SELECT ribbon_cardinality(states_read_map($1))"):
        got = outcomes([case[1] for case in cases], query, "map")
        for (what, _, expected), answer in zip(cases, got):
            compare(f"map: {what}: {query.split('(')[1]}", answer, expected)
    compare("a map's state for ribbon_build", outcomes([map_state(pairs)]), ["22P03"])


def test_mutated_maps():
    rng = random.Random(SEED + 1)
    states = []
    for _ in range(6000):
        made = bytearray(map_state([(rng.getrandbits(64), rng.randrange(5)) for _ in range(rng.choice((0, 1, 20)))],
                                   flags=rng.choice((2, 3, 7)), seed=rng.choice((0, 1)), greatest=rng.choice((4, 255)))
                         if rng.random() < 0.5 else
                         map_state((), value_class=0, flags=rng.choice((0, 1)), greatest=0, head=NAMES,
                                   texts=[bytes(rng.choices(b"abc", k=rng.randrange(9)))
                                          for _ in range(rng.randrange(20))]))
        for _ in range(rng.choice((0, 1, 1, 2, 5))):
            at = rng.randrange(len(made))
            what = rng.randrange(3)
            if what == 0:
                made[at] ^= 1 << rng.randrange(8)
            elif what == 1:
                made[rng.randrange(min(120, len(made)))] = rng.randrange(256)
            else:
                made[at - at % 4:at - at % 4 + 4] = struct.pack("=I", rng.choice((0, 1, 255, 1 << 31, (1 << 32) - 1)))
        states.append(bytes(made))
    other = map_state([(5, 5)], seed=0).hex()
    for query in ("SELECT ribbon_cardinality(combine_map_states($1)) >= 0", "SELECT ribbon_fpr(states_read_map($1)) <= 1",
                  "SELECT ribbon_cardinality(combine_map_states(s)) >= 0 FROM unnest(ARRAY['\\x" + other + "', $1]) AS s"):
        got = outcomes(states, query, "map")
        counts = {answer: got.count(answer) for answer in set(got)}
        check(f"{len(states)} states of maps: {sorted(counts.items())}",
              set(got) <= {"true", "22P03", "08P01", "0A000", "42804", "22023", "22003", "21000"} and counts["22P03"] > 1000
              and counts.get("true", 0) > 200, counts)


def mutated(rng):
    """Genuine or large ones with some of their numbers changed."""
    if rng.random() < 0.5:
        numbers = [rng.getrandbits(64) >> rng.choice((0, 0, 0, 32, 60)) for _ in range(rng.choice((0, 1, 3, 20, 300)))]
        made = state(numbers, key_class=rng.choice((1, 1, 2, 3)), kind=rng.choice((0, 0, 1, 2)),
                     width=rng.choice((32, 64, 64, 128)), fpr=rng.choice((0.01, 0.01, 2.0 ** -rng.randint(1, 32))))
    else:
        lists = [(rng.randrange(2), rng.randrange(4), rng.randint(1, 4096)) for _ in range(rng.randrange(4))]
        made = large(nfiles=rng.choice((1, 2, 4)), nlists=rng.choice((1, 256)), lists=lists,
                     name=(rng.choice((1, os.getpid())), rng.randrange(3)))
    made = bytearray(made)
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2, 5))):
        what = rng.randrange(5)
        at = rng.randrange(len(made)) if made else 0
        if not made:
            break
        if what == 0:
            made[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            made[rng.randrange(min(HEAD.size, len(made)))] = rng.randrange(256)
        elif what == 2:
            del made[at:]
        elif what == 3:
            made[at:at] = rng.randbytes(rng.choice((1, 4, 8, 12, 60)))
        else:
            at -= at % 4
            made[at:at + 4] = struct.pack("=I", rng.choice((0, 1, 2, 255, 4096, 1 << 31, (1 << 32) - 1)))
    return bytes(made)


def test_mutated():
    rng = random.Random(SEED)
    print(f"# seed {SEED}")
    states = [mutated(rng) for _ in range(12000)]
    other = state(range(5), key_class=1, kind=0, width=64, fpr=0.01).hex()
    for query in ("SELECT ribbon_cardinality(combine_states($1)) >= 0", "SELECT ribbon_fpr(states_read($1)) < 0.51",
                  "SELECT ribbon_cardinality(combine_states(s)) >= 0 FROM unnest(ARRAY['\\x" + other + "', $1]) AS s"):
        got = outcomes(states, query)
        counts = {answer: got.count(answer) for answer in set(got)}
        check(f"{len(states)} states: {sorted(counts.items())}",
              set(got) <= {"true", "22P03", "08P01", "0A000", "42804", "22023"} and counts["22P03"] > 1000
              and counts["0A000"] > 1000 and counts.get("true", 0) > 20, counts)
    compare("no file is left", psql(LEFT), ["0"])


def test_forged_in_a_plan():
    """States on the way from a worker to its leader, which is the only place where files are named."""
    script = PARALLEL + "SET parallel_leader_participation = off;"
    forgeries = {"nothing": "true", "creator": "58P01", "number": "58P01", "tablespace": "58P01", "lists": "22P03",
                 "no such file": "22P03", "words": "22P03", "blocks": "08P01", "beyond the end": "58030",
                 "far beyond the end": "58030", "block twice": "false", "file twice": "true"}
    for what in forgeries:
        script += (f"SET states.forge = '{what}';\nSELECT outcome('SELECT forged(k) = (SELECT ribbon_build(k) FROM keys) FROM keys');\n"
                   + LEFT)
    got = psql(script)
    for i, (what, expected) in enumerate(forgeries.items()):
        compare(f"a worker's state forged: {what}", got[2 * i:2 * i + 2], [expected, "0"])


psql_script.psql(f"DROP DATABASE IF EXISTS {DATABASE}", "postgres")
psql_script.psql(f"CREATE DATABASE {DATABASE}", "postgres")
with compiled("states") as directory:
    psql(f"\\set module '\\'{directory}/states\\''\n{SCRIPT}")
    test_genuine()
    test_genuine_exact()
    test_genuine_maps()
    test_used_again()
    test_made_up()
    test_made_up_exact()
    test_made_up_maps()
    test_mutated()
    test_mutated_maps()
    test_forged_in_a_plan()
    psql_script.psql(f"DROP DATABASE {DATABASE}", "postgres")
finish()
