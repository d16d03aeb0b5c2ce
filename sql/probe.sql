--
-- Probing: ribbon_contains, @> and <@
--
CREATE TABLE audience (name text PRIMARY KEY, members ribbonfilter);
INSERT INTO audience
SELECT 'n' || n, ribbon_build(i::bigint) FROM unnest(ARRAY[0, 1, 10, 100, 1000, 10000, 100000]) AS n,
       generate_series(1, n) AS i GROUP BY n;
INSERT INTO audience SELECT 'n0', ribbon_build(NULL::bigint);

-- every member is found; of 10000 non-members about 1 % are
SELECT name, ribbon_cardinality(members) AS keys,
       (SELECT count(*) FROM generate_series(1, ribbon_cardinality(members)) AS k
         WHERE ribbon_contains(members, k)) AS members_found,
       (SELECT count(*) FROM generate_series(1000001, 1010000) AS k
         WHERE ribbon_contains(members, k)) <= 150 AS few_nonmembers_found
  FROM audience ORDER BY ribbon_cardinality(members);

-- so with every kind, width and rate
SELECT kind, width, rate,
       (SELECT count(*) FROM generate_series(1, 3000) AS k WHERE f @> k) AS members_found,
       (SELECT count(*) FROM generate_series(100001, 110000) AS k WHERE f @> k)
       <= 10000 * rate + 5 * sqrt(10000 * rate) + 1 AS few_nonmembers_found
  FROM unnest('{burr,homogeneous,auto}'::text[]) AS kind, unnest('{32,64,128}'::int[]) AS width,
       unnest('{0.5,0.3,0.1,0.01,0.001,0.00001}'::float8[]) AS rate,
       LATERAL (SELECT ribbon_build(i, rate, format('kind=%s, width=%s', kind, width)) AS f
                  FROM generate_series(1, 3000) AS i) AS s
 ORDER BY kind COLLATE "C", width, rate;

-- the operators, both ways round
SELECT name FROM audience WHERE members @> 42::bigint AND name IN ('n10', 'n100', 'n1000') ORDER BY name;
SELECT name FROM audience WHERE 42 <@ members AND name IN ('n10', 'n100', 'n1000') ORDER BY name;

-- an untyped literal is text
CREATE TABLE words AS SELECT ribbon_build(w, 0.0001) AS f FROM unnest('{lorem,ipsum}'::text[]) AS w;
SELECT f @> 'lorem' AS member, f @> 'dolor' AS nonmember, 'ipsum' <@ f AS commuted,
       ribbon_contains(f, 'ipsum') AS by_function FROM words;

-- a parameter of a prepared statement, and an array of keys or of filters
PREPARE find(ribbonfilter, int) AS SELECT $1 @> $2;
SELECT members FROM audience WHERE name = 'n10' \gset
EXECUTE find(:'members', 7);
DEALLOCATE find;
SELECT name, members @> ANY (ARRAY[50, 60]) AS "any", members @> ALL (ARRAY[5, 10]) AS "all"
  FROM audience WHERE name IN ('n10', 'n100', 'n1000') ORDER BY name;
SELECT 1 <@ ANY (array_agg(members)) AS "any", 1 <@ ALL (array_agg(members)) AS "all" FROM audience;

-- NULL in, NULL out
SELECT NULL::ribbonfilter @> 1 AS no_filter, members @> NULL::int AS no_key
  FROM audience WHERE name = 'n10';

-- a key of another class is an error, never a silent no
SELECT members @> 'seven' FROM audience WHERE name = 'n10';
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_contains(members, 7::numeric) FROM audience WHERE name = 'n10';
\echo :LAST_ERROR_SQLSTATE
SELECT true <@ members FROM audience WHERE name = 'n0';
\echo :LAST_ERROR_SQLSTATE
SELECT f @> 7 FROM words;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build('00112233-4455-6677-8899-aabbccddeeff'::uuid) @> '00112233-4455-6677-8899-aabbccddeeff';
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build('\x5baa61'::bytea) @> '5baa61', ribbon_build('\x5baa61'::bytea) @> decode('5baa61', 'hex');
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build('\x5baa61'::bytea) @> decode('5baa61', 'hex') AS advised, ribbon_build('\x5baa61'::bytea) @> '5baa61'::bytea AS other_bytes;
SELECT ribbon_build('[1]'::jsonb) @> '[1]';
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build('2000-01-01'::date) @> '2000-01-01'::timestamp;
\echo :LAST_ERROR_SQLSTATE

