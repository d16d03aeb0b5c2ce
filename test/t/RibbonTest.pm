
# RibbonTest.pm - what the programs of this directory share
#
# A server that holds filters and maps of every kind, a line for each that says
# all that a copy of it must say, and sessions that are busy while we do something
# to their server.

package RibbonTest;

use strict;
use warnings;
use Exporter 'import';
use IPC::Run;
use List::Util qw(sum);
use POSIX ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Time::HiRes qw(sleep time);

our @EXPORT = qw(new_server create_filters create_keys answers members_missing
  temp_files start_client watch_client finish_client work_of postmaster children workers status await await_end
  SERIAL PARALLEL KEYS KEYS_FILTER KEYS_MAP NAMED);

use constant {
	# files that parallel workers hand to their leader are in such a directory
	NAMED => qr/pgsql_tmp\d+\.2147483648\.fileset/,
	KEYS => 4_000_000,
	KEYS_FILTER => 'SELECT ribbon_build(k) AS f FROM keys',
	KEYS_MAP => 'SELECT ribbon_map(k, k % 1000) AS m FROM keys',
	SERIAL => "SET work_mem = '64kB'; SET max_parallel_workers_per_gather = 0;",
	PARALLEL => "SET work_mem = '64kB'; SET max_parallel_workers_per_gather = 2;"
	  . ' SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;'
	  . ' SET min_parallel_table_scan_size = 0; SET max_parallel_maintenance_workers = 0;',
};

# An empty server, not started yet.  Its name must be one of its own.
sub new_server
{
	my ($name, %params) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init(extra => [ '--encoding=UTF8', '--locale=C.UTF-8' ], %params);
	$node->append_conf('postgresql.conf', <<'END');
log_statement = none
shared_buffers = 64MB
max_connections = 30
autovacuum = off
jit = off
END
	return $node;
}

