
# 002_standby.pl - filters and maps on physical replicas
#
# A standby that streams, and one that is made of a base backup and archived
# log, have the same bytes and give the same answers: also while the primary
# replaces and vacuums what a query of the standby is probing.  A filter that a
# query has read and kept must then be good as long as its snapshot is.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use RibbonTest;
use Test::More;
use Time::HiRes qw(time);

my $primary = new_server('primary', allows_streaming => 1, has_archiving => 1);
$primary->start;
create_filters($primary);
create_keys($primary);

# The backup is taken while a build has files, which are not for a backup.
my $client = start_client($primary, PARALLEL, (KEYS_FILTER . ' \g /dev/null' . "\n") x 20);
await('named files', sub { return grep { m!${\ NAMED}/! } temp_files($primary); });
$primary->backup('base', backup_options => ['--wal-method=stream']);
$client->{run}->kill_kill;
is_deeply([ glob($primary->backup_dir . '/base/base/pgsql_tmp/*') ], [], 'a base backup has no files of builds');

my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->append_conf('postgresql.conf', "archive_mode = off\nhot_standby_feedback = off\nmax_standby_streaming_delay = -1\n");
$standby->start;

# What comes by log alone.
$primary->safe_psql('postgres', <<'END');
SELECT add_filter('streamed ' || kind, 'i', 100000, 0.001, 'kind=' || kind) FROM unnest('{burr,homogeneous}'::text[]) AS kind;
UPDATE filters SET note = 1 WHERE name = 'large';
UPDATE filters SET f = ribbon_shrink(f, 0.1) WHERE name = 'rare';
DELETE FROM filters WHERE name = 'width 128';
VACUUM FULL filters;
SELECT add_map('streamed ' || type, 'i', format('(i %% 999)::%s', type), 100000, 0.001) FROM unnest('{int,text,numeric}'::text[]) AS type;
UPDATE lookups SET note = 1 WHERE name = 'large';
UPDATE lookups SET (keys, vals, n, m) = (SELECT keys, vals, n, m FROM lookups WHERE name = 'json') WHERE name = 'some';
DELETE FROM lookups WHERE name = 'width 128';
VACUUM FULL lookups;
END
$primary->wait_for_catchup($standby);
my $expected = answers($primary);
is(answers($standby), $expected, 'a standby has the same bytes and answers');
is(members_missing($standby), '', 'no member is missing');

# Building is reading: a standby does it, with the same files.
foreach my $settings (SERIAL, PARALLEL)
{
	my $sql = "$settings SELECT md5(f::bytea) FROM (" . KEYS_FILTER . ') AS s';

	is($standby->safe_psql('postgres', $sql), $primary->safe_psql('postgres', $sql), 'a standby builds the same filter');
	$sql = "$settings SELECT md5(m::bytea) FROM (" . KEYS_MAP . ') AS s';
	is($standby->safe_psql('postgres', $sql), $primary->safe_psql('postgres', $sql), 'and the same map');
}
like($standby->safe_psql('postgres', PARALLEL . 'EXPLAIN (COSTS OFF) ' . KEYS_FILTER), qr/Partial Aggregate/, 'in parallel, too');
is_deeply([ temp_files($standby) ], [], 'and leaves no file');

# A filter that changes between two of equal size, of i and of -i, and with it
# a number that tells which of the two it is: seldom, sometimes, in all ways.
$primary->safe_psql('postgres', <<'END');
CREATE TABLE changing (sign int, f ribbonfilter);
CREATE TABLE signs AS SELECT sign, ribbon_build(sign * i, 0.01, 'kind=homogeneous') AS f
  FROM generate_series(1, 20000) AS i, (VALUES (1), (-1)) AS s (sign) GROUP BY sign;
INSERT INTO changing SELECT * FROM signs WHERE sign = 1;
CREATE TABLE numbers AS SELECT i FROM generate_series(1, 20000) AS i;
END
$primary->wait_for_catchup($standby);

# The members of the filter that this snapshot sees: all, however often it is
# probed.  (One that is older than a TRUNCATE sees no row in the table.)
my $probe = q(SELECT count(*) || ' of ' || 20000 * (SELECT count(*) FROM changing)
	FROM changing, numbers WHERE f @> (sign * i));
