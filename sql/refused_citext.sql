--
-- citext, whose case folding is the locale library's, is no key
--
CREATE EXTENSION citext;
CREATE DOMAIN nick AS citext;
CREATE DOMAIN crew AS citext[];
CREATE TABLE people (name citext, nick nick, names citext[], nicks nick[], crew crew);
INSERT INTO people VALUES ('Ann', 'Annie', '{Ann,Bob}', '{Annie}', '{Ann,Bob}');

SELECT ribbon_build(name) FROM people;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(names) FROM people;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(nick) FROM people;
\echo :LAST_ERROR_SQLSTATE

-- the text of an array of rows may depend on settings, so no cast is advised
SELECT ribbon_build(ARRAY[people]) FROM people;

-- a probe with citext is refused as well: it is not taken for text, though it casts to it
SELECT ribbon_contains('\x1102000000', name) FROM people;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY sqlstate
SELECT '\x1102000000'::ribbonfilter @> nick FROM people;
SELECT name <@ '\x1102000000'::ribbonfilter FROM people;
SELECT ribbon_contains_any('\x1102000000', names) FROM people;
SELECT ribbon_hash(name) FROM people;
-- likewise with ANY and ALL, on either side
SELECT '\x1102000000'::ribbonfilter @> ANY (names) FROM people;
SELECT '\x1102000000'::ribbonfilter @> ALL (names) FROM people;
SELECT '\x1102000000'::ribbonfilter @> ANY (nicks) FROM people;
SELECT '\x1102000000'::ribbonfilter @> ANY (crew) FROM people;
SELECT '\x1102000000'::ribbonfilter @> ANY (ARRAY[name, nick]) FROM people;
SELECT '\x1102000000'::ribbonfilter @> ANY (SELECT name FROM people);
SELECT ANY_filter FROM people, (SELECT ARRAY['\x1102000000'::ribbonfilter] AS filters OFFSET 0) AS f, LATERAL (SELECT name <@ ANY (filters) AS ANY_filter) AS a;
SELECT ALL_filters FROM people, (SELECT ARRAY['\x1102000000'::ribbonfilter] AS filters OFFSET 0) AS f, LATERAL (SELECT nick <@ ALL (filters) AS ALL_filters) AS a;
\set VERBOSITY default

-- the hint works, and so does an explicit cast to text
SELECT filter @> lower(name) AS folded, filter @> name::text AS as_it_is
  FROM people, (SELECT ribbon_build(lower(name), 0.0001) AS filter FROM people) AS f;

SELECT filter @> ANY (lower(names::text)::text[]) AS folded, filter @> ANY (names::text[]) AS as_they_are,
       name::text <@ ANY (ARRAY[filter]) AS in_any_filter
  FROM people, (SELECT ribbon_build(lower(name), 0.0001) AS filter FROM people) AS f;

-- nor is a constant ...
CREATE TABLE folded AS SELECT ribbon_build(lower(name), 0.0001) AS filter FROM people;
SELECT filter @> 'ann'::citext AS ann, filter @> 'Ann'::citext AS "Ann" FROM folded;
-- ... or a parameter, whether the plan is made for its value or not
PREPARE probe(citext) AS SELECT filter @> $1 AS found FROM folded;
SET plan_cache_mode = force_custom_plan;
EXECUTE probe('ann');
EXECUTE probe('Ann');
SET plan_cache_mode = force_generic_plan;
EXECUTE probe('ann');
-- nor is a variable; from the sixth time on the plan is a generic one
SET plan_cache_mode = auto;
DEALLOCATE probe;
CREATE FUNCTION probe(name citext) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT filter @> name FROM folded);
EXCEPTION WHEN feature_not_supported THEN
	RETURN 'refused';
END $$;
SELECT i, probe('ann') FROM generate_series(1, 7) AS i;
-- a cast to text works every time
CREATE OR REPLACE FUNCTION probe(name citext) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT filter @> lower(name) FROM folded);
END $$;
SELECT i, probe('Ann') FROM generate_series(1, 7) AS i;
DROP FUNCTION probe;
DROP TABLE folded;

-- another type of that name is not citext
DROP TABLE people;
DROP DOMAIN nick, crew;
DROP EXTENSION citext;
CREATE DOMAIN citext AS text;
SELECT ribbon_build('Ann'::citext) @> 'Ann' AS found;
DROP DOMAIN citext;