# Filters and maps of every kind.  Those of more than 2 kB are stored out of line.
sub create_filters
{
	my ($node, $database) = @_;

	$node->safe_psql($database // 'postgres', <<'END');
CREATE EXTENSION IF NOT EXISTS ribbon;
CREATE TABLE filters (name text PRIMARY KEY, keys text, n int, note int, f ribbonfilter);

-- the filter of an expression of i = 1 .. n, which must differ for each
CREATE FUNCTION add_filter(name text, keys text, n int, fpr float8 = 0.01, options text = 'kind=burr')
RETURNS void LANGUAGE plpgsql AS $$BEGIN
	EXECUTE format('INSERT INTO filters SELECT %1$L, %2$L, %3$s, 0,
		ribbon_build(%2$s, %4$s, %5$L) FROM generate_series(1, %3$s) AS i', name, keys, n, fpr, options);
END$$;

-- how many of the keys from first to last a filter says it holds
CREATE FUNCTION found(filters, first int, last int)
RETURNS bigint STABLE LANGUAGE plpgsql AS $$DECLARE
	total bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM generate_series($2, $3) AS i WHERE $1 @> (%s)', $1.keys)
	INTO total USING $1.f, first, last;
	RETURN total;
END$$;

SELECT add_filter('empty', 'i', 0), add_filter('one', 'i', 1), add_filter('some', 'i', 100),
	add_filter('large', 'i', 300000), add_filter('rare', 'i * 3', 20000, 1e-6),
	add_filter('homogeneous', 'i', 50000, 0.01, 'kind=homogeneous'),
	add_filter('width 32', 'i', 20000, 0.02, 'width=32'),
	add_filter('width 128', 'i', 20000, 0.001, 'width=128 kind=homogeneous'),
	add_filter('text', '''key '' || i', 20000), add_filter('uuid', 'md5(i::text)::uuid', 20000),
	add_filter('numeric', 'i / 7.0', 2000), add_filter('date', 'date ''2000-01-01'' + i', 1000),
	add_filter('jsonb', 'jsonb_build_array(i)', 5000);
-- exact sets: universes of 300,000 or 23,000 keys, of which the first 20,000 are members
INSERT INTO filters SELECT name, 'i', 20000, 0, f
  FROM (SELECT 'exact' AS name, ribbon_build_exact(i, i <= 20000, 'as_of=2026-01-01 00:00+00') AS f FROM generate_series(1, 300000) AS i
        UNION ALL SELECT 'exact, most are members', ribbon_build_exact(i, i <= 20000) FROM generate_series(1, 23000) AS i
        UNION ALL SELECT 'exact, with a rate', ribbon_build_exact(i, i <= 20000, 0.01) FROM generate_series(1, 300000) AS i) AS s;
INSERT INTO filters VALUES ('none', 'i', 0, 0, NULL);

CREATE TYPE tariff AS ENUM ('free', 'pro', 'max');
CREATE DOMAIN price AS numeric(8,2);
CREATE TABLE lookups (name text PRIMARY KEY, keys text, vals text, n int, note int, m ribbonmap);

-- the map of an expression of i = 1 .. n, which must differ for each, to another one
CREATE FUNCTION add_map(name text, keys text, vals text, n int, fpr float8 = 0.01, options text = 'seed=0')
RETURNS void LANGUAGE plpgsql AS $$BEGIN
	EXECUTE format('INSERT INTO lookups SELECT %1$L, %2$L, %3$L, %4$s, 0,
		ribbon_map(%2$s, %3$s, %5$s, %6$L) FROM generate_series(1, %4$s) AS i', name, keys, vals, n, fpr, options);
END$$;

-- how many of the keys from first to last have their value, as text and in its type, and what all of them have
CREATE FUNCTION looked_up(lookups, first int, last int, OUT same bigint, OUT answers text)
STABLE LANGUAGE plpgsql AS $$BEGIN
	EXECUTE format('SELECT count(*) FILTER (WHERE g IS NOT DISTINCT FROM v AND g::text IS NOT DISTINCT FROM t), md5(string_agg(coalesce(t, ''-''), '','' ORDER BY i))
		FROM (SELECT i, v, $1 ->> k AS t, ribbon_get($1, k, v) AS g, $1 @> k AS is_in
			FROM (SELECT i, %s AS k, %s AS v FROM generate_series($2, $3) AS i OFFSET 0) AS s OFFSET 0) AS s WHERE is_in', $1.keys, $1.vals)
	INTO same, answers USING $1.m, first, last;
END$$;

SELECT add_map('empty', 'i', 'i', 0), add_map('one', 'i', '''x''::text', 1), add_map('some', 'i', 'i % 7', 100),
	add_map('large', 'i', 'i % 1000', 300000), add_map('two planes', 'i', 'ribbon_hash(i)', 20000),
	add_map('unchecked', 'i', 'i', 20000, 1), add_map('width 32', 'i', 'i % 2 = 0', 20000, 0.02, 'width=32'),
	add_map('width 128', 'i', 'CASE WHEN i % 3 > 0 THEN i * 10 END', 20000, 0.001, 'width=128 seed=4294967295'),
	add_map('enum', '''key '' || i', '(enum_range(NULL::tariff))[1 + i % 3]', 20000),
	add_map('text', 'md5(i::text)::uuid', '''value '' || i % 3000', 20000),
	add_map('date', 'i / 7.0', 'date ''2000-01-01'' + i', 2000),
	add_map('timestamptz', 'date ''2000-01-01'' + i', 'timestamptz ''2026-01-01 12:00+00'' + i * ''1 hour''::interval', 1000),
	add_map('json', 'jsonb_build_array(i)', 'jsonb_build_object(''EUR'', i % 99)', 5000),
	add_map('array', 'i', 'ARRAY[i % 99, NULL]::price[]', 3000), add_map('nothing', 'i', 'NULL::numeric', 500),
	add_map('coded', 'i', 'i & -i', 20000), add_map('coded, behind a filter', 'i', 'CASE WHEN i % 30 = 0 THEN ''rare '' || i % 7 ELSE ''usual'' END', 20000, 1);
INSERT INTO lookups VALUES ('none', 'i', 'i', 0, 0, NULL);
END
	return;
}

# KEYS integers, or so many, to build a filter of, or one each of three groups:
# which takes files if work_mem is small.
sub create_keys
{
	my ($node, $n) = @_;

	$n //= KEYS;
	$node->safe_psql('postgres', "CREATE TABLE keys AS SELECT i::int8 * 7919 AS k, i % 3 AS g FROM generate_series(1, $n) AS i;"
		. 'ALTER TABLE keys SET (parallel_workers = 2); VACUUM ANALYZE keys;');
	return;
}

# A line per filter or map: its bytes, its statistics, and answers to 3000 non-members.
sub answers
{
	my ($node, $database, $where) = @_;

	$where //= 'true';
	return $node->safe_psql($database // 'postgres', <<"END");
SET TimeZone = 'UTC';
SELECT name, note, md5(f::bytea), ribbon_stats(f), found(filters, n + 1, n + 3000) FROM filters WHERE $where ORDER BY name COLLATE "C";
SELECT 'map', name, note, md5(m::bytea), ribbon_stats(m), (looked_up(lookups, n + 1, n + 3000)).answers FROM lookups WHERE $where ORDER BY name COLLATE "C";
END
}

# Those that miss a member, or have another value for one: none.
sub members_missing
{
	my ($node, $database) = @_;

	return $node->safe_psql($database // 'postgres', <<'END');
SET TimeZone = 'UTC';
SELECT name FROM filters WHERE f IS NOT NULL AND (found(filters, 1, n) <> n OR ribbon_cardinality(f) <> n);
SELECT 'map', name FROM lookups WHERE m IS NOT NULL AND ((looked_up(lookups, 1, n)).same <> n OR ribbon_cardinality(m) <> n);
END
}

# Files and directories of queries, in the data directory and in tablespaces.
sub temp_files
{
	my ($node) = @_;
	my $data = $node->data_dir;
	my @found;

	foreach my $dir ("$data/base/pgsql_tmp", glob("$data/pg_tblspc/*/PG_*/pgsql_tmp"))
	{
		foreach my $entry (glob("$dir/*"))
		{
			push @found, $entry, glob("$entry/*");
		}
	}
	s!^\Q$data\E/!! foreach @found;
	return @found;
}

# A session that does something that takes long, after something that does not
# and is waited for.  It stays there when it is through.
sub start_client
{
	my ($node, $before, $sql) = @_;
	my %client = (in => "$before SELECT pg_backend_pid();\n$sql\n\\echo done\n", out => '', err => '');

	$client{run} = IPC::Run::start(
		[ $node->installed_command('psql'), '-XAtq', '-d', $node->connstr('postgres') ],
		'<', \$client{in}, '>', \$client{out}, '2>', \$client{err},
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	$client{run}->pump until $client{out} =~ /^(\d+)\n/m;
	$client{pid} = $1;
	$client{begin} = cpu_seconds($1);
	return \%client;
}

# Wait until what it does has taken so many seconds of CPU, its parallel workers and all
# threads counted, or it is through.  The seconds that it has taken.  Unlike time, they say
# how far a build has come whatever else the machine does.
sub watch_client
{
	my ($node, $client, $limit) = @_;
	my $taken = 0;

	await("the work of $client->{pid}", sub {
		$client->{taken}{$_} = cpu_seconds($_) foreach $client->{pid}, workers($node, $client);
		$taken = sum(values %{ $client->{taken} }) - $client->{begin};
		$client->{run}->pump_nb;
		return $taken >= $limit || $client->{out} =~ /^done$/m; });
	return $taken;
}

# Let it end, unless it has lost its server.  Was it through with everything?
# To be called before another server is started, which would hold an end of our
# pipe to it, so that it would wait for more.
sub finish_client
{
	my ($client) = @_;

	$client->{run}->finish;
	return $client->{out} =~ /^done$/m;
}

# The seconds of CPU that something takes: see start_client and watch_client.
sub work_of
{
	my ($node, $before, $sql) = @_;
	my $client = start_client($node, $before, $sql);
	my $seconds = watch_client($node, $client, 'inf');

	finish_client($client) or die "$client->{err} of $sql";
	return $seconds;
}

# The process of a server that runs, or has crashed.
sub postmaster
{
	my ($node) = @_;
	my ($pid) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)\n/;

	return $pid;
}

# Processes of a server, as pid => title.  It may be gone already.
sub children
{
	my ($parent) = @_;
	my %found;

	foreach my $pid (map { m!/(\d+)$! } glob('/proc/[0-9]*'))
	{
		my (undef, $ppid) = status($pid);
		open(my $title, '<', "/proc/$pid/cmdline") or next;
		$found{$pid} = <$title> // '' if $ppid == $parent;
	}
	return %found;
}

# Parallel workers of a session that are there now.
sub workers
{
	my ($node, $client) = @_;
	my %processes = children(postmaster($node));

	return grep { $processes{$_} =~ /parallel worker for PID $client->{pid}\b/ } sort keys %processes;
}

# Seconds of CPU that all threads of a process have taken; 0 if it is gone.
sub cpu_seconds
{
	my ($pid) = @_;

	open(my $stat, '<', "/proc/$pid/stat") or return 0;
	return (<$stat> // '') =~ /\) (?:\S+ ){11}(\d+) (\d+) / ? ($1 + $2) / POSIX::sysconf(POSIX::_SC_CLK_TCK) : 0;
}

# What a process is doing, a letter, and its parent; Z and 0 if it is gone.
sub status
{
	my ($pid) = @_;

	open(my $stat, '<', "/proc/$pid/stat") or return ('Z', 0);
	return (<$stat> // '') =~ /\) (\S) (\d+) / ? ($1, $2) : ('Z', 0);
}

# Wait for something to be true.  The seconds that took.
sub await
{
	my ($what, $is_true) = @_;
	my $began = time;

	until ($is_true->())
	{
		die "waited in vain for $what" if time > $began + $PostgreSQL::Test::Utils::timeout_default;
		sleep 0.01;
	}
	return time - $began;
}

# Wait for processes to end, and for the server to have taken note.
sub await_end
{
	my (@pids) = @_;

	return await("the end of @pids", sub { return !kill 0, @pids; });
}

1;
