-- demo.sql - what ribbon filters and maps of a word list cost, and what they answer
--
-- Members are the words of a large English list.  Probes are the words of a
-- German list that are not in it, so that every "yes" is a false positive.
-- The map knows the words of both lists, and gives the language of each.  The
-- exact set has the English words, and is right about each word of both lists.
-- Times are medians of three runs, or of one where it takes longer than a second,
-- single-threaded, of whole queries: the scan of the words is in all of them.

\set QUIET on
\pset pager off
\pset footer off
\pset linestyle ascii
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET work_mem = '128MB';		-- lets the hash join keep to memory

CREATE EXTENSION ribbon;

CREATE TABLE list (word text);
\copy list from '/usr/share/dict/american-english-insane'
CREATE TABLE english AS SELECT DISTINCT word FROM list;
TRUNCATE list;
\copy list from '/usr/share/dict/ngerman'
CREATE TABLE nonmembers AS SELECT word FROM list EXCEPT SELECT word FROM english;
VACUUM ANALYZE english;
VACUUM ANALYZE nonmembers;

CREATE FUNCTION median_ms(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz;
	times float8[];
BEGIN
	FOR run IN 1 .. 3 LOOP
		started := clock_timestamp();
		EXECUTE query;
		times := times || extract(epoch FROM clock_timestamp() - started)::float8 * 1e3;
		EXIT WHEN times[1] > 1000;
	END LOOP;
	RETURN percentile_cont(0.5) WITHIN GROUP (ORDER BY t) FROM unnest(times) t;
END $$;

CREATE FUNCTION answer(query text, OUT n bigint) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query INTO STRICT n;
END $$;

CREATE TABLE totals AS
SELECT (SELECT count(*) FROM english) AS keys,
	   (SELECT count(*) FROM nonmembers) AS probes,
	   median_ms('SELECT count(word) FROM nonmembers') AS scan_ms;

-- Filters of both kinds, kept in a table like any other value.

CREATE TABLE filters (name text PRIMARY KEY, fpr float8, build_ms float8, members ribbonfilter);

INSERT INTO filters
SELECT name, fpr, median_ms(format('SELECT ribbon_build(word, %s, %L) FROM english', fpr, 'kind=' || kind))
  FROM (SELECT kind || ' ' || fpr * 100 || ' %', kind, fpr
		  FROM unnest('{burr,homogeneous}'::text[]) kind, unnest('{0.01,0.001}'::float8[]) fpr) f(name, kind, fpr);

UPDATE filters
   SET members = (SELECT ribbon_build(word, fpr, 'kind=' || split_part(name, ' ', 1)) FROM english);

CREATE TABLE probed AS
SELECT name,
	   answer('SELECT count(*)' || asked) AS false_positives,
	   answer(format('SELECT count(*) FROM english, filters'
					 ' WHERE name = %L AND NOT members @> word', name)) AS false_negatives,
	   median_ms('SELECT count(*)' || asked) AS probe_ms
  FROM filters,
	   format(' FROM nonmembers, filters WHERE name = %L AND members @> word', name) asked;

-- What else there is today: a table, an index on it, an array.

CREATE TABLE ways (id int, way text, bytes bigint, build_ms float8, tried bigint, probe_ms float8, false_positives bigint);

CREATE TABLE arrays AS SELECT array_agg(word) AS words FROM english;

INSERT INTO ways
SELECT 1, 'table, IN (hash join)', pg_relation_size('english'), NULL, probes,
	   median_ms('SELECT count(*) FROM nonmembers WHERE word IN (SELECT word FROM english)'), 0
  FROM totals;

INSERT INTO ways
SELECT 3, 'array, = ANY', pg_column_size(words),
	   median_ms('SELECT array_agg(word) FROM english'), 3,
	   median_ms('SELECT count(*) FROM (SELECT word FROM nonmembers LIMIT 3) s, arrays WHERE word = ANY (words)'), 0
  FROM arrays;

INSERT INTO ways
SELECT 2, 'table and btree index',
	   NULL, median_ms('DROP INDEX IF EXISTS english_word; CREATE INDEX english_word ON english (word)');
SET enable_hashjoin = off;
SET enable_mergejoin = off;
UPDATE ways
   SET bytes = pg_relation_size('english') + pg_relation_size('english_word'),
	   tried = t.probes,
	   probe_ms = median_ms('SELECT count(*) FROM nonmembers s'
							' WHERE EXISTS (SELECT FROM english e WHERE e.word = s.word)'),
	   false_positives = 0
  FROM totals t
 WHERE id = 2;

INSERT INTO ways
SELECT 4, 'ribbon ' || name, pg_column_size(members), build_ms, probes, probe_ms, false_positives
  FROM filters JOIN probed USING (name), totals
 WHERE fpr = 0.01;

-- The report.

\echo
SELECT format('%s English words in the set, probed with %s German ones that are not.', keys, probes) AS line FROM totals
\gset
\echo :line
\echo 'Overhead is against log2(1/FPR) bits per key, the least a filter can take.'
SELECT format('Times are of whole queries; to count the words takes %s ns a row.', round(scan_ms / probes * 1e6)) AS line FROM totals
\gset
\echo :line
\echo

SELECT name AS filter,
	   to_char(ribbon_cardinality(members), '999,999') AS keys,
	   to_char(pg_column_size(members), '9,999,999') AS bytes,
	   round(bits_per_key::numeric, 2) AS "bits/key",
	   to_char((bits_per_key / -log(2, fpr::numeric) - 1) * 100, '990.0 %') AS overhead,
	   to_char(fpr * 100, '0.000 %') AS "FPR asked",
	   to_char(100.0 * false_positives / probes, '0.000 %') AS "measured",
	   false_negatives AS missed,
	   round(build_ms) AS "build ms",
	   round(probe_ms / probes * 1e6) AS "ns/row"
  FROM filters JOIN probed USING (name), totals,
	   LATERAL (SELECT 8.0 * pg_column_size(members) / totals.keys AS bits_per_key) b
 ORDER BY fpr DESC, name;

\echo 'The same question, asked of what there is without it:'
\echo

SELECT way AS "way to ask",
	   to_char(bytes, '999,999,999') AS bytes,
	   round(8.0 * bytes / keys, 1) AS "bits/key",
	   round(build_ms) AS "build ms",
	   to_char(probe_ms / tried * 1e3, '999,990.00') AS "us/row",
	   to_char(100.0 * false_positives / tried, '0.000 %') AS "wrong yes"
  FROM ways w, totals
 ORDER BY id, way;

-- A filter that missed a member would be wrong, whatever it cost.
SELECT 1 / (sum(false_negatives) = 0)::int AS ok FROM probed
\gset

-- A map: what language is this word of?  Instead of a join with the dictionary.

CREATE TYPE language AS ENUM ('English', 'German', 'both');

CREATE TABLE dictionary AS
SELECT word, CASE WHEN e.word IS NULL THEN 'German' WHEN g.word IS NULL THEN 'English' ELSE 'both' END::language AS language
  FROM english e FULL JOIN (SELECT DISTINCT word FROM list) g USING (word);
VACUUM ANALYZE dictionary;

-- All of its words, in no order, as a text would bring them.
CREATE TABLE page AS SELECT word FROM dictionary ORDER BY ribbon_hash(word);
VACUUM ANALYZE page;

CREATE TABLE maps (name text PRIMARY KEY, build text, languages ribbonmap);
INSERT INTO maps VALUES
	('ribbon map', 'SELECT ribbon_map(word, language, 1) FROM dictionary'),
	('ribbon map, 1 %', 'SELECT ribbon_map(word, language) FROM dictionary');
UPDATE maps SET languages = (SELECT ribbon_map(word, language, 1) FROM dictionary) WHERE name = 'ribbon map';
UPDATE maps SET languages = (SELECT ribbon_map(word, language) FROM dictionary) WHERE name <> 'ribbon map';

CREATE EXTENSION IF NOT EXISTS hstore;
CREATE TABLE objects AS
SELECT jsonb_object_agg(word, language) AS json, hstore(array_agg(word), array_agg(language::text)) AS store FROM dictionary;

CREATE TABLE lookups (id int, way text, bytes bigint, build_ms float8, tried bigint, ms float8, wrong bigint);

CREATE TABLE page_totals AS
SELECT count(*) AS words, median_ms('SELECT count(word) FROM page') AS scan_ms FROM page;

RESET enable_hashjoin;
INSERT INTO lookups
SELECT 1, 'table, hash join', pg_relation_size('dictionary'), NULL, words,
	   median_ms('SELECT count(language) FROM page JOIN dictionary USING (word)'), 0
  FROM page_totals;

INSERT INTO lookups
SELECT 3, way, bytes, median_ms(build), 3, median_ms(format('SELECT count(%s) FROM (SELECT word FROM page LIMIT 3) s, objects', look)), 0
  FROM objects,
	   LATERAL (VALUES ('jsonb object', pg_column_size(json), 'json ->> word',
						'SELECT jsonb_object_agg(word, language) FROM dictionary'),
					   ('hstore', pg_column_size(store), 'store -> word',
						'SELECT hstore(array_agg(word), array_agg(language::text)) FROM dictionary')) w(way, bytes, look, build);

INSERT INTO lookups
SELECT 2, 'table and btree index',
	   NULL, median_ms('DROP INDEX IF EXISTS dictionary_word; CREATE INDEX dictionary_word ON dictionary (word)');
SET enable_hashjoin = off;
UPDATE lookups
   SET bytes = pg_relation_size('dictionary') + pg_relation_size('dictionary_word'),
	   tried = words,
	   ms = median_ms('SELECT count(language) FROM page JOIN dictionary USING (word)'),
	   wrong = 0
  FROM page_totals
 WHERE id = 2;
RESET enable_hashjoin;

INSERT INTO lookups
SELECT 4, name, pg_column_size(languages), median_ms(build), words,
	   median_ms(format('SELECT count(languages ->> word) FROM page, maps WHERE name = %L', name)),
	   answer(format('SELECT count(*) FROM dictionary, maps WHERE name = %L'
					 ' AND ribbon_get(languages, word, NULL::language) IS DISTINCT FROM language', name))
  FROM maps, page_totals;

SELECT format('Which language? %s words and the language of each, looked up for as many words (to count them: %s ns a row).',
			  to_char(words, 'FM9,999,999'), round(scan_ms / words * 1e6)) AS line
  FROM page_totals
\gset
\echo :line
\echo

SELECT way AS "way to look up",
	   to_char(bytes, '999,999,999') AS bytes,
	   round(8.0 * bytes / words, 1) AS "bits/word",
	   round(build_ms) AS "build ms",
	   to_char(ms / tried * 1e3, '999,990.00') AS "us/row",
	   wrong
  FROM lookups, page_totals
 ORDER BY id, way;

SELECT 1 / (sum(wrong) = 0)::int AS ok FROM lookups
\gset

-- An exact set: is this word of either language an English one?  No word of the
-- two lists gets a wrong answer, though most of them are not in the set.

CREATE TABLE judged AS SELECT word, language <> 'German' AS is_english FROM dictionary;
VACUUM ANALYZE judged;
CREATE TABLE answers (id int, way text, bytes bigint, build_ms float8, ms float8, wrong bigint);
CREATE TABLE exact AS SELECT ribbon_build_exact(word, is_english) AS words FROM judged;
CREATE TABLE guessed AS SELECT ribbon_build(word, 0.01) AS words FROM english;

INSERT INTO answers
SELECT 1, 'table and btree index', bytes, build_ms, median_ms('SELECT count(*) FROM page JOIN english USING (word)'), 0
  FROM ways WHERE id = 2;

INSERT INTO answers
SELECT id, way, pg_column_size(words), median_ms(build), median_ms(format('SELECT count(*) FROM page WHERE (SELECT words FROM %I) @> word', kept)),
	   answer(format('SELECT count(*) FROM judged WHERE (SELECT words FROM %I) @> word <> is_english', kept))
  FROM (SELECT 2, 'ribbon, BuRR 1 %', words, 'SELECT ribbon_build(word, 0.01) FROM english', 'guessed' FROM guessed
		UNION ALL
		SELECT 3, 'ribbon, exact', words, 'SELECT ribbon_build_exact(word, is_english) FROM judged', 'exact' FROM exact)
	   AS f(id, way, words, build, kept);

SELECT format('Is it an English word? Asked of all %s words of both languages, of which %s are.',
			  to_char(page_totals.words, 'FM9,999,999'), to_char(ribbon_cardinality(exact.words), 'FM9,999,999')) AS line
  FROM page_totals, exact
\gset
\echo :line
\echo

SELECT way AS "way to ask",
	   to_char(bytes, '999,999,999') AS bytes,
	   round(8.0 * bytes / ribbon_cardinality(exact.words), 2) AS "bits/English word",
	   round(build_ms) AS "build ms",
	   to_char(ms / page_totals.words * 1e3, '999,990.00') AS "us/row",
	   wrong
  FROM answers, page_totals, exact
 ORDER BY id;

SELECT 1 / (sum(wrong) = 0)::int AS ok FROM answers WHERE way <> 'ribbon, BuRR 1 %'
\gset
