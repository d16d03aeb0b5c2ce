\pset format unaligned
\pset tuples_only on
\set key 42
\set word ann

-- :key is written into the query, :'word' as a literal
SELECT members @> :key FROM audience WHERE name = 'eu';
SELECT members @> :'word' FROM audience WHERE name = 'words';

-- a prepared statement: say what a number or an array of them is
PREPARE has_any AS SELECT ribbon_contains_any(members, $1::bigint[]) FROM audience WHERE name = 'eu';
EXECUTE has_any('{42,424242}');
PREPARE has_all AS SELECT ribbon_contains_all(members, $1) FROM audience WHERE name = 'words';
EXECUTE has_all('{ann,eve}');

-- a filter into a variable, as '\x...', and from it into a query
SELECT members AS eu, octet_length(members::bytea) AS bytes FROM audience WHERE name = 'eu' \gset
SELECT :bytes, length(:'eu') = 2 + 2 * :bytes;

-- into a file and into a table, as bytes
\copy (SELECT 'copy', members FROM audience WHERE name = 'eu') TO 'eu.copy' (FORMAT binary)
\copy audience FROM 'eu.copy' (FORMAT binary)
SELECT :'eu'::ribbonfilter @> :key;
