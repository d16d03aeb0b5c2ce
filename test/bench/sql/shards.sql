-- shards.sql - a set too large for one filter: built in shards, of keys that are made on the fly
--
-- usage: psql -v keys=2000000000 -v shards=64 -f test/bench/sql/shards.sql
--        psql -v keys=200000000 -v shards=6 ...    shards of the same size: a tenth of the time and of the disk
--        psql -v passes=4 ...                      a fourth of the disk: all keys are made four times
--
-- Keys are 20 bytes, as those of SHA-1.  Temporary files take 8 bytes a key, divided by the passes.  Prints for each
-- pass its seconds and the most memory that the session has had; then bytes, and what one probe costs; and of 100,000
-- keys that are in the set how many are denied (none), and of as many others how many pass.  Needs a superuser and
-- Linux, to know about memory.
\set ON_ERROR_STOP on
\if :{?keys} \else \set keys 20000000 \endif
\if :{?shards} \else \set shards 64 \endif
\if :{?passes} \else \set passes 1 \endif
\if :{?fpr} \else \set fpr 0.01 \endif
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ribbon;
CREATE SCHEMA shards_bench;
SET search_path = shards_bench, public;
CREATE TABLE breached (shard int PRIMARY KEY, members ribbonfilter);
CREATE TABLE passes (pass int, seconds numeric, memory text);
CREATE FUNCTION key_of(i bigint) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN substr(sha256(int8send(i)), 1, 20);

-- the shards of a pass in one query, which keeps to work_mem
CREATE PROCEDURE build_all(keys bigint, shards int, passes int, fpr float8) LANGUAGE plpgsql AS $$
DECLARE
	begun timestamptz;
BEGIN
	FOR pass IN 0 .. passes - 1 LOOP
		begun := clock_timestamp();
		INSERT INTO shards_bench.breached
			SELECT ribbon_shard(key, shards), ribbon_build(key, fpr)
			  FROM (SELECT ribbon_key(shards_bench.key_of(generate_series(1, keys))) AS key) AS made
			 WHERE ribbon_shard(key, shards) % passes = pass
			 GROUP BY 1;
		INSERT INTO shards_bench.passes
			SELECT pass, round(extract(epoch FROM clock_timestamp() - begun), 1),
				   substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\s*(\d+ kB)');
		COMMIT;
	END LOOP;
END $$;
CALL build_all(:keys, :shards, :passes, :fpr);
VACUUM ANALYZE breached;
SELECT * FROM passes ORDER BY pass;
SELECT count(*) AS shards, sum(ribbon_cardinality(members)) AS keys, sum(length(members::bytea)) AS bytes,
	   round(sum(length(members::bytea)) * 8.0 / :keys, 3) AS bits_per_key, max(length(members::bytea)) AS largest
  FROM breached;

-- a probe of one key: buffers of the first ones, the time of 2,000
CREATE FUNCTION is_breached(asked bytea, shards int) RETURNS bool LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT members @> asked FROM breached WHERE shard = ribbon_shard(asked, shards));
END $$;
\ir buffers.sql
SELECT buffers(format('SELECT members @> key_of(%s) FROM breached WHERE shard = ribbon_shard(key_of(%1$s), %s)', i, :shards))
	   AS buffers FROM generate_series(11, 14) AS i;
\timing on
SELECT count(*) FILTER (WHERE is_breached(key_of(1 + i * 7919 % :keys), :shards)) AS of_2000 FROM generate_series(1, 2000::bigint) AS i;
SELECT count(*) FILTER (WHERE NOT members @> key) AS denied
  FROM (SELECT key_of(1 + i * 7919 % :keys) AS key FROM generate_series(1, 100000::bigint) AS i) AS k
  JOIN breached ON shard = ribbon_shard(key, :shards);
SELECT count(*) FILTER (WHERE members @> key) AS passed, 100000 * :fpr AS expected
  FROM (SELECT key_of(-i) AS key FROM generate_series(1, 100000::bigint) AS i) AS k
  JOIN breached ON shard = ribbon_shard(key, :shards);
\timing off
DROP SCHEMA shards_bench CASCADE;
