/* ribbon--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION ribbon" to load this file. \quit

--
-- Filters: sets of keys
--

CREATE TYPE ribbonfilter;

CREATE FUNCTION ribbon_in(cstring) RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_in(cstring) IS 'I/O';

CREATE FUNCTION ribbon_out(ribbonfilter) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_out(ribbonfilter) IS 'I/O';

CREATE FUNCTION ribbon_recv(internal) RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_recv(internal) IS 'I/O';

CREATE FUNCTION ribbon_send(ribbonfilter) RETURNS bytea
	AS 'byteasend' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_send(ribbonfilter) IS 'I/O';

CREATE FUNCTION ribbon_typanalyze(internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_typanalyze(internal) IS 'statistics of a column of filters or maps';

-- STORAGE: the payload cannot be compressed, and slices of it are read.
-- CATEGORY: filters, maps and sets of keys share one.  Some functions take several of
-- them, and an untyped literal or parameter is a filter to these, the preferred type.
CREATE TYPE ribbonfilter (
	INPUT = ribbon_in,
	OUTPUT = ribbon_out,
	RECEIVE = ribbon_recv,
	SEND = ribbon_send,
	ANALYZE = ribbon_typanalyze,
	INTERNALLENGTH = VARIABLE,
	STORAGE = external,
	CATEGORY = 'r',
	PREFERRED = true
);
COMMENT ON TYPE ribbonfilter IS
	'set of keys, in a few bits each: never a wrong no, rarely a wrong yes; one of kind exact is right about all keys that it was built from: others pass at its rate or, if it has none, may get any answer';

CREATE FUNCTION ribbon_from_bytea(bytea) RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_from_bytea(bytea) IS 'read a filter from its bytes, and validate them';

CREATE CAST (ribbonfilter AS bytea) WITHOUT FUNCTION AS ASSIGNMENT;
COMMENT ON CAST (ribbonfilter AS bytea) IS 'the bytes of a filter';

CREATE CAST (bytea AS ribbonfilter) WITH FUNCTION ribbon_from_bytea(bytea);
COMMENT ON CAST (bytea AS ribbonfilter) IS 'read a filter from its bytes, and validate them';

--
-- Maps: values for keys, without the keys
--

CREATE TYPE ribbonmap;

CREATE FUNCTION ribbon_map_in(cstring) RETURNS ribbonmap
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_in(cstring) IS 'I/O';

CREATE FUNCTION ribbon_map_out(ribbonmap) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_out(ribbonmap) IS 'I/O';

CREATE FUNCTION ribbon_map_recv(internal) RETURNS ribbonmap
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_recv(internal) IS 'I/O';

CREATE FUNCTION ribbon_map_send(ribbonmap) RETURNS bytea
	AS 'byteasend' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_send(ribbonmap) IS 'I/O';

CREATE TYPE ribbonmap (
	INPUT = ribbon_map_in,
	OUTPUT = ribbon_map_out,
	RECEIVE = ribbon_map_recv,
	SEND = ribbon_map_send,
	ANALYZE = ribbon_typanalyze,
	INTERNALLENGTH = VARIABLE,
	STORAGE = external,
	CATEGORY = 'r'
);
COMMENT ON TYPE ribbonmap IS 'map from keys to values, in a few bits each, without the keys';

CREATE FUNCTION ribbon_map_from_bytea(bytea) RETURNS ribbonmap
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_from_bytea(bytea) IS 'read a map from its bytes, and validate them';

CREATE CAST (ribbonmap AS bytea) WITHOUT FUNCTION AS ASSIGNMENT;
COMMENT ON CAST (ribbonmap AS bytea) IS 'the bytes of a map';

CREATE CAST (bytea AS ribbonmap) WITH FUNCTION ribbon_map_from_bytea(bytea);
COMMENT ON CAST (bytea AS ribbonmap) IS 'read a map from its bytes, and validate them';

--
-- Keys: their hashes, as a type and as numbers
--

CREATE TYPE ribbonkey;

CREATE FUNCTION ribbonkey_in(cstring) RETURNS ribbonkey
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkey_in(cstring) IS 'I/O';

CREATE FUNCTION ribbonkey_out(ribbonkey) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkey_out(ribbonkey) IS 'I/O';

CREATE FUNCTION ribbonkey_recv(internal) RETURNS ribbonkey
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkey_recv(internal) IS 'I/O';

CREATE FUNCTION ribbonkey_send(ribbonkey) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkey_send(ribbonkey) IS 'I/O';

CREATE TYPE ribbonkey (
	INPUT = ribbonkey_in,
	OUTPUT = ribbonkey_out,
	RECEIVE = ribbonkey_recv,
	SEND = ribbonkey_send,
	INTERNALLENGTH = 20,
	ALIGNMENT = char
);
COMMENT ON TYPE ribbonkey IS 'hashes of a key, accepted wherever a key is';

CREATE FUNCTION ribbon_key(key anycompatible) RETURNS ribbonkey
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_key(anycompatible) IS
	'hash a key; the result is accepted wherever a key is';

CREATE FUNCTION ribbon_hash(key anycompatible) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_hash(anycompatible) IS 'the 64-bit hash by which filters know this key';

CREATE FUNCTION ribbon_shard(key anycompatible, shards int) RETURNS int
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_shard(anycompatible, int) IS
	'number from 0 to shards - 1 for this key, to spread a set over several filters';

--
-- Building filters
--

-- A key is anycompatible, not anyelement: the same, but that an untyped literal
-- or parameter is text.  (A second function for text would be a worse answer:
-- what casts to text implicitly, like "char", would fit both, and citext would
-- come as text.)

CREATE FUNCTION ribbon_build_transfn(internal, anycompatible) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_transfn(internal, anycompatible) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_build_transfn(internal, anycompatible, float8) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_transfn(internal, anycompatible, float8) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_build_transfn(internal, anycompatible, float8, text) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_transfn(internal, anycompatible, float8, text) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_build_combinefn(internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_combinefn(internal, internal) IS 'aggregate combine function';

CREATE FUNCTION ribbon_build_serialfn(internal) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_serialfn(internal) IS 'aggregate serial function';

CREATE FUNCTION ribbon_build_deserialfn(bytea, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_deserialfn(bytea, internal) IS 'aggregate deserial function';

CREATE FUNCTION ribbon_build_finalfn(internal, anycompatible) RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_finalfn(internal, anycompatible) IS 'aggregate final function';

CREATE FUNCTION ribbon_build_finalfn(internal, anycompatible, float8) RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_finalfn(internal, anycompatible, float8) IS
	'aggregate final function';

CREATE FUNCTION ribbon_build_finalfn(internal, anycompatible, float8, text) RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_finalfn(internal, anycompatible, float8, text) IS
	'aggregate final function';

-- FINALFUNC_EXTRA: the key type is known even if no row came.  SSPACE: the bytes
-- of a small group, by which a planner decides whether groups are hashed.
CREATE AGGREGATE ribbon_build(key anycompatible) (
	SFUNC = ribbon_build_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_build_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn,
	DESERIALFUNC = ribbon_build_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build(anycompatible) IS
	'build a filter of the keys, with a false-positive rate of 1 %';

CREATE AGGREGATE ribbon_build(key anycompatible, fpr float8) (
	SFUNC = ribbon_build_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_build_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn,
	DESERIALFUNC = ribbon_build_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build(anycompatible, float8) IS
	'build a filter of the keys, with this false-positive rate';

CREATE AGGREGATE ribbon_build(key anycompatible, fpr float8, options text) (
	SFUNC = ribbon_build_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_build_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn,
	DESERIALFUNC = ribbon_build_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build(anycompatible, float8, text) IS
	'build a filter of the keys, with this false-positive rate, kind and width';

CREATE FUNCTION ribbon_size(keys bigint, fpr float8, options text DEFAULT '') RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_size(bigint, float8, text) IS
	'estimate the bytes that a filter of this many keys takes (pg_dump takes 768 MB at most)';

--
-- Building exact sets
--

-- Combine, serial and deserial functions are those of ribbon_build: a state says
-- itself what it is of.

CREATE FUNCTION ribbon_build_exact_transfn(internal, anycompatible, boolean) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_exact_transfn(internal, anycompatible, boolean) IS
	'aggregate transition function';

-- STABLE: as_of=now is the time of the transaction.
CREATE FUNCTION ribbon_build_exact_transfn(internal, anycompatible, boolean, text) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_exact_transfn(internal, anycompatible, boolean, text) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_build_exact_finalfn(internal, anycompatible, boolean) RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_exact_finalfn(internal, anycompatible, boolean) IS
	'aggregate final function';

CREATE FUNCTION ribbon_build_exact_finalfn(internal, anycompatible, boolean, text)
	RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_exact_finalfn(internal, anycompatible, boolean, text) IS
	'aggregate final function';

CREATE AGGREGATE ribbon_build_exact(key anycompatible, member boolean) (
	SFUNC = ribbon_build_exact_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_build_exact_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn,
	DESERIALFUNC = ribbon_build_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build_exact(anycompatible, boolean) IS
	'build an exact set: right about each of these keys, often wrong about others';

CREATE AGGREGATE ribbon_build_exact(key anycompatible, member boolean, options text) (
	SFUNC = ribbon_build_exact_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_build_exact_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn,
	DESERIALFUNC = ribbon_build_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build_exact(anycompatible, boolean, text) IS
	'build an exact set, with this width or as_of: right about each of these keys, often wrong about others';

CREATE FUNCTION ribbon_build_rated_transfn(internal, anycompatible, boolean, float8)
	RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_rated_transfn(internal, anycompatible, boolean, float8) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_build_rated_transfn(internal, anycompatible, boolean, float8, text)
	RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_rated_transfn(internal, anycompatible, boolean, float8, text) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_build_rated_finalfn(internal, anycompatible, boolean, float8)
	RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_rated_finalfn(internal, anycompatible, boolean, float8) IS
	'aggregate final function';

CREATE FUNCTION ribbon_build_rated_finalfn(internal, anycompatible, boolean, float8, text)
	RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_rated_finalfn(internal, anycompatible, boolean, float8, text) IS
	'aggregate final function';

CREATE AGGREGATE ribbon_build_exact(key anycompatible, member boolean, fpr float8) (
	SFUNC = ribbon_build_rated_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_build_rated_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn,
	DESERIALFUNC = ribbon_build_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build_exact(anycompatible, boolean, float8) IS
	'build an exact set with this rate: right about each of these keys, yes to others at the rate';

CREATE AGGREGATE ribbon_build_exact(key anycompatible, member boolean, fpr float8, options text) (
	SFUNC = ribbon_build_rated_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_build_rated_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn,
	DESERIALFUNC = ribbon_build_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build_exact(anycompatible, boolean, float8, text) IS
	'build an exact set with this rate, width or as_of: right about each of these keys, yes to others at the rate';

CREATE FUNCTION ribbon_as_of(as_of timestamptz) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_as_of(timestamptz) IS
	'the option as_of of ribbon_build_exact, for this time';

--
-- Sets of keys that travel
--

CREATE TYPE ribbonkeys;

CREATE FUNCTION ribbonkeys_in(cstring) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkeys_in(cstring) IS 'I/O';

CREATE FUNCTION ribbonkeys_out(ribbonkeys) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkeys_out(ribbonkeys) IS 'I/O';

CREATE FUNCTION ribbonkeys_recv(internal) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkeys_recv(internal) IS 'I/O';

CREATE FUNCTION ribbonkeys_send(ribbonkeys) RETURNS bytea
	AS 'byteasend' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkeys_send(ribbonkeys) IS 'I/O';

CREATE TYPE ribbonkeys (
	INPUT = ribbonkeys_in,
	OUTPUT = ribbonkeys_out,
	RECEIVE = ribbonkeys_recv,
	SEND = ribbonkeys_send,
	INTERNALLENGTH = VARIABLE,
	STORAGE = external,
	CATEGORY = 'r'
);
COMMENT ON TYPE ribbonkeys IS 'set of hashed keys, to build a filter from on another server';

CREATE FUNCTION ribbonkeys_from_bytea(bytea) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkeys_from_bytea(bytea) IS
	'read a set of keys from its bytes, and validate them';

CREATE CAST (ribbonkeys AS bytea) WITHOUT FUNCTION AS ASSIGNMENT;
COMMENT ON CAST (ribbonkeys AS bytea) IS 'the bytes of a set of keys';

CREATE CAST (bytea AS ribbonkeys) WITH FUNCTION ribbonkeys_from_bytea(bytea);
COMMENT ON CAST (bytea AS ribbonkeys) IS 'read a set of keys from its bytes, and validate them';

CREATE FUNCTION ribbon_cardinality(keys ribbonkeys) RETURNS bigint
	AS 'MODULE_PATHNAME', 'ribbonkeys_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_cardinality(ribbonkeys) IS 'number of distinct keys in the set';

-- VOLATILE, or else a planner might leave the call out where the result is not used
CREATE FUNCTION ribbon_check(keys ribbonkeys) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbonkeys_check' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_check(ribbonkeys) IS
	'check the bytes of a set of keys: true, or an error that says what is wrong';

CREATE FUNCTION ribbon_keys_transfn(ribbonkeys, anycompatible) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_keys_transfn(ribbonkeys, anycompatible) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_keys_combinefn(ribbonkeys, ribbonkeys) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_keys_combinefn(ribbonkeys, ribbonkeys) IS 'aggregate combine function';

CREATE FUNCTION ribbon_keys_finalfn(ribbonkeys, anycompatible) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_keys_finalfn(ribbonkeys, anycompatible) IS 'aggregate final function';

-- A state has a memory context of its own.  It is a value, not a pointer, so that
-- any engine can send it from one node to another.
CREATE AGGREGATE ribbon_keys(key anycompatible) (
	SFUNC = ribbon_keys_transfn,
	STYPE = ribbonkeys,
	SSPACE = 2048,
	FINALFUNC = ribbon_keys_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_keys_combinefn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_keys(anycompatible) IS
	'hash the keys to a set, to build a filter from on another server';

CREATE FUNCTION ribbon_build_keys_finalfn(ribbonkeys) RETURNS ribbonfilter
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_keys_finalfn(ribbonkeys) IS 'aggregate final function';

CREATE FUNCTION ribbon_build_keys_transfn(ribbonkeys, ribbonkeys) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_keys_transfn(ribbonkeys, ribbonkeys) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_build_keys_transfn(ribbonkeys, ribbonkeys, float8) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_keys_transfn(ribbonkeys, ribbonkeys, float8) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_build_keys_transfn(ribbonkeys, ribbonkeys, float8, text) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_keys_transfn(ribbonkeys, ribbonkeys, float8, text) IS
	'aggregate transition function';

CREATE AGGREGATE ribbon_build_keys(keys ribbonkeys) (
	SFUNC = ribbon_build_keys_transfn,
	STYPE = ribbonkeys,
	SSPACE = 2048,
	FINALFUNC = ribbon_build_keys_finalfn,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_keys_combinefn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build_keys(ribbonkeys) IS
	'build a filter of the keys of all these sets, with a false-positive rate of 1 %';

CREATE AGGREGATE ribbon_build_keys(keys ribbonkeys, fpr float8) (
	SFUNC = ribbon_build_keys_transfn,
	STYPE = ribbonkeys,
	SSPACE = 2048,
	FINALFUNC = ribbon_build_keys_finalfn,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_keys_combinefn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build_keys(ribbonkeys, float8) IS
	'build a filter of the keys of all these sets, with this false-positive rate';

CREATE AGGREGATE ribbon_build_keys(keys ribbonkeys, fpr float8, options text) (
	SFUNC = ribbon_build_keys_transfn,
	STYPE = ribbonkeys,
	SSPACE = 2048,
	FINALFUNC = ribbon_build_keys_finalfn,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_keys_combinefn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build_keys(ribbonkeys, float8, text) IS
	'build a filter of the keys of all these sets, with this false-positive rate, kind and width';

--
-- Building filters of hashed keys, and of literals
--

-- An untyped literal or parameter would fit both these functions and those of any
-- key; so a third one takes it: nothing else becomes a ribbonliteral by itself.

CREATE FUNCTION ribbon_build_transfn(ribbonkeys, ribbonkey) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME', 'ribbon_build_hashed_transfn' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_transfn(ribbonkeys, ribbonkey) IS 'aggregate transition function';

CREATE FUNCTION ribbon_build_transfn(ribbonkeys, ribbonkey, float8) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME', 'ribbon_build_hashed_transfn' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_transfn(ribbonkeys, ribbonkey, float8) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_build_transfn(ribbonkeys, ribbonkey, float8, text) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME', 'ribbon_build_hashed_transfn' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_build_transfn(ribbonkeys, ribbonkey, float8, text) IS
	'aggregate transition function';

CREATE AGGREGATE ribbon_build(key ribbonkey) (
	SFUNC = ribbon_build_transfn,
	STYPE = ribbonkeys,
	SSPACE = 2048,
	FINALFUNC = ribbon_build_keys_finalfn,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_keys_combinefn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build(ribbonkey) IS
	'build a filter of hashed keys, with a false-positive rate of 1 %';

CREATE AGGREGATE ribbon_build(key ribbonkey, fpr float8) (
	SFUNC = ribbon_build_transfn,
	STYPE = ribbonkeys,
	SSPACE = 2048,
	FINALFUNC = ribbon_build_keys_finalfn,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_keys_combinefn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build(ribbonkey, float8) IS
	'build a filter of hashed keys, with this false-positive rate';

CREATE AGGREGATE ribbon_build(key ribbonkey, fpr float8, options text) (
	SFUNC = ribbon_build_transfn,
	STYPE = ribbonkeys,
	SSPACE = 2048,
	FINALFUNC = ribbon_build_keys_finalfn,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_keys_combinefn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build(ribbonkey, float8, text) IS
	'build a filter of hashed keys, with this false-positive rate, kind and width';

CREATE FUNCTION ribbon_keys_transfn(ribbonkeys, ribbonkey) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME', 'ribbon_keys_hashed_transfn' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_keys_transfn(ribbonkeys, ribbonkey) IS 'aggregate transition function';

CREATE FUNCTION ribbon_keys_finalfn(ribbonkeys) RETURNS ribbonkeys
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_keys_finalfn(ribbonkeys) IS 'aggregate final function';

-- Of no argument that is of any type, unlike ribbon_keys(anycompatible), so that
-- an engine which compares types as declared can combine it, too.
CREATE AGGREGATE ribbon_keys(key ribbonkey) (
	SFUNC = ribbon_keys_transfn,
	STYPE = ribbonkeys,
	SSPACE = 2048,
	FINALFUNC = ribbon_keys_finalfn,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_keys_combinefn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_keys(ribbonkey) IS
	'set of hashed keys, to build a filter from on another server';

CREATE TYPE ribbonliteral;

CREATE FUNCTION ribbonliteral_in(cstring) RETURNS ribbonliteral
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonliteral_in(cstring) IS 'I/O';

CREATE FUNCTION ribbonliteral_out(ribbonliteral) RETURNS cstring
	AS 'textout' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonliteral_out(ribbonliteral) IS 'I/O';

CREATE FUNCTION ribbonliteral_recv(internal) RETURNS ribbonliteral
	AS 'textrecv' LANGUAGE internal STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonliteral_recv(internal) IS 'I/O';

CREATE FUNCTION ribbonliteral_send(ribbonliteral) RETURNS bytea
	AS 'textsend' LANGUAGE internal STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonliteral_send(ribbonliteral) IS 'I/O';

CREATE TYPE ribbonliteral (
	INPUT = ribbonliteral_in,
	OUTPUT = ribbonliteral_out,
	RECEIVE = ribbonliteral_recv,
	SEND = ribbonliteral_send,
	INTERNALLENGTH = VARIABLE,
	STORAGE = extended,
	CATEGORY = 'S',
	COLLATABLE = true
);
COMMENT ON TYPE ribbonliteral IS
	'text: what an untyped literal or parameter is as the key of ribbon_build and ribbon_keys';

-- text's operators, for DISTINCT and ORDER BY
CREATE CAST (ribbonliteral AS text) WITHOUT FUNCTION AS IMPLICIT;
COMMENT ON CAST (ribbonliteral AS text) IS 'the text';

CREATE AGGREGATE ribbon_build(key ribbonliteral) (
	SFUNC = ribbon_build_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_build_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn,
	DESERIALFUNC = ribbon_build_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build(ribbonliteral) IS
	'build a filter of a text literal, with a false-positive rate of 1 %';

CREATE AGGREGATE ribbon_build(key ribbonliteral, fpr float8) (
	SFUNC = ribbon_build_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_build_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn,
	DESERIALFUNC = ribbon_build_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build(ribbonliteral, float8) IS
	'build a filter of a text literal, with this false-positive rate';

CREATE AGGREGATE ribbon_build(key ribbonliteral, fpr float8, options text) (
	SFUNC = ribbon_build_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_build_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_build_combinefn,
	SERIALFUNC = ribbon_build_serialfn,
	DESERIALFUNC = ribbon_build_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_build(ribbonliteral, float8, text) IS
	'build a filter of a text literal, with this false-positive rate, kind and width';

CREATE AGGREGATE ribbon_keys(key ribbonliteral) (
	SFUNC = ribbon_keys_transfn,
	STYPE = ribbonkeys,
	SSPACE = 2048,
	FINALFUNC = ribbon_keys_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_keys_combinefn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_keys(ribbonliteral) IS 'hash a text literal to a set';

--
-- Probing filters
--

CREATE FUNCTION ribbon_contains_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_contains_support(internal) IS 'planner support for ribbon_contains';

CREATE FUNCTION ribbon_contained_by_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_contained_by_support(internal) IS 'planner support for <@';

CREATE FUNCTION ribbon_lookup_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_lookup_support(internal) IS
	'planner support for functions that look keys up and do not return whether one key is found';

CREATE FUNCTION ribbon_contains_sel(internal, oid, internal, integer) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_contains_sel(internal, oid, internal, integer) IS
	'restriction selectivity of @> and <@';

CREATE FUNCTION ribbon_contains_joinsel(internal, oid, internal, smallint, internal) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_contains_joinsel(internal, oid, internal, smallint, internal) IS
	'join selectivity of @> and <@';

CREATE FUNCTION ribbon_contains(filter ribbonfilter, key anycompatible) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbon_pg_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT ribbon_contains_support;
COMMENT ON FUNCTION ribbon_contains(ribbonfilter, anycompatible) IS 'is this key in the filter?';

CREATE FUNCTION ribbon_contained_by(key anycompatible, filter ribbonfilter) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT ribbon_contained_by_support;
COMMENT ON FUNCTION ribbon_contained_by(anycompatible, ribbonfilter) IS
	'implementation of <@ operator';

CREATE OPERATOR @> (
	LEFTARG = ribbonfilter,
	RIGHTARG = anycompatible,
	FUNCTION = ribbon_contains,
	COMMUTATOR = <@,
	RESTRICT = ribbon_contains_sel,
	JOIN = ribbon_contains_joinsel
);
COMMENT ON OPERATOR @> (ribbonfilter, anycompatible) IS 'contains';

CREATE OPERATOR <@ (
	LEFTARG = anycompatible,
	RIGHTARG = ribbonfilter,
	FUNCTION = ribbon_contained_by,
	COMMUTATOR = @>,
	RESTRICT = ribbon_contains_sel,
	JOIN = ribbon_contains_joinsel
);
COMMENT ON OPERATOR <@ (anycompatible, ribbonfilter) IS 'is contained by';

CREATE FUNCTION ribbon_contains_any(filter ribbonfilter, keys anycompatiblearray) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT ribbon_lookup_support;
COMMENT ON FUNCTION ribbon_contains_any(ribbonfilter, anycompatiblearray) IS
	'is any of these keys in the filter?';

CREATE FUNCTION ribbon_contains_all(filter ribbonfilter, keys anycompatiblearray) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT ribbon_lookup_support;
COMMENT ON FUNCTION ribbon_contains_all(ribbonfilter, anycompatiblearray) IS
	'are all of these keys in the filter?';

CREATE FUNCTION ribbon_member(filter ribbonfilter, key anycompatible, key_time timestamptz)
	RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT ribbon_lookup_support;
COMMENT ON FUNCTION ribbon_member(ribbonfilter, anycompatible, timestamptz) IS
	'is this key in the exact set? NULL if the key is newer than the set''s as_of';

--
-- Building maps
--

-- Two arguments of any type, which need not be the same: anyelement and
-- anycompatible.  A value may be an untyped literal, which is text; a key may
-- not.

CREATE FUNCTION ribbon_map_transfn(internal, anyelement, anycompatible) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_transfn(internal, anyelement, anycompatible) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_map_transfn(internal, anyelement, anycompatible, float8) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_transfn(internal, anyelement, anycompatible, float8) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_map_transfn(internal, anyelement, anycompatible, float8, text)
	RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_transfn(internal, anyelement, anycompatible, float8, text) IS
	'aggregate transition function';

CREATE FUNCTION ribbon_map_combinefn(internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_combinefn(internal, internal) IS 'aggregate combine function';

CREATE FUNCTION ribbon_map_serialfn(internal) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_serialfn(internal) IS 'aggregate serial function';

CREATE FUNCTION ribbon_map_deserialfn(bytea, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_deserialfn(bytea, internal) IS 'aggregate deserial function';

CREATE FUNCTION ribbon_map_finalfn(internal, anyelement, anycompatible) RETURNS ribbonmap
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_finalfn(internal, anyelement, anycompatible) IS
	'aggregate final function';

CREATE FUNCTION ribbon_map_finalfn(internal, anyelement, anycompatible, float8) RETURNS ribbonmap
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_finalfn(internal, anyelement, anycompatible, float8) IS
	'aggregate final function';

CREATE FUNCTION ribbon_map_finalfn(internal, anyelement, anycompatible, float8, text)
	RETURNS ribbonmap
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_finalfn(internal, anyelement, anycompatible, float8, text) IS
	'aggregate final function';

-- FINALFUNC_EXTRA: the types are known even if no row came.
CREATE AGGREGATE ribbon_map(key anyelement, value anycompatible) (
	SFUNC = ribbon_map_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_map_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_map_combinefn,
	SERIALFUNC = ribbon_map_serialfn,
	DESERIALFUNC = ribbon_map_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_map(anyelement, anycompatible) IS
	'build a map from keys to values, with a false-positive rate of 1 %';

CREATE AGGREGATE ribbon_map(key anyelement, value anycompatible, fpr float8) (
	SFUNC = ribbon_map_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_map_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_map_combinefn,
	SERIALFUNC = ribbon_map_serialfn,
	DESERIALFUNC = ribbon_map_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_map(anyelement, anycompatible, float8) IS
	'build a map from keys to values, with this false-positive rate';

CREATE AGGREGATE ribbon_map(key anyelement, value anycompatible, fpr float8, options text) (
	SFUNC = ribbon_map_transfn,
	STYPE = internal,
	SSPACE = 256,
	FINALFUNC = ribbon_map_finalfn,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = READ_ONLY,
	COMBINEFUNC = ribbon_map_combinefn,
	SERIALFUNC = ribbon_map_serialfn,
	DESERIALFUNC = ribbon_map_deserialfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ribbon_map(anyelement, anycompatible, float8, text) IS
	'build a map from keys to values, with this false-positive rate, width, seed and code';

--
-- Looking up in maps
--

CREATE FUNCTION ribbon_get_bigint(map ribbonmap, key anycompatible) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT ribbon_lookup_support;
COMMENT ON FUNCTION ribbon_get_bigint(ribbonmap, anycompatible) IS 'implementation of -> operator';

CREATE FUNCTION ribbon_get_text(map ribbonmap, key anycompatible) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT ribbon_lookup_support;
COMMENT ON FUNCTION ribbon_get_text(ribbonmap, anycompatible) IS 'implementation of ->> operator';

CREATE OPERATOR -> (
	LEFTARG = ribbonmap,
	RIGHTARG = anycompatible,
	FUNCTION = ribbon_get_bigint
);
COMMENT ON OPERATOR -> (ribbonmap, anycompatible) IS
	'get the value of this key as bigint; + binds tighter, so write (map -> key) + 1';

CREATE OPERATOR ->> (
	LEFTARG = ribbonmap,
	RIGHTARG = anycompatible,
	FUNCTION = ribbon_get_text
);
COMMENT ON OPERATOR ->> (ribbonmap, anycompatible) IS
	'get the value of this key as text; + binds tighter, as with ->';

-- STABLE: by way of the value type's input function, for which labels of enums,
-- say, may change.  Not strict: otherwise may be NULL.
CREATE FUNCTION ribbon_get(map ribbonmap, key anyelement, otherwise anycompatible)
	RETURNS anycompatible
	AS 'MODULE_PATHNAME', 'ribbon_pg_get' LANGUAGE C STABLE PARALLEL SAFE
	SUPPORT ribbon_lookup_support;
COMMENT ON FUNCTION ribbon_get(ribbonmap, anyelement, anycompatible) IS
	'the value of this key, or otherwise if the key is surely not in the map';

CREATE FUNCTION ribbon_contains(map ribbonmap, key anycompatible) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbon_map_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT ribbon_contains_support;
COMMENT ON FUNCTION ribbon_contains(ribbonmap, anycompatible) IS 'is this key in the map?';

CREATE FUNCTION ribbon_contained_by(key anycompatible, map ribbonmap) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbon_map_contained_by' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT ribbon_contained_by_support;
COMMENT ON FUNCTION ribbon_contained_by(anycompatible, ribbonmap) IS
	'implementation of <@ operator';

CREATE OPERATOR @> (
	LEFTARG = ribbonmap,
	RIGHTARG = anycompatible,
	FUNCTION = ribbon_contains,
	COMMUTATOR = <@,
	RESTRICT = ribbon_contains_sel,
	JOIN = ribbon_contains_joinsel
);
COMMENT ON OPERATOR @> (ribbonmap, anycompatible) IS 'contains';

CREATE OPERATOR <@ (
	LEFTARG = anycompatible,
	RIGHTARG = ribbonmap,
	FUNCTION = ribbon_contained_by,
	COMMUTATOR = @>,
	RESTRICT = ribbon_contains_sel,
	JOIN = ribbon_contains_joinsel
);
COMMENT ON OPERATOR <@ (anycompatible, ribbonmap) IS 'is contained by';

--
-- Inspecting and shrinking
--

CREATE FUNCTION ribbon_cardinality(filter ribbonfilter) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_cardinality(ribbonfilter) IS 'number of distinct keys in the filter';

CREATE FUNCTION ribbon_fpr(filter ribbonfilter) RETURNS float8
	AS 'MODULE_PATHNAME', 'ribbon_pg_fpr' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_fpr(ribbonfilter) IS 'expected false-positive rate of the filter';

CREATE FUNCTION ribbon_stats(
		filter ribbonfilter,
		OUT kind text,
		OUT key_type text,
		OUT keys bigint,
		OUT fpr float8,
		OUT bits_per_key float8,
		OUT overhead float8,
		OUT ribbon_width integer,
		OUT layers integer,
		OUT slots bigint,
		OUT empty_slots bigint,
		OUT bumped_keys bigint,
		OUT bytes bigint,
		OUT format_version integer,
		OUT universe bigint,
		OUT as_of timestamptz)
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_stats(ribbonfilter) IS
	'what the filter is and how large: overhead is the share of its bits beyond log2(1/fpr) per key, or of an exact set without a rate beyond the entropy of its members among its keys; bumped_keys left the first layer; universe is how many keys an exact set is right about';

-- VOLATILE, or else a planner might leave the call out where the result is not used
CREATE FUNCTION ribbon_check(filter ribbonfilter) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbon_pg_check' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_check(ribbonfilter) IS
	'check the bytes of a filter: true, or an error that says what is wrong';

CREATE FUNCTION ribbon_shrink(filter ribbonfilter, fpr float8) RETURNS ribbonfilter
	AS 'MODULE_PATHNAME', 'ribbon_pg_shrink' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_shrink(ribbonfilter, float8) IS
	'make a smaller filter of the same keys, with a higher false-positive rate';

CREATE FUNCTION ribbon_cardinality(map ribbonmap) RETURNS bigint
	AS 'MODULE_PATHNAME', 'ribbon_map_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_cardinality(ribbonmap) IS 'number of distinct keys in the map';

CREATE FUNCTION ribbon_fpr(map ribbonmap) RETURNS float8
	AS 'MODULE_PATHNAME', 'ribbon_pg_map_fpr' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_fpr(ribbonmap) IS
	'expected share of other keys that get a value from the map';

CREATE FUNCTION ribbon_stats(
		map ribbonmap,
		OUT kind text,
		OUT key_type text,
		OUT keys bigint,
		OUT fpr float8,
		OUT value_type text,
		OUT value_bits integer,
		OUT distinct_values bigint,
		OUT code text,
		OUT bits_per_key float8,
		OUT overhead float8,
		OUT ribbon_width integer,
		OUT layers integer,
		OUT slots bigint,
		OUT empty_slots bigint,
		OUT bumped_keys bigint,
		OUT bytes bigint,
		OUT format_version integer)
	AS 'MODULE_PATHNAME', 'ribbon_map_stats' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_stats(ribbonmap) IS
	'what the map is and how large: value_bits is the bits of a value or of its number in the dictionary; code is plain (as many bits for each value) or entropy (fewer for frequent ones); overhead is the share of its bits beyond log2(1/fpr) per key and the codes';

-- VOLATILE, or else a planner might leave the call out where the result is not used
CREATE FUNCTION ribbon_check(map ribbonmap) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbon_pg_map_check' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_check(ribbonmap) IS
	'check the bytes of a map: true, or an error that says what is wrong';

-- Each column is read by one query, and value by value only if that objects to
-- something.  What is returned then, but not thrown, are errors of class XX (corrupt
-- data) and 58 (files).  Not PARALLEL SAFE: subtransactions.
CREATE FUNCTION ribbon_check_table(
		checked regclass,
		OUT relation regclass,
		OUT attribute name,
		OUT item tid,
		OUT element integer,
		OUT complaint text)
	RETURNS SETOF record
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE ROWS 1
	SET search_path = pg_catalog, pg_temp
	SET row_security = off
	AS $$
DECLARE
	home text := (SELECT e.extnamespace::regnamespace FROM pg_extension AS e WHERE e.extname = 'ribbon');
	types regtype[] := ARRAY[home || '.ribbonfilter', home || '.ribbonmap', home || '.ribbonkeys'];
	class pg_class;
	has_arrays boolean;
	type regtype;
	stored record;
	part record;
	detail text;
BEGIN
	SELECT * INTO class FROM pg_class AS c WHERE c.oid = checked;
	IF NOT FOUND THEN
		RAISE undefined_table USING MESSAGE = format('relation with OID %s does not exist', checked::oid);
	ELSIF class.relkind NOT IN ('r', 'm', 'p') THEN
		RAISE wrong_object_type USING
			MESSAGE = format('"%s" is not a table or materialized view', class.relname),
			HINT = 'Filters and maps are stored in tables and materialized views: check those that it reads.';
	END IF;

	-- columns of our types, arrays of them, and domains over any of these
	FOR attribute, type, has_arrays IN
		WITH RECURSIVE step (number, type, is_array) AS (
			SELECT a.attnum, a.atttypid, false FROM pg_attribute AS a
			 WHERE a.attrelid = checked AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated <> 'v'
			UNION ALL
			SELECT s.number, CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END, s.is_array OR t.typtype <> 'd'
			  FROM step AS s JOIN pg_type AS t ON t.oid = s.type
			 WHERE t.typtype = 'd' OR t.typsubscript = 'array_subscript_handler'::regproc)
		SELECT a.attname, s.type, s.is_array FROM step AS s, pg_attribute AS a
		 WHERE s.type = ANY (types) AND a.attrelid = checked AND a.attnum = s.number ORDER BY s.number
	LOOP
		BEGIN
			EXECUTE format('SELECT count(%s.ribbon_check(v::%s)) FROM (SELECT %s AS v FROM %s) AS t', home, type,
				format(CASE WHEN has_arrays THEN 'unnest(%I)' ELSE '%I' END, attribute), checked);
			CONTINUE;
		EXCEPTION WHEN internal_error OR system_error THEN
			NULL;
		END;
		-- columns that have one type each time: value and array of the first type, of the second, of the third
		FOR stored IN EXECUTE (
			SELECT format('SELECT tableoid, ctid, %s FROM %s',
						  string_agg(format('%s::%s AS v%s, %s::%2$s[] AS a%3$s',
											CASE WHEN t = type AND NOT has_arrays THEN quote_ident(attribute) ELSE 'NULL' END, t, n,
											CASE WHEN t = type AND has_arrays THEN quote_ident(attribute) ELSE 'NULL' END), ', '), checked)
			  FROM unnest(types) WITH ORDINALITY AS u (t, n))
		LOOP
			relation := stored.tableoid;
			item := stored.ctid;
			element := NULL;
			BEGIN
				FOR part IN
					SELECT stored.v1, stored.v2, stored.v3, NULL::bigint AS n WHERE NOT has_arrays
					UNION ALL SELECT * FROM unnest(stored.a1, stored.a2, stored.a3) WITH ORDINALITY
				LOOP
					element := part.n;
					BEGIN
						EXECUTE format('SELECT %1$s.ribbon_check($1), %1$s.ribbon_check($2), %1$s.ribbon_check($3)', home)
							USING part.v1, part.v2, part.v3;
					EXCEPTION WHEN internal_error OR system_error THEN
						GET STACKED DIAGNOSTICS complaint = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
						complaint := complaint || coalesce(': ' || nullif(detail, ''), '');
						RETURN NEXT;
					END;
				END LOOP;
			EXCEPTION WHEN internal_error OR system_error THEN -- an array that cannot be read
				GET STACKED DIAGNOSTICS complaint = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
				complaint := complaint || coalesce(': ' || nullif(detail, ''), '');
				RETURN NEXT;
			END;
		END LOOP;
	END LOOP;
END $$;
COMMENT ON FUNCTION ribbon_check_table(regclass) IS
	'find damaged filters, maps and sets of keys in the columns of a table, also of its partitions and the tables that inherit them; foreign tables among these are read by their wrapper';

--
-- Comparing filters: byte by byte, as bytea does it
--
-- Four types are compared so.  What is said of each differs in the type's name alone, and
-- in the functions of ribbonkey, which is no varlena; sql/extension.sql compares what is
-- said of operators and their functions.

CREATE FUNCTION ribbon_eq(ribbonfilter, ribbonfilter) RETURNS boolean
	AS 'byteaeq' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_eq(ribbonfilter, ribbonfilter) IS 'implementation of = operator';

CREATE FUNCTION ribbon_ne(ribbonfilter, ribbonfilter) RETURNS boolean
	AS 'byteane' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_ne(ribbonfilter, ribbonfilter) IS 'implementation of <> operator';

CREATE FUNCTION ribbon_lt(ribbonfilter, ribbonfilter) RETURNS boolean
	AS 'bytealt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_lt(ribbonfilter, ribbonfilter) IS 'implementation of < operator';

CREATE FUNCTION ribbon_le(ribbonfilter, ribbonfilter) RETURNS boolean
	AS 'byteale' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_le(ribbonfilter, ribbonfilter) IS 'implementation of <= operator';

CREATE FUNCTION ribbon_gt(ribbonfilter, ribbonfilter) RETURNS boolean
	AS 'byteagt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_gt(ribbonfilter, ribbonfilter) IS 'implementation of > operator';

CREATE FUNCTION ribbon_ge(ribbonfilter, ribbonfilter) RETURNS boolean
	AS 'byteage' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_ge(ribbonfilter, ribbonfilter) IS 'implementation of >= operator';

CREATE FUNCTION ribbon_cmp(ribbonfilter, ribbonfilter) RETURNS integer
	AS 'byteacmp' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_cmp(ribbonfilter, ribbonfilter) IS 'less-equal-greater';

CREATE FUNCTION ribbon_filter_hash(ribbonfilter) RETURNS integer
	AS 'hashvarlena' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_filter_hash(ribbonfilter) IS 'hash';

CREATE FUNCTION ribbon_filter_hash_extended(ribbonfilter, bigint) RETURNS bigint
	AS 'hashvarlenaextended' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_filter_hash_extended(ribbonfilter, bigint) IS 'hash';

CREATE OPERATOR = (
	LEFTARG = ribbonfilter,
	RIGHTARG = ribbonfilter,
	FUNCTION = ribbon_eq,
	COMMUTATOR = =,
	NEGATOR = <>,
	RESTRICT = eqsel,
	JOIN = eqjoinsel,
	HASHES,
	MERGES
);
COMMENT ON OPERATOR = (ribbonfilter, ribbonfilter) IS 'equal, byte by byte';

CREATE OPERATOR <> (
	LEFTARG = ribbonfilter,
	RIGHTARG = ribbonfilter,
	FUNCTION = ribbon_ne,
	COMMUTATOR = <>,
	NEGATOR = =,
	RESTRICT = neqsel,
	JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (ribbonfilter, ribbonfilter) IS 'not equal';

CREATE OPERATOR < (
	LEFTARG = ribbonfilter,
	RIGHTARG = ribbonfilter,
	FUNCTION = ribbon_lt,
	COMMUTATOR = >,
	NEGATOR = >=,
	RESTRICT = scalarltsel,
	JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (ribbonfilter, ribbonfilter) IS 'less than, byte by byte';

CREATE OPERATOR <= (
	LEFTARG = ribbonfilter,
	RIGHTARG = ribbonfilter,
	FUNCTION = ribbon_le,
	COMMUTATOR = >=,
	NEGATOR = >,
	RESTRICT = scalarlesel,
	JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (ribbonfilter, ribbonfilter) IS 'less than or equal';

CREATE OPERATOR > (
	LEFTARG = ribbonfilter,
	RIGHTARG = ribbonfilter,
	FUNCTION = ribbon_gt,
	COMMUTATOR = <,
	NEGATOR = <=,
	RESTRICT = scalargtsel,
	JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (ribbonfilter, ribbonfilter) IS 'greater than, byte by byte';

CREATE OPERATOR >= (
	LEFTARG = ribbonfilter,
	RIGHTARG = ribbonfilter,
	FUNCTION = ribbon_ge,
	COMMUTATOR = <=,
	NEGATOR = <,
	RESTRICT = scalargesel,
	JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (ribbonfilter, ribbonfilter) IS 'greater than or equal';

CREATE OPERATOR CLASS ribbon_hash_ops
	DEFAULT FOR TYPE ribbonfilter USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 ribbon_filter_hash(ribbonfilter),
	FUNCTION 2 ribbon_filter_hash_extended(ribbonfilter, bigint);
COMMENT ON OPERATOR CLASS ribbon_hash_ops USING hash IS 'hash operators for ribbonfilter';
COMMENT ON OPERATOR FAMILY ribbon_hash_ops USING hash IS 'hash operators for ribbonfilter';

-- the order of the bytes means nothing, but is one: for sorting and for indexes
CREATE OPERATOR CLASS ribbon_btree_ops
	DEFAULT FOR TYPE ribbonfilter USING btree AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 ribbon_cmp(ribbonfilter, ribbonfilter),
	FUNCTION 2 bytea_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS ribbon_btree_ops USING btree IS 'order of ribbonfilter, byte by byte';
COMMENT ON OPERATOR FAMILY ribbon_btree_ops USING btree IS 'order of ribbonfilter, byte by byte';

--
-- Comparing maps: byte by byte
--

CREATE FUNCTION ribbon_eq(ribbonmap, ribbonmap) RETURNS boolean
	AS 'byteaeq' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_eq(ribbonmap, ribbonmap) IS 'implementation of = operator';

CREATE FUNCTION ribbon_ne(ribbonmap, ribbonmap) RETURNS boolean
	AS 'byteane' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_ne(ribbonmap, ribbonmap) IS 'implementation of <> operator';

CREATE FUNCTION ribbon_lt(ribbonmap, ribbonmap) RETURNS boolean
	AS 'bytealt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_lt(ribbonmap, ribbonmap) IS 'implementation of < operator';

CREATE FUNCTION ribbon_le(ribbonmap, ribbonmap) RETURNS boolean
	AS 'byteale' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_le(ribbonmap, ribbonmap) IS 'implementation of <= operator';

CREATE FUNCTION ribbon_gt(ribbonmap, ribbonmap) RETURNS boolean
	AS 'byteagt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_gt(ribbonmap, ribbonmap) IS 'implementation of > operator';

CREATE FUNCTION ribbon_ge(ribbonmap, ribbonmap) RETURNS boolean
	AS 'byteage' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_ge(ribbonmap, ribbonmap) IS 'implementation of >= operator';

CREATE FUNCTION ribbon_cmp(ribbonmap, ribbonmap) RETURNS integer
	AS 'byteacmp' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_cmp(ribbonmap, ribbonmap) IS 'less-equal-greater';

CREATE FUNCTION ribbon_map_hash(ribbonmap) RETURNS integer
	AS 'hashvarlena' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_hash(ribbonmap) IS 'hash';

CREATE FUNCTION ribbon_map_hash_extended(ribbonmap, bigint) RETURNS bigint
	AS 'hashvarlenaextended' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_map_hash_extended(ribbonmap, bigint) IS 'hash';

CREATE OPERATOR = (
	LEFTARG = ribbonmap,
	RIGHTARG = ribbonmap,
	FUNCTION = ribbon_eq,
	COMMUTATOR = =,
	NEGATOR = <>,
	RESTRICT = eqsel,
	JOIN = eqjoinsel,
	HASHES,
	MERGES
);
COMMENT ON OPERATOR = (ribbonmap, ribbonmap) IS 'equal, byte by byte';

CREATE OPERATOR <> (
	LEFTARG = ribbonmap,
	RIGHTARG = ribbonmap,
	FUNCTION = ribbon_ne,
	COMMUTATOR = <>,
	NEGATOR = =,
	RESTRICT = neqsel,
	JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (ribbonmap, ribbonmap) IS 'not equal';

CREATE OPERATOR < (
	LEFTARG = ribbonmap,
	RIGHTARG = ribbonmap,
	FUNCTION = ribbon_lt,
	COMMUTATOR = >,
	NEGATOR = >=,
	RESTRICT = scalarltsel,
	JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (ribbonmap, ribbonmap) IS 'less than, byte by byte';

CREATE OPERATOR <= (
	LEFTARG = ribbonmap,
	RIGHTARG = ribbonmap,
	FUNCTION = ribbon_le,
	COMMUTATOR = >=,
	NEGATOR = >,
	RESTRICT = scalarlesel,
	JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (ribbonmap, ribbonmap) IS 'less than or equal';

CREATE OPERATOR > (
	LEFTARG = ribbonmap,
	RIGHTARG = ribbonmap,
	FUNCTION = ribbon_gt,
	COMMUTATOR = <,
	NEGATOR = <=,
	RESTRICT = scalargtsel,
	JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (ribbonmap, ribbonmap) IS 'greater than, byte by byte';

CREATE OPERATOR >= (
	LEFTARG = ribbonmap,
	RIGHTARG = ribbonmap,
	FUNCTION = ribbon_ge,
	COMMUTATOR = <=,
	NEGATOR = <,
	RESTRICT = scalargesel,
	JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (ribbonmap, ribbonmap) IS 'greater than or equal';

CREATE OPERATOR CLASS ribbon_map_hash_ops
	DEFAULT FOR TYPE ribbonmap USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 ribbon_map_hash(ribbonmap),
	FUNCTION 2 ribbon_map_hash_extended(ribbonmap, bigint);
COMMENT ON OPERATOR CLASS ribbon_map_hash_ops USING hash IS 'hash operators for ribbonmap';
COMMENT ON OPERATOR FAMILY ribbon_map_hash_ops USING hash IS 'hash operators for ribbonmap';

CREATE OPERATOR CLASS ribbon_map_btree_ops
	DEFAULT FOR TYPE ribbonmap USING btree AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 ribbon_cmp(ribbonmap, ribbonmap),
	FUNCTION 2 bytea_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS ribbon_map_btree_ops USING btree IS 'order of ribbonmap, byte by byte';
COMMENT ON OPERATOR FAMILY ribbon_map_btree_ops USING btree IS 'order of ribbonmap, byte by byte';

--
-- Comparing values of type ribbonkey: byte by byte
--

CREATE FUNCTION ribbon_eq(ribbonkey, ribbonkey) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbonkey_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_eq(ribbonkey, ribbonkey) IS 'implementation of = operator';

CREATE FUNCTION ribbon_ne(ribbonkey, ribbonkey) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbonkey_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_ne(ribbonkey, ribbonkey) IS 'implementation of <> operator';

CREATE FUNCTION ribbon_lt(ribbonkey, ribbonkey) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbonkey_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_lt(ribbonkey, ribbonkey) IS 'implementation of < operator';

CREATE FUNCTION ribbon_le(ribbonkey, ribbonkey) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbonkey_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_le(ribbonkey, ribbonkey) IS 'implementation of <= operator';

CREATE FUNCTION ribbon_gt(ribbonkey, ribbonkey) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbonkey_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_gt(ribbonkey, ribbonkey) IS 'implementation of > operator';

CREATE FUNCTION ribbon_ge(ribbonkey, ribbonkey) RETURNS boolean
	AS 'MODULE_PATHNAME', 'ribbonkey_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_ge(ribbonkey, ribbonkey) IS 'implementation of >= operator';

CREATE FUNCTION ribbon_cmp(ribbonkey, ribbonkey) RETURNS integer
	AS 'MODULE_PATHNAME', 'ribbonkey_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_cmp(ribbonkey, ribbonkey) IS 'less-equal-greater';

CREATE FUNCTION ribbonkey_hash(ribbonkey) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkey_hash(ribbonkey) IS 'hash';

CREATE FUNCTION ribbonkey_hash_extended(ribbonkey, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkey_hash_extended(ribbonkey, bigint) IS 'hash';

CREATE OPERATOR = (
	LEFTARG = ribbonkey,
	RIGHTARG = ribbonkey,
	FUNCTION = ribbon_eq,
	COMMUTATOR = =,
	NEGATOR = <>,
	RESTRICT = eqsel,
	JOIN = eqjoinsel,
	HASHES,
	MERGES
);
COMMENT ON OPERATOR = (ribbonkey, ribbonkey) IS 'equal, byte by byte';

CREATE OPERATOR <> (
	LEFTARG = ribbonkey,
	RIGHTARG = ribbonkey,
	FUNCTION = ribbon_ne,
	COMMUTATOR = <>,
	NEGATOR = =,
	RESTRICT = neqsel,
	JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (ribbonkey, ribbonkey) IS 'not equal';

CREATE OPERATOR < (
	LEFTARG = ribbonkey,
	RIGHTARG = ribbonkey,
	FUNCTION = ribbon_lt,
	COMMUTATOR = >,
	NEGATOR = >=,
	RESTRICT = scalarltsel,
	JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (ribbonkey, ribbonkey) IS 'less than, byte by byte';

CREATE OPERATOR <= (
	LEFTARG = ribbonkey,
	RIGHTARG = ribbonkey,
	FUNCTION = ribbon_le,
	COMMUTATOR = >=,
	NEGATOR = >,
	RESTRICT = scalarlesel,
	JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (ribbonkey, ribbonkey) IS 'less than or equal';

CREATE OPERATOR > (
	LEFTARG = ribbonkey,
	RIGHTARG = ribbonkey,
	FUNCTION = ribbon_gt,
	COMMUTATOR = <,
	NEGATOR = <=,
	RESTRICT = scalargtsel,
	JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (ribbonkey, ribbonkey) IS 'greater than, byte by byte';

CREATE OPERATOR >= (
	LEFTARG = ribbonkey,
	RIGHTARG = ribbonkey,
	FUNCTION = ribbon_ge,
	COMMUTATOR = <=,
	NEGATOR = <,
	RESTRICT = scalargesel,
	JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (ribbonkey, ribbonkey) IS 'greater than or equal';

CREATE OPERATOR CLASS ribbonkey_hash_ops
	DEFAULT FOR TYPE ribbonkey USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 ribbonkey_hash(ribbonkey),
	FUNCTION 2 ribbonkey_hash_extended(ribbonkey, bigint);
COMMENT ON OPERATOR CLASS ribbonkey_hash_ops USING hash IS 'hash operators for ribbonkey';
COMMENT ON OPERATOR FAMILY ribbonkey_hash_ops USING hash IS 'hash operators for ribbonkey';

CREATE OPERATOR CLASS ribbonkey_btree_ops
	DEFAULT FOR TYPE ribbonkey USING btree AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 ribbon_cmp(ribbonkey, ribbonkey),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS ribbonkey_btree_ops USING btree IS 'order of ribbonkey, byte by byte';
COMMENT ON OPERATOR FAMILY ribbonkey_btree_ops USING btree IS 'order of ribbonkey, byte by byte';

--
-- Comparing sets of keys that travel: byte by byte
--

CREATE FUNCTION ribbon_eq(ribbonkeys, ribbonkeys) RETURNS boolean
	AS 'byteaeq' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_eq(ribbonkeys, ribbonkeys) IS 'implementation of = operator';

CREATE FUNCTION ribbon_ne(ribbonkeys, ribbonkeys) RETURNS boolean
	AS 'byteane' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_ne(ribbonkeys, ribbonkeys) IS 'implementation of <> operator';

CREATE FUNCTION ribbon_lt(ribbonkeys, ribbonkeys) RETURNS boolean
	AS 'bytealt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_lt(ribbonkeys, ribbonkeys) IS 'implementation of < operator';

CREATE FUNCTION ribbon_le(ribbonkeys, ribbonkeys) RETURNS boolean
	AS 'byteale' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_le(ribbonkeys, ribbonkeys) IS 'implementation of <= operator';

CREATE FUNCTION ribbon_gt(ribbonkeys, ribbonkeys) RETURNS boolean
	AS 'byteagt' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_gt(ribbonkeys, ribbonkeys) IS 'implementation of > operator';

CREATE FUNCTION ribbon_ge(ribbonkeys, ribbonkeys) RETURNS boolean
	AS 'byteage' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_ge(ribbonkeys, ribbonkeys) IS 'implementation of >= operator';

CREATE FUNCTION ribbon_cmp(ribbonkeys, ribbonkeys) RETURNS integer
	AS 'byteacmp' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_cmp(ribbonkeys, ribbonkeys) IS 'less-equal-greater';

CREATE FUNCTION ribbonkeys_hash(ribbonkeys) RETURNS integer
	AS 'hashvarlena' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkeys_hash(ribbonkeys) IS 'hash';

CREATE FUNCTION ribbonkeys_hash_extended(ribbonkeys, bigint) RETURNS bigint
	AS 'hashvarlenaextended' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbonkeys_hash_extended(ribbonkeys, bigint) IS 'hash';

CREATE OPERATOR = (
	LEFTARG = ribbonkeys,
	RIGHTARG = ribbonkeys,
	FUNCTION = ribbon_eq,
	COMMUTATOR = =,
	NEGATOR = <>,
	RESTRICT = eqsel,
	JOIN = eqjoinsel,
	HASHES,
	MERGES
);
COMMENT ON OPERATOR = (ribbonkeys, ribbonkeys) IS 'equal, byte by byte';

CREATE OPERATOR <> (
	LEFTARG = ribbonkeys,
	RIGHTARG = ribbonkeys,
	FUNCTION = ribbon_ne,
	COMMUTATOR = <>,
	NEGATOR = =,
	RESTRICT = neqsel,
	JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (ribbonkeys, ribbonkeys) IS 'not equal';

CREATE OPERATOR < (
	LEFTARG = ribbonkeys,
	RIGHTARG = ribbonkeys,
	FUNCTION = ribbon_lt,
	COMMUTATOR = >,
	NEGATOR = >=,
	RESTRICT = scalarltsel,
	JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (ribbonkeys, ribbonkeys) IS 'less than, byte by byte';

CREATE OPERATOR <= (
	LEFTARG = ribbonkeys,
	RIGHTARG = ribbonkeys,
	FUNCTION = ribbon_le,
	COMMUTATOR = >=,
	NEGATOR = >,
	RESTRICT = scalarlesel,
	JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (ribbonkeys, ribbonkeys) IS 'less than or equal';

CREATE OPERATOR > (
	LEFTARG = ribbonkeys,
	RIGHTARG = ribbonkeys,
	FUNCTION = ribbon_gt,
	COMMUTATOR = <,
	NEGATOR = <=,
	RESTRICT = scalargtsel,
	JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (ribbonkeys, ribbonkeys) IS 'greater than, byte by byte';

CREATE OPERATOR >= (
	LEFTARG = ribbonkeys,
	RIGHTARG = ribbonkeys,
	FUNCTION = ribbon_ge,
	COMMUTATOR = <=,
	NEGATOR = <,
	RESTRICT = scalargesel,
	JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (ribbonkeys, ribbonkeys) IS 'greater than or equal';

CREATE OPERATOR CLASS ribbonkeys_hash_ops
	DEFAULT FOR TYPE ribbonkeys USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 ribbonkeys_hash(ribbonkeys),
	FUNCTION 2 ribbonkeys_hash_extended(ribbonkeys, bigint);
COMMENT ON OPERATOR CLASS ribbonkeys_hash_ops USING hash IS 'hash operators for ribbonkeys';
COMMENT ON OPERATOR FAMILY ribbonkeys_hash_ops USING hash IS 'hash operators for ribbonkeys';

CREATE OPERATOR CLASS ribbonkeys_btree_ops
	DEFAULT FOR TYPE ribbonkeys USING btree AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 ribbon_cmp(ribbonkeys, ribbonkeys),
	FUNCTION 2 bytea_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS ribbonkeys_btree_ops USING btree IS 'order of ribbonkeys, byte by byte';
COMMENT ON OPERATOR FAMILY ribbonkeys_btree_ops USING btree IS 'order of ribbonkeys, byte by byte';

--
-- What is going on
--

CREATE FUNCTION ribbon_progress_builds(
		OUT pid integer,
		OUT datid oid,
		OUT usesysid oid,
		OUT aggregate text,
		OUT phase text,
		OUT keys_read bigint,
		OUT keys_solved bigint,
		OUT layer integer,
		OUT percent float8,
		OUT temp_bytes bigint)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 10;
COMMENT ON FUNCTION ribbon_progress_builds() IS 'running builds, for the view ribbon_progress';

CREATE VIEW ribbon_progress AS
	SELECT b.pid, b.datid, d.datname, b.usesysid, r.rolname AS usename,
		   b.aggregate, b.phase, b.keys_read, b.keys_solved, b.layer,
		   round(b.percent::numeric, 1) AS percent, b.temp_bytes
	  FROM ribbon_progress_builds() AS b
		   LEFT JOIN pg_catalog.pg_database AS d ON d.oid = b.datid
		   LEFT JOIN pg_catalog.pg_roles AS r ON r.oid = b.usesysid;
GRANT SELECT ON ribbon_progress TO PUBLIC;
COMMENT ON VIEW ribbon_progress IS 'progress of the builds of all sessions';

CREATE FUNCTION ribbon_version() RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ribbon_version() IS 'version of the library that this session has loaded';
