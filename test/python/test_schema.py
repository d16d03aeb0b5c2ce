#!/usr/bin/python3
"""test_schema.py - any schema, hostile ones included, and another one later

An ordinary user installs the extension, as a trusted one, into a schema that
is full of objects with the names that its script and its functions use.  What
comes of it must be what comes of an installation into an empty schema.  Then it
is used there by another user, is moved, and is dumped and restored, together
with all that can depend on it: stored filters, indexes, generated columns,
materialized views, statistics.

usage: test/run.sh python/test_schema
"""

import subprocess

import catalogue
import psql_script
from reports import compare, finish

PLAIN, CROWDED, RESTORED = "ribbon_plain", "ribbon_crowded", "ribbon_restored"


def psql(script, database=CROWDED):
    return psql_script.psql(script, database)


# Types of built-in names; functions of the names that the script gives to other objects, with their own arguments or
# others; operators that answer wrongly for built-in types.
HOSTILE = """
CREATE SCHEMA crowded AUTHORIZATION ribbon_installer;
CREATE SCHEMA elsewhere AUTHORIZATION ribbon_installer;
SET search_path = crowded;
""" + "".join(f"CREATE DOMAIN crowded.{name} AS pg_catalog.date;\n" for name in
              ("text", "bytea", "float8", "oid", "cstring", "internal", "anyelement", "anycompatible", "anyarray",
               "anycompatiblearray", "bool", "int2", "int4",
               "int8", '"char"')) + """
CREATE FUNCTION crowded.wrong(pg_catalog.int4, pg_catalog.int4) RETURNS pg_catalog.bool LANGUAGE sql AS 'SELECT false';
CREATE FUNCTION crowded.wrong(pg_catalog.int8, pg_catalog.int8) RETURNS pg_catalog.bool LANGUAGE sql AS 'SELECT false';
CREATE FUNCTION crowded.wrong(pg_catalog.text, pg_catalog.text) RETURNS pg_catalog.bool LANGUAGE sql AS 'SELECT false';
""" + "".join(f"CREATE OPERATOR crowded.{operator} (LEFTARG = pg_catalog.{type}, RIGHTARG = pg_catalog.{type}, FUNCTION = crowded.wrong);\n"
              for operator in ("@>", "<@", "=", "<>", "<", "<=", ">", ">=") for type in ("int4", "int8", "text")) + """
CREATE FUNCTION crowded.eqsel(pg_catalog.internal, pg_catalog.oid, pg_catalog.internal, pg_catalog.int4) RETURNS pg_catalog.float8
	LANGUAGE internal AS 'neqsel';
CREATE FUNCTION crowded.eqjoinsel(pg_catalog.internal, pg_catalog.oid, pg_catalog.internal, pg_catalog.int2, pg_catalog.internal)
	RETURNS pg_catalog.float8 LANGUAGE internal AS 'neqjoinsel';
CREATE FUNCTION crowded.scalarltsel(pg_catalog.internal, pg_catalog.oid, pg_catalog.internal, pg_catalog.int4) RETURNS pg_catalog.float8
	LANGUAGE internal AS 'neqsel';
CREATE FUNCTION crowded.btequalimage(pg_catalog.oid) RETURNS pg_catalog.bool LANGUAGE sql AS 'SELECT false';
CREATE FUNCTION crowded.bytea_sortsupport(pg_catalog.internal) RETURNS pg_catalog.void LANGUAGE internal AS 'btint4sortsupport';
CREATE FUNCTION crowded.byteaeq(pg_catalog.bytea, pg_catalog.bytea) RETURNS pg_catalog.bool LANGUAGE sql AS 'SELECT false';
CREATE FUNCTION crowded.ribbon_eq(pg_catalog.bytea, pg_catalog.bytea) RETURNS pg_catalog.bool LANGUAGE sql AS 'SELECT false';
CREATE FUNCTION crowded.ribbon_contains(pg_catalog.bytea, pg_catalog.int4) RETURNS pg_catalog.bool LANGUAGE sql AS 'SELECT false';
CREATE FUNCTION crowded.ribbon_build_transfn(pg_catalog.internal, pg_catalog.int4) RETURNS pg_catalog.internal LANGUAGE internal AS 'array_agg_transfn';
CREATE FUNCTION crowded.ribbon_build_finalfn(pg_catalog.internal, pg_catalog.int4) RETURNS pg_catalog.bytea LANGUAGE internal AS 'array_agg_finalfn';
CREATE FUNCTION crowded.ribbon_filter_hash(pg_catalog.bytea) RETURNS pg_catalog.int4 LANGUAGE sql AS 'SELECT 1';
CREATE OPERATOR CLASS crowded.ribbon_hash_ops FOR TYPE pg_catalog.int4 USING btree AS OPERATOR 1 <, FUNCTION 1 btint4cmp(pg_catalog.int4, pg_catalog.int4);
CREATE OPERATOR CLASS crowded.ribbon_btree_ops FOR TYPE pg_catalog.int4 USING hash AS OPERATOR 1 =, FUNCTION 1 hashint4(pg_catalog.int4);
GRANT USAGE ON SCHEMA crowded, elsewhere TO PUBLIC;
"""
# for every session, the crowded schema shadows the server's own
PATH = f"ALTER DATABASE {CROWDED} SET search_path = crowded, pg_catalog;"

