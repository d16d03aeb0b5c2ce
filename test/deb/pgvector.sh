#!/bin/bash
#
# pgvector.sh - a filter as a list of who may see it, before a search by vectors
#
# usage: test/lib/cluster.sh test/deb/pgvector.sh [ROWS]
#
# The recipe of docs/recipes.md, measured: with one row in 100 allowed, the ten
# nearest, by a filter, by an array, by a join with the list; how many of the
# truly nearest are among them, and how many that are not allowed.

. "$(dirname "$0")/../lib/common.sh"
find_postgres

rows=${1:-20000}

psql -Xq -v ON_ERROR_STOP=1 -v rows="$rows" <<'END'
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION vector;
CREATE EXTENSION ribbon;
SELECT setseed(0.5) \gset
CREATE TABLE items AS SELECT id, ARRAY(SELECT random() + 0 * id FROM generate_series(1, 32))::vector(32) AS embedding
  FROM generate_series(1, :rows) AS s (id);
SET maintenance_work_mem = '1GB';
CREATE INDEX ON items USING hnsw (embedding vector_l2_ops);
CREATE TABLE allowed AS SELECT id FROM items WHERE ribbon_shard(id, 100) = 0;
ALTER TABLE allowed ADD PRIMARY KEY (id);
CREATE TABLE filters AS SELECT 'allowed' AS name, ribbon_build(id, 0.0001) AS members FROM allowed;
INSERT INTO filters SELECT 'one percent', ribbon_build(id, 0.01) FROM allowed;
CREATE TABLE questions AS SELECT q, ARRAY(SELECT random() + 0 * q FROM generate_series(1, 32))::vector(32) AS embedding
  FROM generate_series(1, 50) AS s (q);
ANALYZE;

CREATE TABLE ways (n int, way text, scan text, query text);
INSERT INTO ways VALUES
	(0, 'exact', 'off', 'SELECT id FROM items JOIN allowed USING (id) ORDER BY embedding <-> $1 LIMIT 10'),
	(1, 'filter', 'strict_order', 'SELECT id FROM items WHERE (SELECT members FROM filters WHERE name = ''allowed'') @> id ORDER BY embedding <-> $1 LIMIT 10'),
	(2, 'filter, looked up', 'strict_order', 'SELECT id FROM (SELECT id FROM items WHERE (SELECT members FROM filters WHERE name = ''allowed'') @> id ORDER BY embedding <-> $1 LIMIT 40) AS s'
		' WHERE EXISTS (SELECT FROM allowed AS a WHERE a.id = s.id) LIMIT 10'),
	(3, 'EXISTS', 'strict_order', 'SELECT id FROM items WHERE EXISTS (SELECT FROM allowed AS a WHERE a.id = items.id OFFSET 0) ORDER BY embedding <-> $1 LIMIT 10'),
	(4, 'array', 'strict_order', 'SELECT id FROM items WHERE id = ANY ($2) ORDER BY embedding <-> $1 LIMIT 10'),
	(6, 'filter, 1 %', 'strict_order', 'SELECT id FROM items WHERE (SELECT members FROM filters WHERE name = ''one percent'') @> id ORDER BY embedding <-> $1 LIMIT 10'),
	(5, 'filter, not iterative', 'off', 'SELECT id FROM items WHERE (SELECT members FROM filters WHERE name = ''allowed'') @> id ORDER BY embedding <-> $1 LIMIT 10');
CREATE TABLE answers (n int, q int, ids int[], ms float8);
DO $$
DECLARE
	way record;
	question record;
	list int[] := (SELECT array_agg(id) FROM allowed);
	ids int[];
	start timestamptz;
BEGIN
	PERFORM set_config('hnsw.max_scan_tuples', '1000000', false);
	PERFORM set_config('hnsw.scan_mem_multiplier', '100', false);
	PERFORM set_config('max_parallel_workers_per_gather', '0', false);
	FOR way IN SELECT * FROM ways ORDER BY n LOOP
		PERFORM set_config('hnsw.iterative_scan', way.scan, false);
		PERFORM set_config('enable_indexscan', (way.n > 0)::text, false);
		PERFORM set_config('enable_seqscan', (way.n = 0)::text, false);
		PERFORM set_config('enable_sort', (way.n = 0)::text, false);
		FOR question IN SELECT * FROM questions LOOP
			start := clock_timestamp();
			EXECUTE format('SELECT array_agg(id) FROM (%s) AS s', way.query) INTO ids USING question.embedding, list;
			INSERT INTO answers VALUES (way.n, question.q, ids, 1000 * extract(epoch FROM clock_timestamp() - start));
		END LOOP;
	END LOOP;
END $$;
CREATE VIEW figures AS
SELECT a.n, way, round(avg((SELECT count(*) FROM unnest(a.ids) AS id JOIN unnest(e.ids) AS i ON i = id)) / 10, 3) AS recall,
	   round(avg((SELECT count(*) FROM unnest(a.ids) AS i WHERE i NOT IN (SELECT id FROM allowed))), 2) AS "not allowed",
	   round(avg(cardinality(a.ids)), 1) AS rows, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY a.ms)::numeric, 2) AS ms
  FROM answers AS a JOIN ways USING (n) JOIN answers AS e ON e.q = a.q AND e.n = 0 GROUP BY a.n, way;
SELECT way, recall, "not allowed", rows, ms FROM figures ORDER BY n;
END

# holds NAME CONDITION: of the figures
holds()
{
	if [ "$(psql -XAtq -c "SELECT $2")" = t ]; then
		ok "$1"
	else
		not_ok "$1"
	fi
}

holds "a filter finds what an array finds of the truly nearest, but for one in 20" \
	"(SELECT recall FROM figures WHERE n = 1) > (SELECT recall FROM figures WHERE n = 4) - 0.05"
holds "at a rate as high as the share of who is allowed, half of them are not" \
	'(SELECT "not allowed" BETWEEN 4 AND 6 FROM figures WHERE n = 6)'
holds "looked up, none is there that is not allowed" '(SELECT "not allowed" = 0 FROM figures WHERE n = 2)'
holds "without the iterative scan, rows are missing" "(SELECT rows < 10 FROM figures WHERE n = 5)"
[ "$failed" = 0 ]