my $all = '20000 of 20000';
my @changes = (
	'UPDATE changing SET (sign, f) = (SELECT sign, f FROM signs WHERE signs.sign = -changing.sign); VACUUM changing;',
	'BEGIN; TRUNCATE changing; INSERT INTO changing SELECT * FROM signs ORDER BY random() LIMIT 1; COMMIT;',
	'BEGIN; SAVEPOINT s; DELETE FROM changing; INSERT INTO changing SELECT * FROM signs ORDER BY random() LIMIT 1; RELEASE s; COMMIT; VACUUM changing;',
	'VACUUM FULL changing; CHECKPOINT;');

# Wait for replay to wait for a snapshot that would lose rows.
sub await_conflict
{
	$standby->poll_query_until('postgres', "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'RecoveryConflictSnapshot'", '1')
	  or die 'replay does not wait';
	return;
}

# An old snapshot: replay waits for it.
my $reader = $standby->background_psql('postgres');
is($reader->query_safe("BEGIN ISOLATION LEVEL REPEATABLE READ; $probe;"), $all, 'a snapshot on a standby finds all members');
$primary->safe_psql('postgres', $changes[0]);
await_conflict();
is($reader->query_safe("$probe;"), $all, 'and finds them again while the primary has replaced and vacuumed the filter');
is($reader->query_safe('SELECT sign FROM changing;'), 1, 'whose old value it sees');
is($reader->query_safe("COMMIT; $probe;"), $all, 'after it the new ones are found');
$primary->wait_for_catchup($standby);
is($reader->query_safe('SELECT sign FROM changing;'), -1, 'which are there once replay goes on');

# A cursor, whose snapshot is older than that of its transaction's statements.
$reader->query_safe('BEGIN; DECLARE c CURSOR FOR SELECT i FROM changing, numbers WHERE f @> (sign * i); MOVE 10000 FROM c;');
$primary->safe_psql('postgres', $changes[0]);
await_conflict();
is($reader->query_safe("$probe;"), $all, 'a statement beside a cursor finds all members');
is($reader->query_safe(<<'END'), 10000, 'as does the rest of the cursor');
DO $$DECLARE
	c refcursor = 'c';
	n int;
BEGIN
	MOVE FORWARD ALL FROM c;
	GET DIAGNOSTICS n = ROW_COUNT;
	PERFORM set_config('test.moved', n::text, false);
END$$;
SELECT current_setting('test.moved');
COMMIT;
END

# The value's id goes to another value between two statements of a transaction,
# which holds no snapshot then; and xmin does not tell, because another session holds it
# back.  (test_reuse.py does the same without a standby.)
my $library = PostgreSQL::Test::Utils::tempdir . '/next_id.so';
my $headers = $ENV{SERVER_HEADERS} || $primary->config_data('--includedir-server');
system_or_bail('cc', '-shared', '-fPIC', '-I', $headers, '-o', $library, "$FindBin::Bin/../modules/next_id.c");
$primary->safe_psql('postgres', "CREATE FUNCTION set_next_id(oid) RETURNS void LANGUAGE c AS '$library'; CREATE DATABASE other");
my $toast = $primary->safe_psql('postgres', "SELECT reltoastrelid::regclass FROM pg_class WHERE relname = 'changing'");
my $id = $primary->safe_psql('postgres', "SELECT min(chunk_id) FROM $toast");
my $sign = $primary->safe_psql('postgres', 'SELECT sign FROM changing');
my $holder = $primary->background_psql('other');
$holder->query_safe('BEGIN; SELECT pg_current_xact_id();');
$primary->wait_for_catchup($standby);
$reader->query_safe("BEGIN; $probe;");
$primary->safe_psql('postgres', 'DELETE FROM changing');
$primary->safe_psql('postgres', 'VACUUM (TRUNCATE off) changing');
$primary->safe_psql('postgres', "SELECT set_next_id($id); INSERT INTO changing SELECT * FROM signs WHERE sign <> $sign");
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', "SELECT min(chunk_id) FROM $toast"), $id, 'another filter has the id of the one before');
is($reader->query_safe("$probe;"), $all, 'and its members are found by who has probed the one before');
$reader->query_safe('COMMIT;');
$_->quit foreach $holder, $reader;

# Many statements on the standby, while the primary changes the filter in all
# ways.  Replay does not wait for long, but cancels them, or ends a session that
# is in its way.
$standby->append_conf('postgresql.conf', "max_standby_streaming_delay = '50ms'\n");
$standby->reload;
my ($right, $wrong, $cancelled, $ended, $changes, $said) = (0, 0, 0, 0, 0, '');

