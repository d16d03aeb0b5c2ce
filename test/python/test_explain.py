#!/usr/bin/python3
"""test_explain.py - what EXPLAIN (ANALYZE, RIBBON) tells of probes, one by one

From PostgreSQL 18 on: the counts of every way in which a value may be probed,
wherever in a plan the call is, and nothing where nobody asked, or for an EXPLAIN
that runs within another.  Before, the option is not known.

usage: test/run.sh python/test_explain
"""

import json
import re
import sys

sys.dont_write_bytecode = True
import psql_script
from reports import check, compare, finish

DATABASE = "ribbon_explain"

SETUP = """
CREATE EXTENSION ribbon;
CREATE TABLE keys AS SELECT i FROM generate_series(1, 1000) AS i;
CREATE TABLE stored AS SELECT ribbon_build(i, 0.000001) AS f, ribbon_map(i, i % 16, 0.000001) AS m FROM generate_series(1, 100000) AS i;
CREATE TABLE small AS SELECT n, ribbon_build(i, 0.000001) AS f FROM generate_series(1, 10) AS n, generate_series(1, 10) AS i GROUP BY n;
CREATE TABLE many AS SELECT n, ribbon_build(i, 0.000001) AS f FROM generate_series(1, 10) AS n, generate_series(1, 50000) AS i GROUP BY n;
CREATE FUNCTION probe(f ribbonfilter, k int) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN f @> k; END';
CREATE FUNCTION explained(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN (ANALYZE, RIBBON, COSTS off, TIMING off, SUMMARY off) ' || query;
END $$;
CREATE FUNCTION left_open(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	lines refcursor;
	line text;
BEGIN
	OPEN lines FOR EXECUTE 'EXPLAIN (ANALYZE, RIBBON) ' || query;
	FETCH lines INTO line;
	RETURN line;
END $$;
CREATE TABLE keys2 AS SELECT i, false AS found FROM generate_series(1, 20) AS i;
ALTER TABLE keys2 ADD PRIMARY KEY (i);
CREATE VIEW checked AS SELECT * FROM keys2 WHERE (SELECT f FROM small WHERE n = 1) @> i WITH CHECK OPTION;
ANALYZE;
"""
# the first statement loads the library, without which no session knows the option
PLAIN = "SET ribbon.batch = off; SET max_parallel_workers_per_gather = 0; SET enable_memoize = off; SELECT ribbon_hash(1) \\g /dev/null\n"
LINE = re.compile(r"^ *Ribbon( \(leader alone\))?: (.*)  probes=(\d+) passed=(\d+) kept=(\d+) sliced=(\d+) pages=(\d+)$", re.M)


def psql(script):
    return psql_script.psql(script, DATABASE)


def explain(query, options="ANALYZE, RIBBON, COSTS off, TIMING off, SUMMARY off", before=PLAIN):
    return psql(f"{before} EXPLAIN ({options}) {query}")


def counted(query, before=PLAIN):
    """The lines of a plan: the call, and its numbers, without pages."""
    lines = LINE.findall(explain(query, before=before))
    return [(call, *(int(number) for number in numbers[:4])) for _, call, *numbers in lines]


def ways():
    compare("in line: neither kept nor sliced", counted("SELECT FROM keys, small WHERE n = 1 AND f @> i"),
            [("(small.f @> keys.i)", 1000, 10, 0, 0)])
    (_, probes, passed, kept, sliced), = counted("SELECT FROM keys, stored WHERE f @> i")
    check("stored: a few in slices, then it is kept", (probes, passed, kept + sliced) == (1000, 1000, 1000) and 0 < sliced < 200,
          f"{probes} {passed} {kept} {sliced}")
    found = LINE.findall(explain("SELECT FROM many WHERE f @> 7"))
    compare("each of many stored ones in slices", [line[2:6] for line in found], [("10", "10", "0", "10")])
    check("and some pages for each", 10 <= int(found[0][6]) <= 150, found[0][6])
    compare("of a kept one, no pages more", LINE.findall(explain(
        "SELECT FROM generate_series(1, 20000) AS i, stored WHERE f @> i"))[0][6] ==
        LINE.findall(explain("SELECT FROM generate_series(1, 2000) AS i, stored WHERE f @> i"))[0][6], True)


