--
-- Text hashes alike in databases of different encodings
--
SELECT ribbon_hash(chr(233)) AS e_acute, ribbon_hash('\xc3a9'::bytea) AS its_utf8,
       ribbon_hash('abc'::text) AS abc;
SELECT ribbon_build(w, 0.0001) AS words FROM unnest(ARRAY['abc', 'caf' || chr(233)]) AS w \gset
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

-- inside another type the server would hash the encoded bytes: refused there
\set VERBOSITY terse
SELECT ribbon_hash(ARRAY[chr(233)]);
SELECT ribbon_hash('{"a": 1}'::jsonb);
SELECT ribbon_hash(ARRAY[1, 2]) IS NOT NULL AS integers_are_fine;
\set VERBOSITY default

-- SQL_ASCII: who knows what the bytes mean; they are hashed as they are
\c regress_ribbon_ascii
CREATE EXTENSION ribbon;
SELECT ribbon_hash(chr(233)) = ribbon_hash('\xe9'::bytea) AS raw, ribbon_hash('abc'::text) AS abc;

\c :home
DROP DATABASE regress_ribbon_latin1;
DROP DATABASE regress_ribbon_ascii;
