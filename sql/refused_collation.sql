--
-- Text under a nondeterministic collation, where equal strings can differ in
-- their bytes, is no key; nor is a type that contains it
--
SET client_min_messages = warning;
CREATE COLLATION ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
RESET client_min_messages;

CREATE TABLE names (t text COLLATE ignore_case, v varchar COLLATE ignore_case,
					c char(5) COLLATE ignore_case, a text[] COLLATE ignore_case,
					plain text);
INSERT INTO names VALUES ('a', 'a', 'a', '{a}', 'a');

SELECT ribbon_build(t) FROM names;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build('a' COLLATE ignore_case);
SELECT ribbon_build(a) FROM names;
\echo :LAST_ERROR_SQLSTATE

-- the hint works
SELECT ribbon_cardinality(ribbon_build(t COLLATE "C")) AS text,
       ribbon_cardinality(ribbon_build(a COLLATE "C")) AS array FROM names;

-- varchar, char(n), a row, a range
CREATE TYPE names_range AS RANGE (subtype = text, collation = ignore_case);
\set VERBOSITY sqlstate
SELECT ribbon_build(v) FROM names;
SELECT ribbon_build(c) FROM names;
SELECT ribbon_build(names) FROM names;
SELECT ribbon_build(ROW(1, t)) FROM names;
SELECT ribbon_build(names_range('a', 'b'));
SELECT ribbon_build('x'::text COLLATE ignore_case);

-- when probing too: by functions and operators, in an array, in an empty filter
SELECT '\x1102000000'::ribbonfilter @> t FROM names;
SELECT t <@ '\x1102000000'::ribbonfilter FROM names;
SELECT ribbon_contains('\x1102000000', v) FROM names;
SELECT ribbon_contains('\x1102000000', c) FROM names;
SELECT ribbon_contains_any('\x1102000000', a) FROM names;
SELECT ribbon_hash(t) FROM names;

-- where two collations clash there is no telling
SELECT ribbon_hash(CASE WHEN true THEN t ELSE plain2 END)
  FROM (SELECT t, plain::varchar COLLATE "POSIX" AS plain2 FROM names) AS s;
\set VERBOSITY default

-- COLLATE is advised where it can be written
SELECT ribbon_build(a) FROM names;
SELECT ribbon_build(names_range('a', 'b'));
SELECT ribbon_build(ARRAY[names]) FROM names;

-- other columns of such a table are not affected, and COLLATE "C" settles it
SELECT ribbon_build(plain) @> 'a' AS plain, ribbon_build(t || plain COLLATE "C") @> 'aa' AS settled FROM names;
SELECT '\x1102000000'::ribbonfilter @> (t COLLATE "C") AS probed FROM names;

-- a type that is not PostgreSQL's own, but takes collations
SET client_min_messages = warning;
CREATE TYPE word;
CREATE FUNCTION word_in(cstring) RETURNS word LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION word_out(word) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE word (INPUT = word_in, OUTPUT = word_out, LIKE = text, COLLATABLE = true);
CREATE FUNCTION word_eq(word, word) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'texteq';
CREATE FUNCTION word_hash(word) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'hashtext';
CREATE FUNCTION word_hash(word, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashtextextended';
CREATE OPERATOR = (FUNCTION = word_eq, LEFTARG = word, RIGHTARG = word);
CREATE OPERATOR CLASS word_ops DEFAULT FOR TYPE word USING hash AS OPERATOR 1 =, FUNCTION 1 word_hash(word), FUNCTION 2 (word, word) word_hash(word, bigint);
RESET client_min_messages;
SELECT ribbon_build('a'::word COLLATE ignore_case);
SELECT ribbon_build('a'::word COLLATE "C") @> ('a'::word COLLATE "C") AS member, ribbon_build('a'::word COLLATE "C") @> ('b'::word COLLATE "C") AS other;

SET client_min_messages = warning;
DROP TYPE word CASCADE;
RESET client_min_messages;
DROP TYPE names_range;
DROP TABLE names;
DROP COLLATION ignore_case;
