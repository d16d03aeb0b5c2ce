--
-- filters.sql - filters and maps of every sort, and what is to be known of them: for filters.py
--
-- The table "shapes" says which filters there are; each is a set of the keys 1
-- to n of a type, given by an expression of i.  "map_shapes" says the same of
-- maps, whose values are given by another expression, and NULL for some.
--
CREATE EXTENSION IF NOT EXISTS ribbon;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN code AS varchar(10);
CREATE TYPE pair AS (a int, b text);

CREATE TABLE types (type text PRIMARY KEY, expression text);
INSERT INTO types VALUES
	('int2', 'i % 32768'), ('int4', 'i'), ('int8', 'i * 10000000000'),
	('text', '''key '' || i'), ('varchar', '''été '' || i'), ('name', 'i::text'),
	('char(8)', 'i::text'), ('code', 'i::text'), ('bytea', 'int4send(i)'), ('uuid', 'md5(i::text)'),
	('bool', 'i % 2 = 1'), ('mood', '(enum_range(NULL::mood))[1 + i % 3]'),
	('date', '''2000-01-01''::date + i'),
	('time', '''00:00''::time + i * ''1 second''::interval'),
	('timetz', '''00:00+01''::timetz + i * ''1 second''::interval'),
	('timestamp', '''1999-01-01''::timestamp + i * ''1 hour''::interval'),
	('timestamptz', '''1999-01-01 UTC''::timestamptz + i * ''1 hour''::interval'),
	('interval', 'i * ''1 month 2 days 3 seconds''::interval'),
	('oid', 'i'), ('xid', 'i::text'), ('tid', 'format(''(%s,%s)'', i / 7, i % 7)'),
	('pg_lsn', '''0/'' || to_hex(i)'), ('"char"', 'i % 100'), ('oidvector', 'i || '' 1'''),
	('float4', 'i / 8.0'), ('float8', '(i - 500) / 7.0'), ('numeric', '(i - 500) / 7.0'),
	('numeric(10,2)', 'i / 4.0'),
	('macaddr', '(''08:00:2b:''::text || regexp_replace(lpad(to_hex(i), 6, ''0''), ''(..)(..)(..)'', ''\1:\2:\3''))'),
	('macaddr8', '(''08:00:2b:00:00:''::text || regexp_replace(lpad(to_hex(i), 6, ''0''), ''(..)(..)(..)'', ''\1:\2:\3''))'),
	('inet', '''10.0.0.0''::inet + i'), ('cidr', '''10.0.0.0''::inet + i'),
	('bit(32)', 'i::bit(32)'), ('varbit', 'substring(i::bit(24) FROM 1 + i % 5)'),
	('jsonb', 'jsonb_build_object(''a'', i, ''b'', ARRAY[i / 2.0, NULL])'),
	('int[]', 'ARRAY[i, -i, NULL]'), ('text[]', 'ARRAY[[i::text], [''x'']]'), ('float8[]', 'ARRAY[i / 7.0]'),
	('int4range', 'int4range(i, i + 5)'), ('numrange', 'numrange(i, i + 0.50)'),
	('tstzrange', 'tstzrange(''1999-01-01 UTC''::timestamptz + i * ''1 hour''::interval, NULL)'),
	('int4multirange', 'int4multirange(int4range(i, i + 5), int4range(-i - 5, -i))'),
	('pair', 'ROW(i, ''x'')'), ('pair[]', 'ARRAY[ROW(i, ''x'')::pair]');

-- every kind, width and rate of one type; every type at two rates; in all sizes
CREATE TABLE shapes (type text, kind text, width int, fpr float8, n int);
INSERT INTO shapes
	SELECT 'int8', kind, width, fpr, n
	  FROM unnest('{burr,homogeneous}'::text[]) AS kind, unnest('{32,64,128}'::int[]) AS width,
		   unnest('{0.5,0.03,0.01,0.00390625,1e-6}'::float8[]) AS fpr,
		   unnest('{0,1,10,1000,100000}'::int[]) AS n;
INSERT INTO shapes
	SELECT type, kind, 64, fpr, n
	  FROM types, (VALUES ('burr', 0.01), ('homogeneous', 0.001)) AS o (kind, fpr),
		   unnest('{0,1,10,1000,100000}'::int[]) AS n
	 WHERE type <> 'int8' AND (n <= 1000 OR kind = 'burr');
-- exact sets: 1 / fpr others for each member
INSERT INTO shapes
	SELECT type, 'exact', width, fpr, n
	  FROM unnest('{int8,text,uuid,jsonb}'::text[]) AS type, unnest('{32,64,128}'::int[]) AS width,
		   unnest('{4,0.5,0.03}'::float8[]) AS fpr, unnest('{0,1,10,1000,20000}'::int[]) AS n
	 WHERE type = 'int8' OR width = 64 AND n < 20000;

-- and with a rate, three others for each member
INSERT INTO shapes
	SELECT type, 'rated', width, fpr, n
	  FROM unnest('{int8,text}'::text[]) AS type, unnest('{32,64,128}'::int[]) AS width,
		   unnest('{0.5,0.3,0.01,0.00390625,2.3283064365386963e-10}'::float8[]) AS fpr, unnest('{0,1,10,1000,20000}'::int[]) AS n
	 WHERE type = 'int8' OR width = 64 AND n < 20000;

CREATE TABLE filters (name text PRIMARY KEY, shape shapes, f ribbonfilter);

CREATE FUNCTION key(s shapes) RETURNS text LANGUAGE sql
	RETURN (SELECT format('(%s)::%s', expression, type) FROM types WHERE types.type = s.type);

CREATE FUNCTION build(s shapes, OUT f ribbonfilter) LANGUAGE plpgsql AS $$
BEGIN
	IF s.kind = 'exact' THEN
		EXECUTE format('SELECT ribbon_build_exact(%s, i <= %s, %L) FROM generate_series(1, %s) AS i',
					   key(s), s.n, 'width=' || s.width, s.n + (s.n / s.fpr)::int) INTO f;
		RETURN;
	ELSIF s.kind = 'rated' THEN
		EXECUTE format('SELECT ribbon_build_exact(%s, i <= %s, %L::float8, %L) FROM generate_series(1, %s) AS i',
					   key(s), s.n, s.fpr, 'width=' || s.width, 4 * s.n) INTO f;
		RETURN;
	END IF;
	EXECUTE format('SELECT ribbon_build(%s, %L::float8, %L) FROM generate_series(1, %s) AS i',
				   key(s), s.fpr, 'kind=' || s.kind || ',width=' || s.width, s.n) INTO f;
END $$;

-- the members that are missing, and the answers to a thousand non-members
CREATE FUNCTION ask(s shapes, f ribbonfilter, OUT missing bigint, OUT answers text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*) FROM generate_series(1, %s) AS i WHERE NOT $1 @> %s', s.n, key(s))
		INTO missing USING f;
	EXECUTE format('SELECT md5(string_agg(($1 @> %s)::int::text, '''' ORDER BY i))'
				   '  FROM generate_series(%s, %s) AS i', key(s), s.n + 1, s.n + 1000)
		INTO answers USING f;
END $$;

CREATE VIEW facts AS
	SELECT name, a.missing, a.answers, s.*,
		   CASE WHEN s.kind <> 'exact' THEN md5(ribbon_shrink(f, CASE WHEN s.fpr < 0.1 THEN 0.1 ELSE 0.5 END)::bytea) END AS shrunk
	  FROM filters, ask(shape, f) AS a, ribbon_stats(f) AS s
	 ORDER BY name COLLATE "C";

-- values of every type; keys of every type; every width, rate and seed
CREATE TABLE map_shapes (key_type text, value_type text, width int, fpr float8, seed bigint, n int);
INSERT INTO map_shapes
	SELECT 'int8', type, 64, 0.01, 0, n FROM types, unnest('{0,1,10,1000,20000}'::int[]) AS n WHERE type NOT LIKE 'pair%';
INSERT INTO map_shapes
	SELECT type, 'int4range', 128, 1, 7, n FROM types, unnest('{10,1000}'::int[]) AS n;
INSERT INTO map_shapes
	SELECT 'int4', value_type, width, fpr, seed, n
	  FROM unnest('{int4,timestamptz,text}'::text[]) AS value_type, unnest('{32,64,128}'::int[]) AS width,
		   unnest('{1,0.5,0.001,1e-9}'::float8[]) AS fpr, unnest('{0,4294967295}'::bigint[]) AS seed,
		   unnest('{0,1,100,3000,50000}'::int[]) AS n
	 WHERE value_type <> 'text' OR n < 50000;

CREATE TABLE maps (name text PRIMARY KEY, shape map_shapes, m ribbonmap);

-- keys and their values, of i from first to last; of a key that comes again, the last one's
CREATE FUNCTION pairs(s map_shapes, first int, last int) RETURNS text LANGUAGE sql
	RETURN (SELECT format('(SELECT i, k, CASE WHEN i %% 17 > 0 THEN (SELECT (%s)::%s FROM (SELECT p.i %% 999 AS i) AS v) END AS v
							  FROM (SELECT DISTINCT ON (ribbon_hash(k)) i, k
									  FROM (SELECT i, (%s)::%s AS k FROM generate_series(%s, %s) AS i) AS s
									 ORDER BY ribbon_hash(k), i DESC) AS p) AS pairs',
						  v.expression, v.type, k.expression, k.type, first, last)
			  FROM types AS k, types AS v WHERE k.type = s.key_type AND v.type = s.value_type);

CREATE FUNCTION build(s map_shapes, OUT m ribbonmap) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT ribbon_map(k, v, %L::float8, %L) FROM %s', s.fpr, 'width=' || s.width || ',seed=' || s.seed, pairs(s, 1, s.n)) INTO m;
END $$;

-- the members that do not have their value, and the answers to a thousand non-members
CREATE FUNCTION ask(s map_shapes, m ribbonmap, OUT wrong bigint, OUT answers text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*) FROM %s WHERE NOT $1 @> k OR ribbon_get($1, k, NULL::%s)::text IS DISTINCT FROM v::text', pairs(s, 1, s.n), s.value_type)
		INTO wrong USING m;
	EXECUTE format('SELECT md5(string_agg(coalesce($1 ->> k, ''-''), '','' ORDER BY i)) FROM %s', pairs(s, s.n + 1, s.n + 1000))
		INTO answers USING m;
END $$;

CREATE VIEW map_facts AS
	SELECT name, a.wrong, a.answers, s.*
	  FROM maps, ask(shape, m) AS a, ribbon_stats(m) AS s
	 ORDER BY name COLLATE "C";
