
# 004_dump.pl - filters and maps in dumps, and pg_upgrade
#
# A database whose tables, views, indexes and functions have filters in them, or
# maps, is dumped in all formats and restored elsewhere; likewise if the
# extension is in a schema of its own.  Dumps are restored with an empty
# search_path, in which nothing may look for what belongs to the extension.  Then
# a cluster is upgraded to a new one of the same version, whose files are the old
# ones.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use RibbonTest;
use Test::More;

my $old = new_server('old');
my $new = new_server('new');
$_->start foreach $old, $new;

# Whatever can depend on the extension.
my $more_objects = <<'END';
CREATE DOMAIN audience AS ribbonfilter CHECK (ribbon_cardinality(VALUE) < 1000000);
CREATE TYPE pair AS (name text, members ribbonfilter);
CREATE TABLE numbers AS SELECT i, 'key ' || i AS t FROM generate_series(1, 300) AS i;
CREATE TABLE kinds (a audience, fs ribbonfilter[], p pair, bytes bytea,
	keys bigint GENERATED ALWAYS AS (ribbon_cardinality(a)) STORED, CHECK (NOT a @> -1));
INSERT INTO kinds SELECT f, ARRAY[f, NULL, f], ROW('x'::text, f)::pair, f FROM (SELECT ribbon_build(i) AS f FROM numbers) AS s;
ALTER TABLE numbers ADD CHECK ((SELECT_CONST)::ribbonfilter @> i);
CREATE INDEX in_filter ON numbers (i) WHERE (SELECT_CONST)::ribbonfilter @> i;
CREATE INDEX by_hash ON filters USING hash (f);
CREATE UNIQUE INDEX by_key_hash ON numbers (ribbon_hash(t), ribbon_shard(t, 16));
CREATE MATERIALIZED VIEW built AS SELECT i % 3 AS g, ribbon_build(t, 0.001) AS f FROM numbers GROUP BY 1;
CREATE VIEW holds AS SELECT name, count(*) FROM (SELECT * FROM filters WHERE keys = 'i' OFFSET 0) AS f, numbers
	WHERE f @> i OR i <@ f AND f = f GROUP BY name;
CREATE FUNCTION holds(ribbonfilter, int) RETURNS boolean LANGUAGE sql BEGIN ATOMIC SELECT $1 @> $2 AND ribbon_contains_any($1, ARRAY[$2]); END;
CREATE STATISTICS s ON (ribbon_hash(i)), t FROM numbers;
CREATE FUNCTION unchanged() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER changed BEFORE UPDATE ON kinds FOR EACH ROW WHEN (old.a::bytea IS NOT DISTINCT FROM new.a::bytea OR old.a < new.a) EXECUTE FUNCTION unchanged();

CREATE TYPE plan AS ENUM ('free', 'pro', 'max');
CREATE DOMAIN tag AS text;
CREATE FUNCTION plan_of(i int) RETURNS plan LANGUAGE sql IMMUTABLE AS 'SELECT (enum_range(NULL::public.plan))[1 + i % 3]';
CREATE DOMAIN scores AS ribbonmap CHECK (ribbon_cardinality(VALUE) < 1000000);
CREATE TABLE maps (s scores, ms ribbonmap[], plans ribbonmap, times ribbonmap, texts ribbonmap, rows ribbonmap, large ribbonmap, bytes bytea,
	seven bigint GENERATED ALWAYS AS (s -> 7) STORED, CHECK (s @> 1 AND plans ->> 1 = 'pro'));
INSERT INTO maps SELECT s, ARRAY[s, NULL, plans], plans, times, texts, rows, large, s
  FROM (SELECT ribbon_map(i, i * 3 - 50, 0.001, 'seed=5') AS s, ribbon_map(i, plan_of(i)) AS plans, ribbon_map(i, '2026-01-01 12:00+00'::timestamptz + i * '1 day'::interval) AS times,
               ribbon_map(t, CASE WHEN i % 5 > 0 THEN t END) AS texts, ribbon_map(i, ARRAY[t, NULL]::tag[]) AS rows FROM numbers) AS a,
       (SELECT ribbon_map(i, ribbon_hash(i)) AS large FROM generate_series(1, 20000) AS i) AS b;
