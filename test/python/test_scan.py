#!/usr/bin/python3
"""test_scan.py - rows that are probed by the page are those that are probed one by one

* Random tables, with random holes and versions of rows, filters, conditions and
  plans, while other sessions update, delete, insert and vacuum: a transaction
  asks each query twice under one snapshot, with ribbon.batch on and off.  The
  rows are the same, of a scan in the same order, and no member is missing.
* Rows that change under a cursor, in the middle of a page.
* Rows that are tried again, because another transaction has changed them.
* A function that is altered when a parallel query has begun.
* Rows of a snapshot that is not of MVCC, which an extension's function may use:
  one by one, since no page is looked at as a whole.
* What parallel workers are sent of a large literal, also if there is no shared memory for it.
* What serializable transactions have read; PREPARE TRANSACTION; cancel.

usage: [SEED=n] test/run.sh python/test_scan

The server is found through PGHOST and its kin; PG_CONFIG names its pg_config.
The seed is printed.
"""

import os
import random
import re
import threading
import time

import psql_script
from reports import check, compare, finish
from server_modules import compiled

DATABASE = "ribbon_scan"
TABLES = 10
QUERIES = 16


class Session(psql_script.Session):
    def __init__(self, setup=""):
        super().__init__(DATABASE, "SET max_parallel_workers_per_gather = 0; SET client_min_messages = warning; " + setup)


def psql(script, database=DATABASE):
    return psql_script.psql(script, database)


# --- random tables and queries, while others change them ---

KEYS = {
    "bigint": "{}::bigint",
    "int": "{}::int",
    "text": "'key ' || {}",
    "uuid": "md5(({})::text)::uuid",
    "numeric": "({}) / 10.0",
    "timestamptz": "timestamptz '2020-01-01 00:00+00' + ({}) * interval '1 minute'",
    "inet": "inet '10.0.0.0' + ({})",
}

# Conditions besides the probe: some cannot fail, some may, some are NULL.
CONDITIONS = [
    "r.id > {}", "r.id <> {}", "kind = 2", "kind IN (1, 3, 5)", "kind IS NOT NULL", "filler > 'x'", "n IS NULL",
    "n < {}", "r.id % 3 < 2", "1000 / (r.id + 1) >= 0", "length(filler) < 40", "(kind > 3 OR r.id < {})",
    "r.id < (SELECT max(i) * 500 FROM few)", "r.id NOT IN (SELECT i FROM few)", "r.ctid > '(1,1)'",
    "EXISTS (SELECT FROM few WHERE i > few_or_id(r.id))",
]

SHAPES = [
    "SELECT * FROM {table} r WHERE (SELECT f FROM filters WHERE id = {filter}) @> k{conditions}",
    "SELECT * FROM {table} r WHERE k <@ (SELECT f FROM filters WHERE id = {filter}){conditions}",
    "SELECT r.* FROM filters, {table} r WHERE filters.id = {filter} AND f @> k{conditions}",
    "SELECT filters.id AS filter, r.* FROM filters LEFT JOIN {table} r ON f @> k{conditions}"
    " WHERE filters.id IN ({filter}, {filter} + 1000)",
    "SELECT filters.id AS filter, s.* FROM filters,"
    " LATERAL (SELECT * FROM {table} r WHERE f @> k{conditions} OFFSET 0) s WHERE filters.id = {filter}",
    "SELECT * FROM {table} r WHERE (SELECT f FROM filters WHERE id = {filter}) @> k{conditions} LIMIT {limit}",
    "SELECT a.id AS a, r.* FROM few a JOIN"
    " (SELECT * FROM {table} r WHERE (SELECT f FROM filters WHERE id = {filter}) @> k{conditions}) r ON a.i = r.kind",
    "SELECT * FROM {table} r WHERE (SELECT m FROM filters WHERE id = {filter}) @> k{conditions}",
    "SELECT r.* FROM filters, {table} r WHERE filters.id = {filter} AND k <@ m{conditions}",
    "SELECT * FROM {table} r WHERE (SELECT m FROM filters WHERE id = {filter}) -> k < 5{conditions}",
    "SELECT r.* FROM filters, {table} r WHERE filters.id = {filter} AND m ->> k = '4'{conditions}",
    "SELECT * FROM {table} r WHERE ribbon_get((SELECT m FROM filters WHERE id = {filter}), k, NULL::int) = 2{conditions}",
    "SELECT sum(r.id) AS id, r.kind FROM {table} r WHERE named_filter({filter}) @> k{conditions} GROUP BY r.kind",
]

