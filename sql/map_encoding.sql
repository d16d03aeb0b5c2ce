--
-- Maps give the same values in databases of different encodings
--
SELECT format('CREATE TYPE %I AS ENUM (%L, ''plain'')', 'plan_' || chr(233), 'caf' || chr(233)) \gexec
SELECT format('CREATE DOMAIN accent AS %I', 'plan_' || chr(233)) \gexec
CREATE TABLE maps AS SELECT ribbon_map(w, w) AS texts, ribbon_map(i, (CASE i WHEN 1 THEN 'caf' || chr(233) ELSE 'plain' END)::accent) AS labels, ribbon_map(i, ARRAY[w, NULL]) AS arrays
  FROM unnest(ARRAY['abc', 'caf' || chr(233)]) WITH ORDINALITY AS u (w, i);
SELECT texts, labels, arrays FROM maps \gset
SELECT ribbon_map(i, repeat(chr(26085), i)) AS japanese FROM generate_series(1, 3) AS i \gset
SELECT (ribbon_stats(:'labels'::ribbonmap)).value_type = 'public.plan_' || chr(233) AS value_type, ribbon_get(:'labels', 1, NULL::accent)::text = 'caf' || chr(233) AS label, :'japanese'::ribbonmap ->> 2 = repeat(chr(26085), 2) AS japanese;
DROP TABLE maps;
SELECT format('DROP TYPE %I CASCADE', 'plan_' || chr(233)) AS drop \gset
SET client_min_messages = warning;
:drop;
RESET client_min_messages;
SELECT current_database() AS home \gset

CREATE DATABASE regress_ribbon_map_latin1 TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C';
CREATE DATABASE regress_ribbon_map_ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C';

-- LATIN1: one byte there, the same map; names of types and labels too
\c regress_ribbon_map_latin1
CREATE EXTENSION ribbon;
SELECT format('CREATE TYPE %I AS ENUM (%L, ''plain'')', 'plan_' || chr(233), 'caf' || chr(233)) \gexec
SELECT format('CREATE DOMAIN accent AS %I', 'plan_' || chr(233)) \gexec
SELECT length((:'texts'::ribbonmap ->> ('caf' || chr(233)))::bytea) AS bytes, :'texts'::ribbonmap ->> ('caf' || chr(233)) = 'caf' || chr(233) AS text, ribbon_get(:'texts', 'caf' || chr(233), '') = 'caf' || chr(233) AS got,
       :'labels'::ribbonmap ->> 1 = 'caf' || chr(233) AS label_text, ribbon_get(:'labels', 1, NULL::accent)::text = 'caf' || chr(233) AS label, ribbon_get(:'arrays', 2, NULL::text[]) = ARRAY['caf' || chr(233), NULL] AS array,
       (ribbon_stats(:'labels'::ribbonmap)).value_type = 'public.plan_' || chr(233) AS value_type;
SELECT ribbon_map(w, w) = :'texts' AS same_texts, ribbon_map(i, (CASE i WHEN 1 THEN 'caf' || chr(233) ELSE 'plain' END)::accent) = :'labels' AS same_labels, ribbon_map(i, ARRAY[w, NULL]) = :'arrays' AS same_arrays
  FROM unnest(ARRAY['abc', 'caf' || chr(233)]) WITH ORDINALITY AS u (w, i);
-- a text that there is not in this encoding is an error, also the second time; the map is a map all the same
SELECT :'japanese'::ribbonmap ->> 2;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_get(:'japanese', 2, '');
SELECT ribbon_cardinality(:'japanese'::ribbonmap) AS keys, :'japanese'::ribbonmap @> 2 AS contains, ribbon_check(:'japanese'::ribbonmap) IS NOT NULL AS checked;

-- SQL_ASCII: the bytes, which are UTF-8 in a map
\c regress_ribbon_map_ascii
CREATE EXTENSION ribbon;
SELECT (:'texts'::ribbonmap ->> E'caf\303\251')::bytea AS text, (:'japanese'::ribbonmap ->> 1)::bytea AS japanese, ribbon_get(:'texts', E'caf\303\251'::text, '')::bytea AS got;
SELECT ribbon_map(w, w) = :'texts' AS same_texts FROM unnest(ARRAY['abc', E'caf\303\251']) AS w;
-- others are refused when a map is built
\set VERBOSITY sqlstate
SELECT ribbon_map(1, E'caf\351');
\set VERBOSITY default

\c :home
DROP DATABASE regress_ribbon_map_latin1;
DROP DATABASE regress_ribbon_map_ascii;