def places():
    compare("a column, and arguments of an aggregate", counted(
        "SELECT sum(x::int), count(*) FILTER (WHERE f @> -i) FROM (SELECT f, i, i <@ f AS x FROM keys, small WHERE n = 1 OFFSET 0) AS s"),
            [("(small.f @> (- keys.i))", 1000, 0, 0, 0), ("(keys.i <@ small.f)", 1000, 10, 0, 0)])
    compare("arrays: keys in all that was looked at", counted("SELECT FROM small WHERE n < 3 AND ribbon_contains_any(f, ARRAY[5, -1, 6])"),
            [("ribbon_contains_any(f, '{5,-1,6}'::integer[])", 6, 4, 0, 0)])
    compare("any of many filters", [line[1:] for line in counted("SELECT FROM keys WHERE i <@ ANY (ARRAY(SELECT f FROM small))")],
            [(10 + 990 * 10, 10, 0, 0)])
    lines = counted("SELECT (m -> i), (m ->> -i), ribbon_get(m, i, 0) FROM keys, (SELECT m FROM stored OFFSET 0) AS s"
                    " WHERE i < 11 AND (i <@ m OR m @> -i)")
    compare("maps, by all of their functions, but for the one that is never called", [line[:3] for line in lines],
            [("(stored.m -> keys.i)", 10, 10), ("(stored.m ->> (- keys.i))", 10, 0), ("ribbon_get(stored.m, keys.i, 0)", 10, 10),
             ("(keys.i <@ stored.m)", 10, 10)])
    check("which are stored", all(kept + sliced == 10 for *_, kept, sliced in lines), lines)
    compare("a join's condition", counted("SELECT FROM keys LEFT JOIN small ON f @> i AND n < 3"),
            [("(small.f @> keys.i)", 2000, 20, 0, 0)])
    compare("a subplan", counted("SELECT (SELECT count(*) FROM small WHERE f @> i) FROM keys"),
            [("(small.f @> keys.i)", 10000, 100, 0, 0)])
    compare("a condition that is tried twice is counted twice", counted("SELECT f @> i FROM keys, small WHERE n = 1 AND f @> i"),
            [("(small.f @> keys.i)", 10, 10, 0, 0), ("(small.f @> keys.i)", 1000, 10, 0, 0)])
    changes()
    compare("what functions do inside is not of the plan", counted("SELECT FROM keys, small WHERE n = 1 AND probe(f, i)"), [])
    compare("a call that is never made has no line", counted("SELECT FROM keys, small WHERE n = 11 AND f @> i"), [])
    compare("each execution by itself", psql(
        PLAIN + "SET plan_cache_mode = force_generic_plan; PREPARE p AS SELECT FROM keys, small WHERE n = $1 AND f @> i;"
        + 2 * "EXPLAIN (ANALYZE, RIBBON) EXECUTE p (1);").count("probes=1000 passed=10 "), 2)


def changes():
    """Of each call, keys and those that passed."""
    one = "(SELECT f FROM small WHERE n = 1)"
    for what, statement, expected in (
            ("what becomes of a row that is there already", "INSERT INTO keys2 SELECT i FROM keys WHERE i < 21 ON CONFLICT (i)"
             f" DO UPDATE SET found = {one} @> keys2.i WHERE keys2.i <@ {one}", [(10, 10), (20, 10)]),
            ("conditions and columns of MERGE", f"MERGE INTO keys2 AS t USING keys AS k ON t.i = k.i WHEN MATCHED AND {one} @> t.i"
             f" THEN UPDATE SET found = {one} @> -k.i WHEN NOT MATCHED THEN DO NOTHING", [(20, 10), (10, 0)]),
            ("what a view checks, behind its own condition", "UPDATE checked SET found = true WHERE i = 3", [(1, 1), (1, 1)])):
        compare(what, [line[1:3] for line in counted(statement)], expected)