SETTINGS = ["jit_above_cost = 0", "enable_material = off", "enable_hashjoin = off", "enable_bitmapscan = off",
            "work_mem = '64kB'", "enable_indexscan = off", "enable_nestloop = on"]


def make_table(number, rng):
    """A table with holes; of its keys, which are numbers k, every third is in the filter."""
    kind = rng.choice(list(KEYS))
    rows = rng.choice([2500, 4000, 8000])
    width = rng.choice([1, 20, 60, 300])
    key = KEYS[kind].format("j")
    nulls = rng.choice([0, 0, 5])
    filled, fpr, build = rng.choice([50, 90, 100]), rng.choice([0.5, 0.1, 0.001]), rng.choice(["burr", "homogeneous"])
    psql(f"""
        CREATE TABLE t{number} (id int, kind int, n int, filler text, j int, k {kind})
               WITH (fillfactor = {filled});
        INSERT INTO t{number} SELECT i, i % 7, NULLIF(i % 4, 0), repeat('x', i % {width}), j,
               CASE WHEN {nulls} = 0 OR i % {max(nulls, 1)} > 0 THEN {key} END
          FROM generate_series(1, {rows}) i,
               LATERAL (SELECT (i * 7919 + {rng.randrange(1000)}) % 20000 AS j OFFSET 0) s;
        DELETE FROM t{number} WHERE id % {rng.choice([2, 3, 11, 10000])} = 0;
        UPDATE t{number} SET filler = filler || 'y' WHERE id % {rng.choice([3, 5, 10000])} = 1;
        INSERT INTO filters SELECT {number}, ribbon_build({key}, {fpr}, 'kind={build}'),
               ribbon_map({key}, j % 9, {fpr}, 'seed={rng.choice([0, 0, 3])}')
          FROM generate_series(0, {rng.choice([100, 20000])}, 3) j;
        INSERT INTO filters SELECT {number + 1000}, ribbon_build({key}) FROM generate_series(0, 20000, 5) j;
        ANALYZE t{number};""" + ("CREATE INDEX ON t%d (id);" % number if rng.random() < 0.3 else "")
         + (f"VACUUM t{number};" if rng.random() < 0.5 else ""))


class Changes(threading.Thread):
    """A session that changes a table, again and again."""

    def __init__(self, number, seed):
        super().__init__()
        self.number, self.rng, self.stop, self.done = number, random.Random(seed), False, 0
        self.start()

    def run(self):
        session = Session("SET lock_timeout = '5s'; ")
        table = f"t{self.number}"
        while not self.stop:
            part = f"id % 50 = {self.rng.randrange(50)}"
            answer = session.ask(self.rng.choice([
                f"UPDATE {table} SET kind = kind + 1 WHERE {part}",
                f"UPDATE {table} SET k = NULL WHERE {part}",
                f"DELETE FROM {table} WHERE {part}",
                f"INSERT INTO {table} SELECT * FROM {table} WHERE {part} AND (SELECT count(*) FROM {table}) < 10000",
                f"BEGIN; UPDATE {table} SET filler = filler || 'z' WHERE {part}; ROLLBACK",
                f"VACUUM (TRUNCATE off) {table}",
                f"VACUUM (FREEZE, TRUNCATE off) {table}",   # waits for pages that a scan looks at
            ]))
            if answer:
                print("# meanwhile:", answer)
            self.done += 1
            time.sleep(0.005)
        session.close()


def make_query(number, rng):
    conditions = "".join(" AND " + rng.choice(CONDITIONS).format(rng.randrange(12000))
                         for _ in range(rng.choice([0, 1, 1, 2, 3])))
    return rng.choice(SHAPES).format(table=f"t{number}", filter=number, limit=rng.choice([1, 2, 7, 50, 700]),
                                     conditions=conditions)


