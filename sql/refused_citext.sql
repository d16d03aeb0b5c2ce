--
-- citext, whose case folding is the locale library's, is no key
--
CREATE EXTENSION citext;
CREATE DOMAIN nick AS citext;
CREATE TABLE people (name citext, nick nick, names citext[]);
INSERT INTO people VALUES ('Ann', 'Annie', '{Ann,Bob}');

SELECT ribbon_build(name) FROM people;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(names) FROM people;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(nick) FROM people;
\echo :LAST_ERROR_SQLSTATE

-- a probe with citext would use the text overload; it is refused as well
SELECT ribbon_contains('\x1102000000', name) FROM people;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY sqlstate
SELECT '\x1102000000'::ribbonfilter @> nick FROM people;
SELECT name <@ '\x1102000000'::ribbonfilter FROM people;
SELECT ribbon_contains_any('\x1102000000', names) FROM people;
SELECT ribbon_hash(name) FROM people;
\set VERBOSITY default

-- the hint works, and so does an explicit cast to text
SELECT filter @> lower(name) AS folded, filter @> name::text AS as_it_is
  FROM people, (SELECT ribbon_build(lower(name), 0.0001) AS filter FROM people) AS f;

-- another type of that name is not citext
DROP TABLE people;
DROP DOMAIN nick;
DROP EXTENSION citext;
CREATE DOMAIN citext AS text;
SELECT ribbon_build('Ann'::citext) @> 'Ann' AS found;
DROP DOMAIN citext;