def shapes():
    plan = json.loads(explain("SELECT FROM keys, small WHERE n = 1 AND f @> i", "ANALYZE, RIBBON, FORMAT json"))
    compare("JSON, of the node with the call alone", ["Ribbon Probes" in node for node in plan[0]["Plan"]["Plans"]], [False, False])
    compare("JSON", plan[0]["Plan"]["Ribbon Probes"],
            [{"Call": "(small.f @> keys.i)", "Leader Alone": False, "Probes": 1000, "Passed": 10, "Kept": 0, "Sliced": 0, "Pages": 0}])
    for form in "xml", "yaml":
        out = explain("SELECT FROM keys, small WHERE n = 1 AND f @> i", f"ANALYZE, RIBBON, FORMAT {form}")
        check(form, re.search("Probes[>:] ?1000", out) is not None, out)
    for options in "ANALYZE", "RIBBON", "ANALYZE, RIBBON off", "ANALYZE, RIBBON, RIBBON off":
        check(f"EXPLAIN ({options}) says nothing of it", "Ribbon" not in explain("SELECT FROM keys, small WHERE f @> i", options), "")
    refused = psql_script.error_of(PLAIN + "EXPLAIN (RIBBON 7) SELECT 1", DATABASE)
    check("a value that is no boolean is refused", "ribbon requires a Boolean value" in refused, refused)


def nested():
    """Others that run meanwhile."""
    inner = "SELECT FROM keys, small WHERE n = 1 AND f @> i"
    out = explain(f"SELECT (SELECT count(*) FROM explained('{inner}')) FROM small WHERE n < 3 AND f @> 5")
    compare("an EXPLAIN within another does not count for it", LINE.findall(out)[0][1:4], ("(small.f @> 5)", "2", "2"))
    compare("nor one whose cursor stays open", counted(f"SELECT left_open('{inner}') FROM small WHERE f @> 5"),
            [("(f @> 5)", 10, 10, 0, 0)])
    compare("nor the other way", psql(PLAIN + f"EXPLAIN (ANALYZE, RIBBON) SELECT explained('{inner}') FROM small WHERE f @> 5 \\g /dev/null\n"
                                      f"SELECT count(*) FROM explained('{inner}') AS line WHERE line LIKE '%probes=1000 passed=10 %'"), "1")
    compare("one that fails leaves nothing behind", psql(
        PLAIN + "\\set ON_ERROR_STOP off\nEXPLAIN (ANALYZE, RIBBON) SELECT 1 / (i - 500) FROM keys, small WHERE n = 1 AND NOT f @> i;\n"
        "SELECT count(*) FROM keys, small WHERE f @> i;\n" + "EXPLAIN (ANALYZE, RIBBON) SELECT FROM keys, small WHERE n = 1 AND f @> i;")
            .count("probes=1000 passed=10 "), 1)


def parallel():
    out = explain("SELECT FROM keys WHERE (SELECT f FROM small WHERE n = 1) @> i", before=PLAIN +
                  "SET debug_parallel_query = off; SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;"
                  "SET min_parallel_table_scan_size = 0; ALTER TABLE keys SET (parallel_workers = 2);")
    check("in a parallel plan, it is said that the leader alone was asked",
          "Workers Launched: 0" in out or all(line[0] for line in LINE.findall(out)), out)


def test():
    psql(SETUP)
    if int(psql("SHOW server_version_num")) < 180000:
        refused = psql_script.error_of(PLAIN + "EXPLAIN (RIBBON) SELECT 1", DATABASE)
        check("before PostgreSQL 18 there is no such option", 'unrecognized EXPLAIN option "ribbon"' in refused, refused)
        return
    ways()
    places()
    shapes()
    nested()
    parallel()


def main():
    with psql_script.new_database(DATABASE):
        test()


if __name__ == "__main__":
    main()
    finish()