def ask_both_ways(session, query, rng):
    """
    The rows by the page and one by one, under one snapshot; and whether the plan
    was for that.  Joins, which may be made another way, give them in any order.
    """
    is_scan = query.startswith("SELECT * FROM t")
    settings = "".join(f"SET LOCAL {setting}; " for setting in rng.sample(SETTINGS, rng.randrange(3)))
    if is_scan:
        rows = f"SELECT count(*), md5(string_agg(s::text, ';')) FROM ({query}) s"
        settings += "SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off; "
    else:
        rows = f"SELECT count(*), md5(string_agg(s::text, ';' ORDER BY s::text)) FROM ({query}) s"
    session.ask("BEGIN ISOLATION LEVEL REPEATABLE READ; " + settings)
    plan = session.ask(f"EXPLAIN (COSTS OFF) {rows}")
    by_page = session.ask(rows)
    session.ask("SET LOCAL ribbon.batch = off")
    by_row = session.ask(rows)
    session.ask("COMMIT; SET ribbon.batch = on")
    return by_page, by_row, "RibbonScan" in plan


def random_tables(seed):
    rng = random.Random(seed)
    asked = by_pages = changes = 0
    faults, lost = [], []
    for number in range(1, TABLES + 1):
        make_table(number, rng)
        session, other = Session(), Changes(number, rng.random())
        for _ in range(QUERIES):
            query = make_query(number, rng)
            by_page, by_row, is_by_page = ask_both_ways(session, query, rng)
            asked += 1
            by_pages += is_by_page
            if by_page != by_row or "ERROR" in by_page:
                faults.append(f"{query}: {by_page} by the page, {by_row} by the row")
        missing = session.ask(f"SELECT count(*) - count(*) FILTER (WHERE found) FROM"
                              f" (SELECT id, EXISTS (SELECT FROM (SELECT ctid AS c FROM t{number} WHERE"
                              f" (SELECT f FROM filters WHERE id = {number}) @> k OFFSET 0) s"
                              f" WHERE c = r.ctid) AS found FROM t{number} r"
                              " WHERE k IS NOT NULL AND j % 3 = 0 AND j <= 100) s")
        if missing != "0":
            lost.append(f"t{number}: {missing}")
        other.stop = True
        other.join()
        changes += other.done
        session.close()
    print(f"# {by_pages} of {asked} queries by the page, {changes} statements beside them")
    check("the same rows by the page and by the row, while others change them", not faults, " | ".join(faults))
    check("no member is missing", not lost, " ".join(lost))
    check("many queries had a scan by the page, and were not alone", by_pages > asked / 3 and changes > TABLES,
          f"{by_pages} of {asked}, {changes} statements")


# --- chosen moments ---

EVENTS = """
DROP TABLE IF EXISTS events;
CREATE TABLE events AS SELECT i AS id, i % 100 AS user_id, repeat('x', 30) AS filler FROM generate_series(1, 5000) i;
ANALYZE events;
"""
PROBE = "(SELECT f FROM filters WHERE id = 0) @> user_id"


def cursor_in_a_page():
    """Rows that a cursor has looked at but not returned are updated, deleted and vacuumed."""
    reader, writer = Session(), Session()
    plan = reader.ask(f"EXPLAIN SELECT id FROM events WHERE {PROBE}")
    reader.ask(f"BEGIN; DECLARE c CURSOR FOR SELECT id, user_id FROM events WHERE {PROBE}")
    got = reader.ask("FETCH 45 FROM c").split("\n")
    writer.ask("UPDATE events SET user_id = 99, filler = '' WHERE id <= 200; DELETE FROM events WHERE id > 4000")
    writer.ask("VACUUM events")     # (which leaves pages that a scan looks at)
    got += reader.ask("FETCH ALL FROM c").split("\n")
    got += reader.ask("FETCH BACKWARD ALL FROM c").split("\n")
    reader.ask("COMMIT")
    there = [f"{i}|{i % 100}" for i in range(1, 5001) if i % 100 < 10]
    check("the cursor's plan is by the page", "RibbonScan" in plan, plan)
    compare("a cursor in a page sees the rows that its snapshot does", got, there + there[::-1])
    count = reader.ask(f"SELECT count(*) FROM events WHERE {PROBE}")
    compare("the next statement sees what has become of them", count, str(sum(i % 100 < 10 for i in range(201, 4001))))
    reader.close()
    writer.close()


