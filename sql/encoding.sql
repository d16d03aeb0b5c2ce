--
-- Text hashes alike in databases of different encodings
--
SELECT ribbon_hash(chr(233)) AS e_acute, ribbon_hash('\xc3a9'::bytea) AS its_utf8,
       ribbon_hash('abc'::text) AS abc;
SELECT ribbon_build(w, 0.0001) AS words FROM unnest(ARRAY['abc', 'caf' || chr(233)]) AS w \gset
CREATE TYPE textrange AS RANGE (subtype = text);
CREATE FUNCTION nested(OUT text_array bigint, OUT range bigint, OUT of_row bigint, OUT doc bigint, OUT json_in_row bigint, OUT empty bigint) LANGUAGE sql AS $$
	SELECT ribbon_hash(ARRAY['abc', chr(233)]), ribbon_hash(textrange('abc', chr(233), '[]')), ribbon_hash(ROW(chr(233), ARRAY[chr(233)::name])),
	       ribbon_hash(j), ribbon_hash(ROW(ARRAY[j])), ribbon_hash(ARRAY[''])
	  FROM CAST(format('{"%s": 1, "": "", "zz": "%s", "y": [{"%s%s": null, "zzz": 2.0}]}', chr(233), chr(233), chr(233), chr(233)) AS jsonb) AS j
$$;
SELECT nested() AS nested_here \gset
SELECT current_database() AS home \gset

CREATE DATABASE regress_ribbon_latin1 TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C';
CREATE DATABASE regress_ribbon_ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C';

-- LATIN1: one byte there, the same hash; for names and enum labels too
\c regress_ribbon_latin1
CREATE EXTENSION ribbon;
SELECT length(chr(233)::bytea) AS bytes, ribbon_hash(chr(233)) AS e_acute, ribbon_hash('abc'::text) AS abc;
SELECT format('CREATE TYPE accent AS ENUM (%L)', chr(233)) \gexec
SELECT ribbon_hash(chr(233)::name) AS name, ribbon_hash(chr(233)::char(3)) AS char_n,
       ribbon_hash(chr(233)::accent) AS enum;
SELECT :'words'::ribbonfilter @> 'abc' AS abc, :'words'::ribbonfilter @> ('caf' || chr(233)) AS cafe,
       ribbon_contains_all(:'words', ARRAY['abc', 'caf' || chr(233)]) AS both;
SELECT ribbon_build(w, 0.0001) = :'words' AS same_bytes FROM unnest(ARRAY['abc', 'caf' || chr(233)]) AS w;

-- inside other types, too, and jsonb, which has its names in another order here: by their length in bytes
CREATE TYPE textrange AS RANGE (subtype = text);
CREATE FUNCTION nested(OUT text_array bigint, OUT range bigint, OUT of_row bigint, OUT doc bigint, OUT json_in_row bigint, OUT empty bigint) LANGUAGE sql AS $$
	SELECT ribbon_hash(ARRAY['abc', chr(233)]), ribbon_hash(textrange('abc', chr(233), '[]')), ribbon_hash(ROW(chr(233), ARRAY[chr(233)::name])),
	       ribbon_hash(j), ribbon_hash(ROW(ARRAY[j])), ribbon_hash(ARRAY[''])
	  FROM CAST(format('{"%s": 1, "": "", "zz": "%s", "y": [{"%s%s": null, "zzz": 2.0}]}', chr(233), chr(233), chr(233), chr(233)) AS jsonb) AS j
$$;
SELECT nested()::text = :'nested_here' AS as_in_utf8;
SELECT format('{"%s": 1, "zz": 2, "y": 3}', chr(233))::jsonb::text AS in_latin1;

