--
-- Keys without a type: an untyped literal or parameter is text, and what has a type keeps it
--
CREATE TABLE words AS SELECT ribbon_build(w, 0.000001) AS f FROM unnest('{lorem,ipsum}'::text[]) AS w;

-- literals
SELECT f @> 'lorem' AS "@>", 'ipsum' <@ f AS "<@", ribbon_contains(f, 'ipsum') AS function, f @> 'dolor' AS nonmember FROM words;
SELECT ribbon_contains_any(f, '{dolor,lorem}') AS "any", ribbon_contains_all(f, '{dolor,lorem}') AS "all",
       f @> ANY ('{dolor,lorem}') AS any_operator, f @> ALL ('{dolor,lorem}') AS all_operator, 'lorem' <@ ANY (ARRAY[f]) AS any_filter FROM words;
SELECT ribbon_hash('lorem') = ribbon_hash('lorem'::text) AS hash, ribbon_shard('lorem', 8) = ribbon_shard('lorem'::text, 8) AS shard;
SELECT ribbon_build('lorem', 0.000001) = ribbon_build('lorem'::text, 0.000001) AS built, (ribbon_stats(ribbon_build(NULL))).key_type AS of_nothing;

-- parameters
PREPARE contains AS SELECT f @> $1 AND $2 <@ f AND ribbon_contains(f, $3) AND ribbon_contains_any(f, $4) AND NOT ribbon_contains_all(f, $5) AS found FROM words;
PREPARE hash AS SELECT ribbon_hash($1) = ribbon_hash($1::text) AS hash, ribbon_shard($2, $3) BETWEEN 0 AND 7 AS shard;
PREPARE build AS INSERT INTO words SELECT ribbon_build($1, $2, $3) RETURNING (ribbon_stats(f)).key_type, ribbon_cardinality(f);
PREPARE cast_to AS SELECT ribbon_build($1::bytea) @> $2::bytea AS found;
SELECT name, parameter_types FROM pg_prepared_statements ORDER BY prepare_time;
EXECUTE contains('lorem', 'ipsum', 'lorem', '{dolor,ipsum}', '{dolor,ipsum}');
EXECUTE hash('lorem', 'ipsum', 8);
EXECUTE build('dolor', 0.5, 'kind=homogeneous');
EXECUTE cast_to('\x01', '\x01');
DEALLOCATE ALL;

-- a literal for a filter of other keys is not turned into such a key, nor taken for another one
\set VERBOSITY sqlstate
SELECT ribbon_build(7) @> '7';
SELECT ribbon_contains_any(ribbon_build(7), '{7}');
SELECT ribbon_contains_any(f, 'lorem') FROM words;
\set VERBOSITY default

-- an untyped filter is one to a function; to an operator, whose name ranges have, too, it could be anything
SELECT ribbon_contains('\x1101000000', 7) AS empty, ribbon_contains_any('\x1101000000', '{7}'::int[]) AS any_of_empty;
\set VERBOSITY terse
SELECT '\x1101000000' @> 7;
\set VERBOSITY default
\echo :LAST_ERROR_SQLSTATE
SELECT '\x1101000000'::ribbonfilter @> 7 AS empty;

-- a function that there is for both types takes it for a filter, be it a literal or a parameter; of a map, it has to be said
SELECT quote_literal(ribbon_build(NULL::text)) AS empty \gset
SELECT ribbon_cardinality(:empty) AS keys, ribbon_fpr(:empty) AS fpr, (ribbon_stats(:empty)).kind;
PREPARE stats AS SELECT (ribbon_stats($1)).kind, ribbon_cardinality($2);
SELECT parameter_types FROM pg_prepared_statements;
EXECUTE stats(:empty, :empty);
DEALLOCATE stats;
SELECT ribbon_cardinality(m::text::bytea::ribbonmap) AS keys FROM (SELECT ribbon_map(1, 2) AS m) AS s;