CREATE INDEX by_map ON maps ((texts ->> 'key 1'));
CREATE VIEW looked_up AS SELECT i, s -> i AS score, plans ->> i AS plan, ribbon_get(plans, i, NULL::plan) AS plan_again, times ->> i AS at, texts ->> t AS text, ribbon_get(rows, i, NULL::tag[]) AS tags,
	large -> i = ribbon_hash(i) AS hash, i <@ large AS contained FROM maps, numbers;
CREATE MATERIALIZED VIEW judged AS SELECT ribbon_build_exact(t, i % 40 = 0, 'as_of=2026-01-01 00:00+00') AS f,
	ribbon_build_exact(ribbon_key(t), i % 40 = 0, 0.03, 'as_of=2026-01-01 00:00+00') AS rated FROM numbers;
CREATE MATERIALIZED VIEW mapped AS SELECT i % 3 AS g, ribbon_map(t, i, 0.001) AS m FROM numbers GROUP BY 1;
END

# What all of it says.
my $objects = <<'END';
SELECT 'kinds', md5(a::bytea), md5(fs::text), md5((p).members::bytea), (p).members = bytes::ribbonfilter, keys FROM kinds;
SELECT 'built', g, md5(f::bytea), ribbon_stats(f) FROM built ORDER BY g;
SELECT 'holds', * FROM holds ORDER BY name;
SELECT 'function', count(*) FROM kinds, numbers WHERE holds(a, i);
SELECT 'index', indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname;
SELECT 'trigger', pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname;
SELECT 'check', pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c' ORDER BY conname;
SELECT 'maps', md5(s::bytea), md5(ms::text), md5(large::bytea), s = bytes::ribbonmap, seven, ribbon_stats(s), ribbon_stats(plans), ribbon_stats(rows), ribbon_check(texts) FROM maps;
SELECT 'looked up', count(*), md5(string_agg(l::text, ' ' ORDER BY i)), count(*) FILTER (WHERE score = i * 3 - 50 AND plan = plan_of(i)::text AND plan_again = plan_of(i) AND hash AND contained
	AND text IS NOT DISTINCT FROM CASE WHEN i % 5 > 0 THEN 'key ' || i END AND tags[1] = 'key ' || i) FROM looked_up AS l;
SELECT 'judged', md5(s::bytea), ribbon_stats(s), ribbon_check(s), (SELECT count(*) FROM numbers WHERE s @> t <> (i % 40 = 0)) FROM judged, unnest(ARRAY[f, rated]) AS s;
SELECT 'mapped', g, md5(m::bytea), ribbon_stats(m) FROM mapped ORDER BY g;
SELECT 'category', typname, typcategory, typispreferred FROM pg_type WHERE oid IN ('ribbonfilter'::regtype, 'ribbonmap'::regtype) ORDER BY 2;
SELECT 'schema', extnamespace::regnamespace FROM pg_extension WHERE extname = 'ribbon';
END

my $constant = $old->safe_psql('postgres',
	'CREATE EXTENSION ribbon; SELECT quote_literal(ribbon_build(i)) FROM generate_series(1, 300) AS i');
$more_objects =~ s/SELECT_CONST/$constant/g;

# The extension in public, and in a schema of its own.
$old->safe_psql('postgres', 'CREATE DATABASE plain');
$old->safe_psql('postgres', 'CREATE DATABASE schema');
$old->safe_psql('schema', 'CREATE SCHEMA "My Filters"; CREATE EXTENSION ribbon SCHEMA "My Filters";'
	. 'ALTER DATABASE schema SET search_path = public, "My Filters"');