def tried_again():
    """
    An update waits for another transaction's of the same row, and then tries its
    conditions again, which have scans by the page in them.
    """
    conditions = {
        "in a subquery": f"(SELECT count(*) FROM events WHERE {PROBE} AND id > place.low) > 300",
        "in a correlated filter": "(SELECT count(*) FROM events WHERE place.f @> user_id) > 400",
        "in an EXISTS": f"EXISTS (SELECT FROM events WHERE {PROBE} AND id > place.low + 4000 OFFSET 0)",
    }
    updates = {name: f"UPDATE place SET hits = hits + 1 WHERE {condition}" for name, condition in conditions.items()}
    updates["in a joined subquery"] = ("UPDATE place SET hits = hits + s.n FROM (SELECT count(*) AS n FROM events"
                                       f" WHERE {PROBE} OFFSET 0) s WHERE s.n > place.low")
    updates["in a joined list"] = ("UPDATE place SET hits = hits + s.id FROM (SELECT id FROM events"
                                   f" WHERE {PROBE} OFFSET 0) s WHERE s.id = place.low + 1")
    updates["in what is inserted"] = (f"WITH s AS MATERIALIZED (SELECT id FROM events WHERE {PROBE})"
                                      " UPDATE place SET hits = hits + (SELECT min(id) FROM s WHERE id > place.low)")
    for name, update in updates.items():
        results = {}
        for batch in ("on", "off"):
            for low in (0, 300, 3300):
                psql("DROP TABLE IF EXISTS place; CREATE TABLE place AS SELECT 1 AS id, 0 AS low, 0 AS hits, f"
                     " FROM filters WHERE id = 0;")
                first, second = Session(), Session(f"SET ribbon.batch = {batch}; ")
                first.ask(f"BEGIN; UPDATE place SET low = {low}"
                          + (", f = (SELECT ribbon_build(-1))" if low == 300 else ""))
                plan = second.ask("EXPLAIN " + update)
                if ("RibbonScan" in plan) != (batch == "on"):
                    results["plan"] = plan
                second.say(update)
                wait_for_lock()
                first.ask("COMMIT")
                answer = second.hear()
                results.setdefault(batch, []).append(answer + first.ask("SELECT low, hits FROM place"))
                first.close()
                second.close()
        check(f"a row that is tried again, {name}: as by the row",
              "plan" not in results and results["on"] == results["off"] and "ERROR" not in str(results), str(results))


def wait_for_lock():
    psql_script.wait_until("a session that waits for a lock", lambda: psql("SELECT count(*) FROM pg_locks WHERE NOT granted") != "0")


def altered_before_workers():
    """A function of ours is altered when the leader of a parallel query has begun, and its workers have not."""
    alter = "ALTER FUNCTION ribbon_contains(ribbonfilter, anycompatible)"
    query = (f"SELECT length(pg_advisory_lock(1)::text) UNION ALL SELECT count(*) FROM events"
             f" WHERE '{psql('SELECT f FROM filters WHERE id = 0').strip()}'::ribbonfilter @> user_id")
    first, second = Session(), Session("SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0;"
                                       " SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;"
                                       " SET parallel_leader_participation = off; ")
    plan = second.ask("EXPLAIN " + query)
    first.ask("SELECT pg_advisory_lock(1)")
    second.say(query)
    wait_for_lock()
    first.ask(f"{alter} SET work_mem = '4MB'; SELECT pg_advisory_unlock(1)")
    answer = second.hear()
    first.ask(f"{alter} RESET ALL; SELECT pg_advisory_unlock_all()")
    second.ask("SELECT pg_advisory_unlock_all()")
    again = second.ask(query).split()
    right = ["0", str(sum(i % 100 < 10 for i in range(1, 5001)))]
    check("a function that is altered between a leader and its workers: they do what was planned",
          "Gather" in plan and "RibbonScan" in plan and answer.split() == right, f"{answer}: {plan}")
    compare("and the same the next time", again, right)
    first.close()
    second.close()