sub start_reader
{
	my ($isolation) = @_;
	my $script = $standby->basedir . "/$isolation.sql";
	my $transaction = "BEGIN ISOLATION LEVEL $isolation;\n" . "$probe;\n" x 5 . "COMMIT;\n";

	append_to_file($script, $transaction x 5000) unless -e $script;
	# recovery may end a session before it has said anything
	foreach (1 .. 20)
	{
		my $client = eval { start_client($standby, '', "\\i '$script'"); };

		return $client if $client;
		$ended++;
	}
	die "no session on the standby begins: $@";
}

sub end_reader
{
	my ($reader) = @_;
	my @counts = $reader->{out} =~ /^(\d+ of \d+)$/mg;

	$reader->{run}->kill_kill;
	$right += grep { $_ eq $all } @counts;
	$wrong += grep { $_ ne $all && $_ ne '0 of 0' } @counts;
	$cancelled += () = $reader->{err} =~ /ERROR: .*conflict with recovery/g;
	$ended += () = $reader->{err} =~ /FATAL: .*conflict with recovery/g;
	my $unexpected = qr/ERROR:  (?!canceling statement due to conflict|current transaction is aborted).*/;
	$said .= $_ foreach $reader->{err} =~ /$unexpected/g;
	return;
}

my %readers = map { $_ => start_reader($_) } ('READ COMMITTED', 'REPEATABLE READ');
my $end = time + 6;
while (time < $end)
{
	$primary->safe_psql('postgres', $changes[ $changes++ % @changes ]);
	foreach my $isolation (keys %readers)
	{
		next if eval { $readers{$isolation}->{run}->pump_nb; 1; };
		end_reader($readers{$isolation});
		$readers{$isolation} = start_reader($isolation);
	}
}
end_reader($_) foreach values %readers;
note "$right statements on the standby found all members, $cancelled more were cancelled and $ended sessions ended by recovery, "
  . "while the primary made $changes changes";
cmp_ok($right, '>', 50, 'statements found all members');
cmp_ok($cancelled + $ended, '>', 0, 'recovery was in the way of some');
is($wrong, 0, 'and none found fewer');
is($said, '', 'or met anything but conflicts with recovery');

# The primary is gone, in the middle of a build; the standby takes over.
$primary->safe_psql('postgres', "SELECT add_filter('last', 'i', 50000), add_map('last', 'i', 'ARRAY[i % 7, i]::price[]', 50000)");
$primary->wait_for_catchup($standby);
$expected = answers($primary);
$client = start_client($primary, SERIAL, "INSERT INTO filters SELECT 'lost', 'i', 0, 0, f FROM (" . KEYS_FILTER . ') AS s;');
await('files', sub { return temp_files($primary); });
my $postmaster = postmaster($primary);
my %processes = children($postmaster);
$primary->kill9;
kill 'KILL', keys %processes;
finish_client($client);
$standby->promote;
$standby->safe_psql('postgres', "SELECT add_filter('after promotion', 'i', 50000), add_map('after promotion', 'i', 'i', 50000)");
is(answers($standby, 'postgres', "name <> 'after promotion'"), $expected, 'a promoted standby answers as its primary did');
is(members_missing($standby), '', 'no member is missing');
is($standby->safe_psql('postgres', PARALLEL . "CREATE TABLE built AS SELECT ribbon_build(k) AS f FROM keys; SELECT ribbon_cardinality(f) FROM built"),
	KEYS, 'it builds');

# The old primary has recovered by itself, as has what it archived.
await_end($postmaster, keys %processes);
$primary->start;
is(answers($primary), $expected, 'the primary answers as before its crash');
is_deeply([ temp_files($primary) ], [], 'and has no file of the build left');
$primary->safe_psql('postgres',
	"SELECT add_filter('archived', 'i', 50000), add_map('archived', 'i', '(enum_range(NULL::tariff))[1 + i % 3]', 50000); SELECT pg_switch_wal()");
$expected = answers($primary);
$primary->poll_query_until('postgres',
	"SELECT last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) FROM pg_stat_archiver")
  or die 'not archived';
$primary->stop;

my $replayed = PostgreSQL::Test::Cluster->new('replayed');
$replayed->init_from_backup($primary, 'base', has_restoring => 1, standby => 0);
$replayed->start;
$replayed->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()') or die 'still in recovery';
is(answers($replayed), $expected, 'a base backup with its archived log answers as the primary does');
is(members_missing($replayed), '', 'no member is missing');

foreach my $node ($standby, $replayed)
{
	unlike(slurp_file($node->logfile), qr/PANIC|TRAP/, 'nothing in the log of ' . $node->name);
	$node->stop;
}
done_testing();