# What depends on the extension, in the user's own schema.
DEPENDENTS = """
CREATE TABLE theirs.filters (id pg_catalog.int4 PRIMARY KEY, f crowded.ribbonfilter CHECK (crowded.ribbon_fpr(f) OPERATOR(pg_catalog.<) 0.6),
	keys pg_catalog.int8 GENERATED ALWAYS AS (crowded.ribbon_cardinality(f)) STORED,
	small crowded.ribbonfilter GENERATED ALWAYS AS (crowded.ribbon_shrink(f, 0.4)) STORED,
	bytes pg_catalog.bytea DEFAULT crowded.ribbon_send('\\x1101000000'));
INSERT INTO theirs.filters (id, f) SELECT g, ribbon_build(i, 0.01, CASE g % 2 WHEN 0 THEN 'kind=burr' ELSE 'kind=homogeneous' END)
  FROM generate_series(1, 20) AS g, generate_series(1, g * 1000) AS i GROUP BY g;
CREATE TABLE theirs.events AS SELECT i AS id, md5(i::pg_catalog.text) AS name FROM generate_series(1, 20000) AS i;
SELECT f AS known FROM theirs.filters ORDER BY id LIMIT 1 \\gset
CREATE INDEX known ON theirs.events (id) WHERE :'known'::crowded.ribbonfilter @> id;
CREATE INDEX shard ON theirs.events (ribbon_shard(name, 8));
CREATE INDEX hash ON theirs.filters USING hash (f);
CREATE MATERIALIZED VIEW theirs.hits AS SELECT f.id, count(*) AS n FROM theirs.filters AS f, theirs.events AS e
 WHERE f.f @> e.id GROUP BY f.id;
CREATE VIEW theirs.members AS SELECT f.id AS filter, e.id FROM theirs.filters AS f JOIN theirs.events AS e ON e.id <@ f.f;
CREATE FUNCTION theirs.count_of(crowded.ribbonfilter) RETURNS pg_catalog.int8 LANGUAGE sql
	BEGIN ATOMIC SELECT count(*) FROM theirs.events WHERE $1 OPERATOR(crowded.@>) id; END;
ANALYZE theirs.filters, theirs.events;
"""