def literal_for_workers():
    """The text of a plan has none of a large literal's bytes, but workers can read it."""
    session = Session()
    session.ask("CREATE TABLE literals AS SELECT i FROM generate_series(1, 20000) AS i; ANALYZE literals;"
                " SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;"
                " SET max_parallel_workers_per_gather = 2;"
                " SELECT ribbon_build(k, 1e-9) AS f FROM generate_series(1, 10000) AS k \\gset\n RESET ROLE")
    size = int(session.ask("SELECT length(:'f'::ribbonfilter::bytea)"))
    query = "SELECT count(*) FROM literals WHERE :'f'::ribbonfilter @> i"
    plan = session.ask(f"SET client_min_messages = log; SET debug_print_plan = on; EXPLAIN {query}; RESET debug_print_plan;"
                       " SET client_min_messages = warning")
    check("the text of a plan is shorter than its literal", "RibbonSharedConst" in plan and len(plan) < size,
          f"{len(plan)} characters for {size} bytes")
    session.ask("SELECT ribbon_build(k, 1e-9) AS g FROM generate_series(1, 9000) AS k \\gset\n")
    other = query.replace("'f'", "'g'")
    plan = session.ask(f"SET client_min_messages = log; SET debug_print_plan = on; SET debug_pretty_print = off; {query} UNION ALL {other} UNION ALL {query};"
                       " RESET debug_print_plan; RESET debug_pretty_print; SET client_min_messages = warning")
    handles = re.findall(r"RibbonSharedConst \d+:(\d+)", plan)
    check("one place for a literal that comes twice, also around another",
          len(handles) == 3 and len(set(handles)) == 2 and "0" not in handles, handles)
    compare("workers have the literal, and end without a warning", [session.ask(query) for _ in range(3)], ["10000"] * 3)
    with compiled("segments") as directory:
        session.ask(f"CREATE FUNCTION hold_segments() RETURNS void LANGUAGE c AS '{directory}/segments';"
                    f" CREATE FUNCTION plan_text(text, int) RETURNS text LANGUAGE c AS '{directory}/segments'; SELECT hold_segments()")
        compare("where there is no shared memory to spare, too", session.ask(query), "10000")
        with_literal = query.replace(":'f'", "%L")
        text = f"plan_text(format('{with_literal}', :'f'), times)"
        same = session.ask(f"SELECT count(DISTINCT regexp_replace({text}, ' :\\w*(location|len) -?\\d+', '', 'g'))"
                           " FROM generate_series(0, 2) AS times")
        compare("and then the literal can be read in the text", same, "1")
        session.close()


def any_snapshot():
    """Under a snapshot that sees all that is there, dead rows too; by a module, for no statement has one."""
    with compiled("any_snapshot") as directory:
        session = Session()
        answers = session.ask(f"""CREATE FUNCTION query_under_any(text) RETURNS text LANGUAGE c AS '{directory}/any_snapshot';
            BEGIN; UPDATE events SET filler = '' WHERE id % 10 = 3; DELETE FROM events WHERE id % 10 = 4""")
        for condition in (PROBE, f"{PROBE} AND id > 50 AND length(filler) >= 0"):
            answers += session.ask(f"""EXPLAIN (COSTS OFF) SELECT id FROM events WHERE {condition};
                SELECT count(*) FROM events WHERE {condition}""")
            rows = f"$$SELECT count(*) || ' ' || md5(string_agg(ctid || ' ' || id, ' ')) FROM events WHERE {condition}$$"
            by_page, by_row = session.ask(f"SELECT query_under_any({rows}); SET ribbon.batch = off;"
                                          f" SELECT query_under_any({rows}); SET ribbon.batch = on").split("\n")
            visible = int(answers.split("\n")[-1])
            check(f"under a snapshot that sees every row, {condition}: as by the row",
                  by_page == by_row and int(by_page.split()[0]) == visible * 11 // 9 and "RibbonScan" in answers,
                  f"{by_page}, {by_row}, visible {visible}: {answers}")
            answers = ""
        session.ask("ROLLBACK")
        session.close()


def serializable():
    """Two that each read what the other writes: one of them must fail."""
    sessions = [Session(), Session()]
    for session in sessions:
        session.ask("BEGIN ISOLATION LEVEL SERIALIZABLE")
        session.ask(f"SELECT count(*) FROM events WHERE {PROBE}")
    answers = []
    for i, session in enumerate(sessions):
        answers.append(session.ask(f"INSERT INTO events VALUES ({i + 90000}, {i})"))
    for session in sessions:
        answers.append(session.ask("COMMIT"))
        session.close()
    compare("of two serializable transactions that read each other's writes, one fails",
            sum("could not serialize" in answer for answer in answers), 1)