-- one call site sees filters of several classes
SELECT ribbon_contains(f, 7)
  FROM (VALUES ('\x1101000000'::ribbonfilter), ('\x1102000000')) AS v(f);
\echo :LAST_ERROR_SQLSTATE

-- a filter of class "other" from a machine of the other byte order
SELECT CASE WHEN ribbon_build('\x1101000000'::ribbonfilter)::bytea::text LIKE '\\x__1c%'
            THEN '\x111d000000' ELSE '\x111c000000' END::ribbonfilter AS foreign_filter \gset
SELECT (ribbon_stats(:'foreign_filter')).key_type;
SELECT :'foreign_filter'::ribbonfilter @> :'foreign_filter'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x111d000000'::ribbonfilter @> '1'::xid; -- which is little-endian everywhere
SELECT :'foreign_filter'::ribbonfilter @> 1;
\echo :LAST_ERROR_SQLSTATE

-- arrays and ranges of another class are an error, too; of the same class they are found
SELECT ribbon_build(ARRAY[1, 2]) @> ARRAY[1::bigint, 2] AS bigints, ribbon_build(int4range(1, 5)) @> int8range(1, 5) AS int8range,
       ribbon_build(ARRAY['a'::varchar]) @> ARRAY['a'::text] AS text, ribbon_build('{}'::int[]) @> '{}'::bigint[] AS empty;
SELECT ribbon_build(ARRAY[1.5]) @> ARRAY[1, 2];
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(ARRAY[1]) @> ARRAY['a'];
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(ARRAY['1']) @> ARRAY[1];
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(int4range(1, 2)) @> numrange(1, 2);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(ARRAY[int4range(1, 2)]) @> ARRAY[numrange(1, 2)];
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(int4multirange(int4range(1, 2))) @> int4range(1, 2);
\echo :LAST_ERROR_SQLSTATE
-- so are rows with other columns among the first three, which "=" of rows compares one by one; NULLs are equal whatever their type
SELECT ribbon_build(ROW(1, 'x'::text)) @> ROW(1::int8, 'x') AS row, ribbon_build(ARRAY[ROW(1)]) @> ARRAY[ROW(1::int8)] AS array_of_rows,
       ribbon_build(ROW(1, NULL)) @> ROW(1, NULL::date) AS nulls, ribbon_build(ROW(1, NULL::date, 2)) @> ROW(1, NULL, 2) AS untyped_null,
       ribbon_contains_any(ribbon_build(ROW(1, 'x'::text)), ARRAY[ROW(2, 'x'::text), NULL, ROW(1, 'x'::text)]) AS "any",
       ribbon_contains_all(ribbon_build(ROW(1, 'x'::text)), ARRAY[ROW(2, 'x'::text), ROW(1, 'x'::text)]) AS "all";
SELECT ribbon_build(ROW('US'::char(5), 1)) @> ROW('US', 1);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(ROW(1, 2)) @> ROW(1.0, 2);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(ROW(NULL::int, 1, 2)) @> ROW(NULL::int, 1, 2.0);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(ARRAY[ROW(1)]) @> ARRAY[ROW(1.0)];
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_contains_any(ribbon_build(ROW(1, 'x'::text)), ARRAY[ROW(1, 'x'::text), ROW(1, 2)]) AS found_first;
SELECT ribbon_contains_any(ribbon_build(ROW(1, 'x'::text)), ARRAY[ROW(1, 2), ROW(1, 'x'::text)]);
\echo :LAST_ERROR_SQLSTATE
-- rows of several types in one filter: the same bytes in any order, and all are found
SELECT ribbon_build(r ORDER BY n) = ribbon_build(r ORDER BY -n) AS same_bytes, ribbon_build(r) AS f
  FROM (VALUES (1, ROW(1, 'a'::text)), (2, ROW(1.5, 'a'::text)), (3, ROW(1, NULL::text)), (4, ROW(2::int8, 'c'::text))) AS v (n, r) \gset