-- not so of a type that is not PostgreSQL's own, and may hold text though it has no collation: it is refused
SET client_min_messages = warning;
CREATE TYPE word;
CREATE FUNCTION word_in(cstring) RETURNS word LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION word_out(word) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE word (INPUT = word_in, OUTPUT = word_out, LIKE = text);
CREATE FUNCTION word_eq(word, word) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'byteaeq';
CREATE FUNCTION word_hash(word) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlena';
CREATE FUNCTION word_hash(word, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlenaextended';
CREATE OPERATOR = (FUNCTION = word_eq, LEFTARG = word, RIGHTARG = word);
CREATE OPERATOR CLASS word_ops DEFAULT FOR TYPE word USING hash AS OPERATOR 1 =, FUNCTION 1 word_hash(word), FUNCTION 2 (word, word) word_hash(word, bigint);
CREATE DOMAIN short_word AS word;
CREATE TYPE counted AS (word word, times int);
RESET client_min_messages;
SELECT ribbon_build(w::word) FROM unnest(ARRAY['abc', 'caf' || chr(233)]) AS w;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY terse
SELECT :'words'::ribbonfilter @> 'abc'::word;
SELECT ribbon_contains_any(:'words', '{abc}'::word[]);
SELECT ribbon_hash('abc'::short_word);
SELECT ribbon_hash('{abc}'::word[]);
SELECT ribbon_hash('{abc}'::short_word[]);
SELECT ribbon_hash('(abc,1)'::counted);
SELECT ribbon_hash(ROW(1, 'abc'::word));
SELECT ribbon_hash('{"(abc,1)"}'::counted[]);
\set VERBOSITY default
-- nor of hstore, which has a cast
SET client_min_messages = warning;
CREATE EXTENSION hstore;
RESET client_min_messages;
SELECT ribbon_hash('a=>1'::hstore);
SELECT ribbon_hash('a=>1'::hstore::jsonb) = ribbon_hash('{"a": "1"}'::jsonb) AS advised;
-- its text is fine
SELECT ribbon_build(w::word::text, 0.0001) = :'words' AS same_bytes FROM unnest(ARRAY['abc', 'caf' || chr(233)]) AS w;
SELECT ribbon_hash('[1,3)'::int4range) IS NOT NULL AS range, ribbon_hash('{[1,3)}'::int4multirange) IS NOT NULL AS multirange,
       ribbon_hash(ROW(1, '12:00+01'::timetz, '{1.5}'::numeric[])) IS NOT NULL AS row, ribbon_hash('1 2'::oidvector) IS NOT NULL AS oids;

-- every base type of the server's that has a hash function: a key here, or why not
CREATE FUNCTION judgement(type regtype) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	reason text;
BEGIN
	EXECUTE format('SELECT ribbon_build(NULL::%s)', type);
	RETURN 'a key';
EXCEPTION
	WHEN undefined_function THEN RETURN NULL;
	WHEN feature_not_supported THEN
		GET STACKED DIAGNOSTICS reason = PG_EXCEPTION_DETAIL;
		RETURN substring(reason FROM 'encoding|identifiers');
END $$;
SELECT judgement, string_agg(typname, ' ' ORDER BY typname COLLATE "C") AS types
  FROM pg_type, judgement(oid::regtype)
 WHERE oid < 10000 AND typtype = 'b' AND typcategory <> 'A' AND judgement IS NOT NULL
   AND typname NOT IN ('oid8', 'regdatabase') -- which are new in version 19
 GROUP BY judgement ORDER BY judgement COLLATE "C";

-- SQL_ASCII: who knows what the bytes mean; they are hashed as they are
\c regress_ribbon_ascii
CREATE EXTENSION ribbon;
SELECT ribbon_hash(chr(233)) = ribbon_hash('\xe9'::bytea) AS raw, ribbon_hash('abc'::text) AS abc;

\c :home
SELECT format('{"%s": 1, "zz": 2, "y": 3}', chr(233))::jsonb::text AS in_utf8;
DROP FUNCTION nested;
DROP TYPE textrange;
DROP DATABASE regress_ribbon_latin1;
DROP DATABASE regress_ribbon_ascii;