-- functions of others: filters are preferred to maps, not to any other type that an untyped literal might be
CREATE FUNCTION taken_for(ribbonfilter) RETURNS text LANGUAGE sql RETURN 'filter';
CREATE FUNCTION taken_for(ribbonmap) RETURNS text LANGUAGE sql RETURN 'map';
SELECT taken_for(:empty);
CREATE FUNCTION taken_for(uuid) RETURNS text LANGUAGE sql RETURN 'uuid';
\set VERBOSITY terse
SELECT taken_for(:empty);
\set VERBOSITY default
DROP FUNCTION taken_for(uuid);
CREATE FUNCTION taken_for(text) RETURNS text LANGUAGE sql RETURN 'text';
SELECT taken_for(:empty);
DROP FUNCTION taken_for(ribbonfilter), taken_for(ribbonmap), taken_for(text);

-- Every type is taken as itself by every function, never for two at once: nothing is said to be ambiguous or missing.
-- EXPLAIN alone, since what can be a key is another question.
CREATE FUNCTION complaint(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'EXPLAIN (COSTS OFF) ' || statement;
	RETURN NULL;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
CREATE DOMAIN word AS text;
CREATE DOMAIN label AS "char";
CREATE DOMAIN digits AS int[] CHECK (VALUE <> '{}');
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TYPE pair AS (a word, b int);
CREATE VIEW types AS
SELECT oid::regtype AS type, CASE WHEN typarray <> 0 THEN typarray::regtype END AS "array"
  FROM pg_type WHERE typtype IN ('b', 'd', 'c', 'e', 'r', 'm') OR typname IN ('record', 'cstring');
SELECT count(*) > 400 AS many_types, count(*) FILTER (WHERE type IN ('word', 'word[]', 'label[]', 'digits', 'mood[]', 'pair', 'record', 'pg_node_tree')) AS among_them FROM types;
SELECT call, type, complaint(format('SELECT ' || call, type))
  FROM types, unnest('{ribbon_build(NULL::%s),"ribbon_build(NULL::%s, 0.1)","ribbon_build(NULL::%s, 0.1, ''kind=auto'')",
                       ribbon_hash(NULL::%s),"ribbon_shard(NULL::%s, 8)","ribbon_contains(''\\x1101000000'', NULL::%s)",
                       "ribbon_contains(f, NULL::%s) FROM words","f @> NULL::%s FROM words","NULL::%s <@ f FROM words"}'::text[]) AS call
 WHERE complaint(format('SELECT ' || call, type)) IS NOT NULL;
SELECT call, "array", complaint(format('SELECT ' || call, "array"))
  FROM types, unnest('{"ribbon_contains_any(f, NULL::%s) FROM words","ribbon_contains_all(f, NULL::%s) FROM words",
                       "f @> ANY (NULL::%s) FROM words","f @> ALL (NULL::%s) FROM words"}'::text[]) AS call
 WHERE "array" IS NOT NULL AND complaint(format('SELECT ' || call, "array")) IS NOT NULL;
-- that it would be seen
SELECT complaint('SELECT ''\x1101000000'' @> 7') AS ambiguous, complaint('SELECT ribbon_contains_any(f, 7) FROM words') AS missing;

-- and finds what is equal to it
SELECT f @> 'ipsum'::word AS domain, f @> 'ipsum'::name AS name, f @> 'ipsum'::varchar AS varchar, f @> ANY (ARRAY['lorem']::varchar[]) AS varchars,
       ribbon_contains_all(f, ARRAY['lorem', 'ipsum']::name[]) AS names, ribbon_contains_any(f, ARRAY['lorem']::word[]) AS domains
  FROM words WHERE ribbon_cardinality(f) = 2;
SELECT ribbon_contains_any(ribbon_build(v), '1 2'::int2vector) AS int2vector FROM generate_series(2, 3) AS v;
SELECT ribbon_contains_all(ribbon_build(v::oid), '2 3'::oidvector) AS oidvector FROM generate_series(2, 3) AS v;
SELECT ribbon_contains_all(ribbon_build(d), '{2,3}'::digits) AS domain_of_array FROM generate_series(2, 3) AS d;

DROP VIEW types;
DROP TABLE words;
DROP FUNCTION complaint;
DROP TYPE word, label, digits, mood, pair;