my %databases = map { $_ => undef } 'plain', 'schema';
foreach my $database (sort keys %databases)
{
	create_filters($old, $database);
	$old->safe_psql($database, $more_objects);
	$databases{$database} = contents($old, $database);
	like($databases{$database}, qr/^looked up\|300\|\w+\|300$/m, "$database: each key has its values");
}

sub contents
{
	my ($node, $database) = @_;

	return answers($node, $database) . "\n" . $node->safe_psql($database, $objects);
}

# --- dumps ---

my $dir = PostgreSQL::Test::Utils::tempdir;
my @psql = ('psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f');
my @pg_restore = ('pg_restore', '--exit-on-error');
my %dumps = (
	plain => { options => ['--format=plain'], restore => \@psql },
	inserts => { options => [ '--inserts', '--rows-per-insert=3' ], restore => \@psql },
	custom => { options => ['--format=custom'], restore => \@pg_restore },
	directory => { options => [ '--format=directory', '--jobs=2' ], restore => [ @pg_restore, '--jobs=2' ] });

foreach my $database (sort keys %databases)
{
	foreach my $format (sort keys %dumps)
	{
		my $copy = "${database}_$format";
		my ($program, @options) = @{ $dumps{$format}->{restore} };

		$old->command_ok([ 'pg_dump', @{ $dumps{$format}->{options} }, "--file=$dir/$copy", $database ], "$copy: dumped");
		$new->safe_psql('postgres', "CREATE DATABASE $copy");
		$new->safe_psql('postgres', "ALTER DATABASE $copy SET search_path = public, \"My Filters\"");
		$new->command_ok([ $program, '-d', $copy, @options, "$dir/$copy" ], "$copy: restored");
		is(contents($new, $copy), $databases{$database}, "$copy: same bytes, statistics and answers");
		is(members_missing($new, $copy), '', "$copy: no member is missing");
	}
}

# What was restored can be made again, and the extension moved.
$new->safe_psql('schema_custom', 'REFRESH MATERIALIZED VIEW built; REFRESH MATERIALIZED VIEW mapped; REINDEX TABLE numbers; ANALYZE;');
is(contents($new, 'schema_custom'), $databases{schema}, 'views and indexes are made again');
$new->safe_psql('schema_custom', 'ALTER EXTENSION ribbon SET SCHEMA public');
is(without_schema(contents($new, 'schema_custom')), without_schema($databases{schema}), 'the extension moves to another schema');

sub without_schema
{
	my ($said) = @_;

	$said =~ s/"My Filters"\.//g;
	$said =~ s/OPERATOR\((\S+)\)/$1/g;
	return $said =~ s/schema\|.*//r;
}

$new->stop;

# --- pg_upgrade ---

my $upgraded = new_server('upgraded');
my $bin = $old->config_data('--bindir');
$old->stop;
chdir $dir;
command_ok(
	[
		'pg_upgrade', '--no-sync', '--old-datadir', $old->data_dir, '--new-datadir', $upgraded->data_dir,
		'--old-bindir', $bin, '--new-bindir', $bin, '--socketdir', $upgraded->host,
		'--old-port', $old->port, '--new-port', $upgraded->port
	],
	'pg_upgrade');
$upgraded->start;
foreach my $database (sort keys %databases)
{
	is(contents($upgraded, $database), $databases{$database}, "upgraded $database: same bytes, statistics and answers");
	is(members_missing($upgraded, $database), '', "upgraded $database: no member is missing");
	$upgraded->safe_psql($database, "SELECT add_filter('after', 'i', 30000), add_map('after', 'i', '(i % 50)::price', 30000); VACUUM FULL ANALYZE filters, lookups;");
	is($upgraded->safe_psql($database, "SELECT found(filters, 1, 30000) FROM filters WHERE name = 'after'"), 30000, 'more filters are built');
	is($upgraded->safe_psql($database, "SELECT (looked_up(lookups, 1, 30000)).same FROM lookups WHERE name = 'after'"), 30000, 'and maps');
}
$upgraded->stop;
done_testing();