SELECT :'same_bytes' AS same_bytes, :'f'::ribbonfilter @> ROW(1, 'a'::text) AS integer, :'f'::ribbonfilter @> ROW(1.5, 'a'::text) AS numeric, :'f'::ribbonfilter @> ROW(1, NULL) AS null;
SELECT :'f'::ribbonfilter @> ROW(1, 2);
\echo :LAST_ERROR_SQLSTATE
-- what a user of intarray writes
SELECT ribbon_build(42) @> ARRAY[42];
\echo :LAST_ERROR_SQLSTATE
-- hints depend on no setting
SELECT ribbon_build('2000-01-01'::date) @> '2000-01-01';
SELECT ribbon_build('2000-01-01 00:00+00'::timestamptz) @> '2000-01-01'::date;
SELECT ribbon_build('2000-01-01 00:00+00'::timestamptz) @> '2000-01-01';
SELECT ribbon_build('2000-01-01'::text) @> '2000-01-01'::date;
SELECT ribbon_build('12:00Z'::timetz) @> '12:00 EST';
SELECT ribbon_build('1 day'::interval) @> '1 day';
SELECT ribbon_build('1'::text) @> 1.0;
-- where a cast rounds or cuts, the hint says which keys it is for: 3.5::bigint is 4
SELECT ribbon_build(4) @> 3.5::float8;
SELECT ribbon_contains_any(ribbon_build(4), ARRAY[3.5]);
SELECT ribbon_build(ARRAY[4]) @> ARRAY[3.5];
SELECT ribbon_build('12:00'::time) @> '2000-01-01 12:00'::timestamp;
SELECT ribbon_contains_all(ribbon_build('2000-01-01'::date), ARRAY['2000-01-01 12:00'::timestamp]);
SELECT ribbon_build(true) @> 2;
-- a cast of a float to numeric leaves digits out
SELECT ribbon_build(0.3) @> 0.3::float8;
SELECT ribbon_build(ARRAY[0.3]) @> ARRAY[0.3::float8];
SELECT ribbon_build(ARRAY[0.3]) @> ARRAY[0.3::text];
-- parts are named in words of SQL, too
SELECT ribbon_build(ARRAY['1'::xid]) @> ARRAY[1];
SELECT ribbon_build(ARRAY[ROW(1)]) @> ARRAY[1];
-- between times with a zone and without, the hints lead to the member, whatever TimeZone is
SET TimeZone = 'Asia/Tokyo';
CREATE FUNCTION hint(query text) RETURNS text LANGUAGE plpgsql STRICT AS $$
DECLARE
	found text;
BEGIN
	EXECUTE 'SELECT ' || query INTO found;
	RETURN found;
EXCEPTION WHEN datatype_mismatch THEN
	GET STACKED DIAGNOSTICS found = PG_EXCEPTION_HINT;
	RETURN found;
END $$;
SELECT k, f, hint, hint('ribbon_build(' || f || ') @> (' || replace(substring(hint FROM 'as in (.*)\.$'), 'key', k) || ')') AS found
  FROM (VALUES ('timestamptz ''2000-01-01 00:00Z''', '{date ''2000-01-01'',timestamp ''2000-01-01 00:00'',time ''00:00'',timetz ''00:00Z''}'::text[]),
               ('timestamp ''2000-01-01 00:00''', '{timestamptz ''2000-01-01 00:00Z''}'), ('date ''2000-01-01''', '{timestamptz ''2000-01-01 00:00Z''}'),
               ('time ''00:00''', '{timestamptz ''2000-01-01 00:00Z'',timetz ''00:00Z''}'),
               ('timetz ''00:00Z''', '{time ''00:00'',timestamptz ''2000-01-01 00:00Z''}'), ('ARRAY[time ''00:00'']', '{ARRAY[timestamptz ''2000-01-01 00:00Z'']}'))
       AS v (f, keys), unnest(keys) AS k, hint(format('ribbon_build(%s) @> %s', f, k)) AS hint;
