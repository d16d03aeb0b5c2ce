--
-- ribbonfilter and bytea: the serialized bytes
--
CREATE TABLE bytes (b bytea);
CREATE TABLE filters (f ribbonfilter);

-- explicitly, both ways
SELECT '\x1101000000'::ribbonfilter::bytea AS bytes, '\x1101000000'::bytea::ribbonfilter AS filter;

-- a filter may be assigned to a bytea column, not the other way round
INSERT INTO bytes SELECT ribbon_build(i) FROM generate_series(1, 100) AS i;
INSERT INTO filters SELECT b FROM bytes;
\echo :LAST_ERROR_SQLSTATE
INSERT INTO filters SELECT b::ribbonfilter FROM bytes;
SELECT f::bytea = b AS same, f @> 100 AS found FROM filters, bytes;

-- neither is implicit (hints are worded otherwise from version 19 on)
\set VERBOSITY terse
SELECT length('\x1101000000'::ribbonfilter);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_cardinality('\x1101000000'::bytea);
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY default

-- the way in validates
SELECT '\x'::bytea::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT substr(b, 1, 20)::ribbonfilter FROM bytes;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x1112'::bytea::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE

-- bytes that are out of line or compressed are no different
TRUNCATE bytes;
INSERT INTO bytes SELECT ribbon_build(i) FROM generate_series(1, 20000) AS i;
SELECT ribbon_cardinality(b::ribbonfilter) AS keys FROM bytes;

DROP TABLE bytes, filters;