# All of it at work, without a name of the extension's schema; a line each.
AT_WORK = """
SELECT 'filters', count(*), sum(keys), count(small) FROM theirs.filters;
SELECT 'view', count(*) FROM theirs.members WHERE filter OPERATOR(pg_catalog.=) 20;
SELECT 'function', theirs.count_of(f) OPERATOR(pg_catalog.>=) 1000 FROM theirs.filters WHERE id OPERATOR(pg_catalog.=) 1;
SELECT 'materialized view', count(*), bool_and(n OPERATOR(pg_catalog.>=) id::pg_catalog.int8 * 1000) FROM theirs.hits;
SELECT 'equality', count(*) FROM (SELECT DISTINCT f FROM theirs.filters) AS s;
"""
GOOD = ["filters|20|210000|20", "view|20000", "function|t", "materialized view|20|t", "equality|20"]


def plan(query):
    return psql(f"SET enable_seqscan = off; SET enable_bitmapscan = off; EXPLAIN (COSTS OFF) {query}")


def rows_expected(database, schema):
    """Of 20,000 events in a filter that is stored; 10,500 keys on average."""
    path = f"SET search_path = {schema}, pg_catalog;"
    line = psql(f"{path} EXPLAIN SELECT FROM theirs.events WHERE id <@ (SELECT f FROM theirs.filters LIMIT 1);", database)
    return 9000 < int(line.split("rows=")[1].split()[0]) < 12000


def indexes_work(schema):
    known = psql("SELECT f FROM theirs.filters ORDER BY id LIMIT 1")
    partial = plan(f"SELECT id FROM theirs.events WHERE '{known}'::{schema}.ribbonfilter OPERATOR({schema}.@>) id")
    shard = plan(f"SELECT id FROM theirs.events WHERE {schema}.ribbon_shard(name, 8) OPERATOR(pg_catalog.=) 3")
    hashed = plan(f"SELECT id FROM theirs.filters WHERE f OPERATOR({schema}.=) '{known}'")
    return ["known" in partial, "shard" in shard, "hash" in hashed]


def write_and_refresh(schema):
    """A new row passes all expressions, and everything is made anew."""
    row = "WHERE id OPERATOR(pg_catalog.=) 100"
    return psql(f"INSERT INTO theirs.filters (id, f) SELECT 100, {schema}.ribbon_build(i) FROM generate_series(1, 15000) AS i;"
                "REFRESH MATERIALIZED VIEW theirs.hits; ANALYZE theirs.filters; REINDEX TABLE theirs.filters; REINDEX TABLE theirs.events;"
                f"SELECT keys, {schema}.ribbon_cardinality(small), bytes FROM theirs.filters {row};"
                f"SELECT n OPERATOR(pg_catalog.>=) 15000 FROM theirs.hits {row};"
                f"DELETE FROM theirs.filters {row}; REFRESH MATERIALIZED VIEW theirs.hits;").split()


def faults(schema):
    """What ribbon_check_table finds in a table with a damaged filter, and in the sound ones."""
    return psql(f"""CREATE TABLE theirs.damaged AS SELECT pg_catalog.set_bit(b, 8 * pg_catalog.length(b) - 1, 1)::{schema}.ribbonfilter AS f
                      FROM (SELECT {schema}.ribbon_build(i)::pg_catalog.bytea AS b FROM generate_series(1, 10) AS i) AS s;
                    SELECT attribute, item, element FROM {schema}.ribbon_check_table('theirs.damaged');
                    SELECT count(*) FROM {schema}.ribbon_check_table('theirs.filters'); DROP TABLE theirs.damaged;""").split()


def set_up():
    psql(f"CREATE DATABASE {PLAIN}; CREATE DATABASE {CROWDED}; CREATE DATABASE {RESTORED};"
         "CREATE ROLE ribbon_installer; CREATE ROLE ribbon_user;"
         f"GRANT CREATE ON DATABASE {CROWDED} TO ribbon_installer;", "postgres")
    psql("CREATE EXTENSION ribbon", PLAIN)
    psql(HOSTILE)
    psql(PATH)