RESET TimeZone;
DROP FUNCTION hint;
SELECT ribbon_build('abc'::bytea) @> 1.5::float8;
-- a filter of one array is not one of its elements
SELECT ribbon_build(ARRAY[1, 2, 3]) @> 2;
SELECT ribbon_map(ARRAY[1, 2, 3], 7) -> 2;

-- char(n): trailing blanks do not count, whatever type the key has ...
SELECT ribbon_build('US'::char(5), 0.0001) AS f \gset
SELECT :'f'::ribbonfilter @> 'US   ' AS untyped, :'f'::ribbonfilter @> 'US   '::varchar AS varchar, :'f'::ribbonfilter @> 'US '::text AS text,
       'US  '::name <@ :'f'::ribbonfilter AS name, ribbon_contains(:'f', 'US'::char(2)) AS char_2,
       ribbon_contains_any(:'f', ARRAY['US   ']) AS array, ribbon_contains_all(:'f', '{US,"US "}'::char(5)[]) AS char_n_array,
       :'f'::ribbonfilter @> ANY ('{UK,"US  "}'::text[]) AS "any", :'f'::ribbonfilter @> ' US' AS other, :'f'::ribbonfilter @> '' AS blank,
       (ribbon_stats(:'f')).key_type;
-- ... and in a filter of text they do, so that char(n), whose blanks mean nothing, must be cast
SELECT ribbon_build('US'::text) @> 'US'::char(5);
\echo :LAST_ERROR_SQLSTATE
SELECT 'US'::char(5) <@ ribbon_build('US'::name);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_contains_any(ribbon_build('US'::varchar), ARRAY['US'::char(5)]);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build('US'::text) @> 'US'::char(5)::text AS cast;
-- a call site that sees filters of both, in line and stored
CREATE TABLE codes (id int, f ribbonfilter);
INSERT INTO codes SELECT 1, ribbon_build('US'::char(5), 0.0001) UNION ALL SELECT 2, ribbon_build('US  '::text, 0.0001)
	UNION ALL SELECT 3, ribbon_build(k::char(9)) FROM generate_series(1, 5000) AS k UNION ALL SELECT 4, ribbon_build(k || '  ') FROM generate_series(1, 5000) AS k;
SELECT id, count(*) AS keys, count(*) FILTER (WHERE f @> k) AS found, count(*) FILTER (WHERE ribbon_contains_all(f, ARRAY[k, 'x', k]) = (f @> k AND f @> 'x')) AS agree
  FROM codes, (VALUES ('US'), ('US  '), ('77'), ('77  '), ('4711  ')) AS v (k) GROUP BY id ORDER BY id;
SELECT id, bool_and(f @> (k || '  ')) AS found FROM codes, generate_series(1, 5000) AS k WHERE id > 2 GROUP BY id ORDER BY id;
DROP TABLE codes;

-- in PL/pgSQL, where a call site outlives the values it is given
CREATE FUNCTION find_in_all(key int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	f ribbonfilter;
	found text := '';
BEGIN
	FOR round IN 1..2 LOOP
		FOR f IN SELECT members FROM audience ORDER BY ribbon_cardinality(members) LOOP
			found := found || CASE WHEN f @> key THEN 'y' ELSE 'n' END;
		END LOOP;
	END LOOP;
	RETURN found;
END $$;
SELECT find_in_all(1), find_in_all(100000) ~ '^.{6}y.{6}y$' AS last_only;

DROP FUNCTION find_in_all;
DROP TABLE words, audience;