def prepared_transaction():
    if psql("SHOW max_prepared_transactions") == "0":
        print("ok - no prepared transactions on this server # SKIP")
        return
    session = Session()
    answers = [session.ask(f"BEGIN; SELECT count(*) FROM events WHERE {PROBE}; INSERT INTO events VALUES (0, 0);"
                           " PREPARE TRANSACTION 'scan'"),
               session.ask(f"SELECT count(*) FROM events WHERE {PROBE}"),
               session.ask("COMMIT PREPARED 'scan'"),
               session.ask(f"SELECT count(*) FROM events WHERE {PROBE}")]
    compare("a transaction with a scan can be prepared", answers[2:], ["", str(int(answers[1]) + 1)])
    session.close()


def cancelled():
    psql("CREATE TABLE many AS SELECT i AS id, i AS user_id FROM generate_series(1, 1000000) i; ANALYZE many;")
    session = Session("SET statement_timeout = '100ms'; ")
    none = "(SELECT ribbon_build(-1, 1e-9))"
    for name, query in (
            ("a scan that passes no row", "SELECT sum(n) FROM generate_series(1, 1000) i,"
             f" LATERAL (SELECT count(*) AS n FROM many WHERE {none} @> user_id AND id > i OFFSET 0) s"),
            ("a scan that starts anew", "SELECT count(*) FROM generate_series(1, 1000000) i,"
             " LATERAL (SELECT id FROM many WHERE (SELECT f FROM filters WHERE id = 0) @> user_id AND id > i"
             " LIMIT 1) s")):
        begun = time.monotonic()
        answer = session.ask(query)
        took = time.monotonic() - begun
        check(f"{name} can be cancelled", "statement timeout" in answer and took < 2, f"{answer} after {took} s")
    session.close()


def cancelled_in_a_page():
    """A page of keys of 32 MB, which take long to be had and hashed, behind full pages: one batch."""
    psql("""CREATE TABLE wide (filler text, k text);
        ALTER TABLE wide ALTER filler SET STORAGE plain;
        INSERT INTO wide SELECT NULL, i FROM generate_series(1, 2034) i;
        ANALYZE wide;
        INSERT INTO wide SELECT repeat('x', 8000);
        INSERT INTO wide SELECT NULL, repeat('0123456789abcdef', 2000000);
        INSERT INTO wide SELECT NULL, k FROM wide, generate_series(1, 120) WHERE length(k) > 10;""")
    session = Session()
    query = "SELECT count(*) FROM wide WHERE (SELECT ribbon_build(i::text) FROM generate_series(1, 1000) i) @> k"
    plan = session.ask("EXPLAIN " + query)
    begun = time.monotonic()
    session.ask(query)
    whole = time.monotonic() - begun
    session.ask("SET statement_timeout = '50ms'")
    begun = time.monotonic()
    answer = session.ask(query)
    took = time.monotonic() - begun
    check("a scan can be cancelled within a page",
          "RibbonScan" in plan and "statement timeout" in answer and took < whole / 2,
          f"{answer} after {took} s of {whole} s: {plan}")
    session.close()
    psql("DROP TABLE wide")


if __name__ == "__main__":
    seed = int(os.environ.get("SEED", random.randrange(10**6)))
    print(f"# seed {seed}")
    psql(f"DROP DATABASE IF EXISTS {DATABASE}", "postgres")
    psql(f"CREATE DATABASE {DATABASE}", "postgres")
    psql("""CREATE EXTENSION ribbon;
        CREATE TABLE filters (id int, f ribbonfilter, m ribbonmap);
        INSERT INTO filters SELECT 0, ribbon_build(i, 1e-9) FROM generate_series(0, 9) i;
        CREATE TABLE few AS SELECT i AS id, i FROM generate_series(1, 20) i;
        CREATE FUNCTION few_or_id(i int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT least(i, 10)';
        CREATE FUNCTION named_filter(i int) RETURNS ribbonfilter STABLE LANGUAGE plpgsql AS
        $$BEGIN RETURN (SELECT f FROM filters WHERE id = i); END$$;
        ANALYZE;""")
    random_tables(seed)
    psql(EVENTS)
    cursor_in_a_page()
    psql(EVENTS)
    tried_again()
    altered_before_workers()
    literal_for_workers()
    psql(EVENTS)
    any_snapshot()
    psql(EVENTS)
    serializable()
    prepared_transaction()
    cancelled()
    cancelled_in_a_page()
    psql(f"DROP DATABASE {DATABASE}", "postgres")
    finish()