def main():
    set_up()
    psql("SET ROLE ribbon_installer; CREATE EXTENSION ribbon SCHEMA crowded;")
    compare("an ordinary user owns the extension, and the superuser what is in it",
            psql("SELECT extowner::regrole, (SELECT count(*) FROM pg_proc WHERE proowner OPERATOR(pg_catalog.<>) 10::pg_catalog.oid"
                 " AND proname OPERATOR(pg_catalog.~) '^ribbon') FROM pg_extension WHERE extname OPERATOR(pg_catalog.~) '^ribbon$'"),
            "ribbon_installer|0")
    plain, crowded = catalogue.describe(PLAIN), catalogue.describe(CROWDED)
    compare(f"in a crowded schema everything is as in an empty one ({len(plain)} facts)",
            [line for line in crowded if line not in plain], [])
    compare("and nothing is missing", [line for line in plain if line not in crowded], [])

    psql("CREATE SCHEMA theirs AUTHORIZATION ribbon_user")
    psql("SET ROLE ribbon_user;" + DEPENDENTS)
    compare("another user uses it there", psql("SET ROLE ribbon_user;" + AT_WORK).split("\n"), GOOD)
    compare("keys of all kinds are hashed as elsewhere, whatever shadows their operators",
            *[psql(f"SELECT {hash}(1), {hash}('x'::pg_catalog.text), {hash}('{{1,2}}'::pg_catalog.int4[]), {hash}(ROW(1, 'x'::pg_catalog.text)),"
                   f" {hash}('{{\"a\": 1}}'::pg_catalog.jsonb), {hash}(1.50), {hash}('[1,3)'::pg_catalog.int4range)", database)
              for database, hash in ((CROWDED, "crowded.ribbon_hash"), (PLAIN, "ribbon_hash"))])
    compare("a table's filters are checked there", faults("crowded"), ["f|(0,1)|", "0"])
    compare("indexes are used there", indexes_work("crowded"), [True, True, True])
    compare("statistics are used there", rows_expected(CROWDED, "crowded"), True)

    # the server asks for the owner of every object, which is the superuser even where the extension is trusted
    for role in ("ribbon_user", "ribbon_installer"):
        compare(f"{role} may not move it", psql_script.error_of(f"SET ROLE {role}; ALTER EXTENSION ribbon SET SCHEMA elsewhere", CROWDED) != "", True)
    psql("ALTER EXTENSION ribbon SET SCHEMA elsewhere")
    moved = catalogue.describe(CROWDED)
    compare("moved, everything is as it was", [line for line in moved if line not in plain] + [line for line in plain if line not in moved], [])
    compare("all that depends on it is at work", psql("SET ROLE ribbon_user;" + AT_WORK).split("\n"), GOOD)
    compare("a table's filters are checked after it", faults("elsewhere"), ["f|(0,1)|", "0"])
    compare("indexes are used after it", indexes_work("elsewhere"), [True, True, True])
    compare("statistics are used after it", rows_expected(CROWDED, "elsewhere"), True)
    compare("rows are written, views refreshed, tables analyzed, indexes built",
            write_and_refresh("elsewhere"), ["15000|15000|\\x1101000000", "t"])
    compare("statistics of today are used", rows_expected(CROWDED, "elsewhere"), True)

    dump = subprocess.run(["pg_dump", "-d", CROWDED, "-n", "theirs", "-n", "elsewhere", "-e", "ribbon"], stdout=subprocess.PIPE,
                          encoding="utf-8", check=True).stdout
    psql("SET client_min_messages = warning;" + dump, RESTORED)
    compare("dumped and restored, all of it is at work", psql(AT_WORK, RESTORED).split("\n"), GOOD)
    compare("the restored filters are sound, and the same bytes",
            *[psql("SELECT md5(string_agg(f::pg_catalog.text, ' ' ORDER BY id)), count(elsewhere.ribbon_check(f)) FROM theirs.filters", database)
              for database in (RESTORED, CROWDED)])


try:
    main()
finally:
    for database in (PLAIN, CROWDED, RESTORED):
        psql(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)", "postgres")
    psql("DROP ROLE IF EXISTS ribbon_installer, ribbon_user", "postgres")
finish()
