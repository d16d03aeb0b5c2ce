
# 001_crash.pl - kill -9 while filters and maps are built, and recovery
#
# Whatever is killed, and whenever: filters and maps that were committed are there as
# they were, what was not committed is not there, and no temporary file is left.
# CRASHES says how many times.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use PostgreSQL::Test::Utils;
use RibbonTest;
use Test::More;
use Time::HiRes qw(sleep);

my $crashes = $ENV{CRASHES} || 16;
my $node = new_server('crash', allows_streaming => 1);
$node->append_conf('postgresql.conf',
	"restart_after_crash = on\nmax_prepared_transactions = 2\nsynchronous_commit = on\nmax_worker_processes = 8\n");
$node->start;
create_filters($node);
create_keys($node);
my $whole = $node->safe_psql('postgres', 'SELECT md5(f::bytea) FROM (' . KEYS_FILTER . ') AS s');
my $whole_map = $node->safe_psql('postgres', 'SELECT md5(m::bytea) FROM (' . KEYS_MAP . ') AS s');
my $nkeys = KEYS;

# 'never' is not committed; 'built' and the table of this name may or may not
# have been, when the connection is lost.
my @builds = (
	{
		name => 'serial build',
		before => SERIAL . "BEGIN; SELECT add_filter('never', 'i', 20000) \\g /dev/null\n",
		sql => KEYS_FILTER . ' \g /dev/null'
	},
	{
		name => 'parallel build',
		before => PARALLEL . 'SELECT 1 \g /dev/null' . "\n",
		sql => 'CREATE TABLE built AS ' . KEYS_FILTER . ';'
	},
	{
		name => 'parallel build of a map',
		before => PARALLEL . 'SELECT 1 \g /dev/null' . "\n",
		sql => 'CREATE TABLE built_map AS ' . KEYS_MAP . ';'
	},
	{
		name => 'INSERT ... SELECT',
		before => SERIAL . 'SELECT 1 \g /dev/null' . "\n",
		sql => "INSERT INTO filters SELECT 'built', 'i::int8 * 7919', $nkeys, 0, f FROM (" . KEYS_FILTER . ') AS s;'
	});
my @maps = ("'i', 'i % 1000', 30000", "'i', '''value '' || i % 99', 500", "'md5(i::text)::uuid', '(i % 99)::price', 5000, 1",
	"'i', 'ribbon_hash(i)', 30000, 0.01, 'width=32'");
my @kinds = ("'i', 30000", "'i', 500", "'md5(i::text)::uuid', 5000, 1e-4", "'i', 30000, 0.01, 'kind=homogeneous'");
my %survived;
my ($left_files, $left_named, $threaded, $longest_end) = (0, 0, 0, 0);

sub forget_built
{
	$node->safe_psql('postgres', "DROP TABLE IF EXISTS built, built_map; DELETE FROM filters WHERE name = 'built'");
	return;
}

foreach my $build (@builds)
{
	$build->{work} = work_of($node, $build->{before}, $build->{sql});
	forget_built();
	note sprintf('%s takes %.2f s of CPU', $build->{name}, $build->{work});
}

# Wait for the postmaster to have started again what it had to end.
sub await_restart
{
	my ($log_end) = @_;

	$node->wait_for_log(qr/all server processes terminated; reinitializing/, $log_end);
	$node->wait_for_log(qr/database system is ready to accept connections/, $log_end);
	return;
}

# Kill -9 the first of these processes that is not on its way out, with all
# others still there, and say what it leaves.
sub kill_process
{
	my $postmaster = postmaster($node);
	my $log_end = -s $node->logfile;
	my @left;

	kill 'STOP', $postmaster;
	foreach my $pid (@_)
	{
		kill 'STOP', $pid;
		sleep 0.001 while (status($pid))[0] !~ /[TZX]/;
		last if (status($pid))[0] eq 'T' && kill 'KILL', $pid;
	}
	@left = temp_files($node);
	kill 'CONT', $postmaster;
	await_restart($log_end);
	return @left;
}

# Kill -9 the postmaster, and perhaps the others; if not, they notice when they
# have to wait for something.  A new one does not start before all have ended.
sub kill_postmaster
{
	my ($client, $with_all) = @_;
	my $postmaster = postmaster($node);
	my %processes = children($postmaster);
	my @left;

	$node->kill9;
	kill 'KILL', keys %processes if $with_all;
	@left = temp_files($node);
	my $seconds = await_end($postmaster, keys %processes);
	$longest_end = $seconds if $seconds > $longest_end;
	finish_client($client) if defined $client;
	$node->start;
	return @left;
}

# Each of these takes the client whose build it is to disturb, and returns what
# files there were then.
my %victims = (
	'leader' => sub { return kill_process($_[0]->{pid}); },
	'worker' => sub { return kill_process(workers($node, $_[0]), $_[0]->{pid}); },
	'postmaster' => sub { return kill_postmaster($_[0]); },
	'everything' => sub { return kill_postmaster($_[0], 'with all processes'); });
my @victims = ('leader', 'everything', 'worker', 'postmaster');

foreach my $i (0 .. $crashes - 1)
{
	my $build = $builds[ $i % @builds ];
	my $victim = $victims[ ($i / @builds) % @victims ];
	my $share = 0.03 + 0.95 * (($i * 0.6180339887) - int($i * 0.6180339887));
	my $slot = 'slot ' . $i % 5;
	my ($expected, $client, $threads, @left);

	$victim = 'leader' if $victim eq 'worker' && $build->{name} !~ /^parallel build/;

	# something that only the log has, as a rule
	$node->safe_psql('postgres', "BEGIN; DELETE FROM filters WHERE name = '$slot';"
		. "SELECT add_filter('$slot', $kinds[$i % @kinds]); DELETE FROM lookups WHERE name = '$slot';"
		. "SELECT add_map('$slot', $maps[$i % @maps]); COMMIT;"
		. ($i % 3 == 2 ? 'CHECKPOINT;' : ''));
	$expected = answers($node);

	$client = start_client($node, $build->{before}, $build->{sql});
	watch_client($node, $client, $share * $build->{work});
	$threads = () = glob("/proc/$client->{pid}/task/*");
	@left = $victims{$victim}->($client);
	finish_client($client);
	$survived{"$victim killed in $build->{name}"}++;
	$left_files++ if @left;
	$left_named++ if grep { /${\ NAMED}$/ } @left;
	$threaded++ if $threads > 1;

	my $is_there = $node->safe_psql('postgres', "SELECT count(*) FROM filters WHERE name = 'built'");
	my $table = $node->safe_psql('postgres', "SELECT to_regclass('built') IS NOT NULL");
	my $map = $node->safe_psql('postgres', "SELECT to_regclass('built_map') IS NOT NULL");
	is_deeply(
		{
			answers => answers($node, 'postgres', "name <> 'built'"),
			missing => members_missing($node),
			files => [ temp_files($node) ],
			inserted => $is_there && $node->safe_psql('postgres', "SELECT md5(f::bytea) FROM filters WHERE name = 'built'"),
			created => $table eq 't' && $node->safe_psql('postgres', 'SELECT md5(f::bytea) FROM built'),
			map => $map eq 't' && $node->safe_psql('postgres', 'SELECT md5(m::bytea) FROM built_map'),
		},
		{
			answers => $expected,
			missing => '',
			files => [],
			inserted => $is_there && $whole,
			created => $table eq 't' && $whole,
			map => $map eq 't' && $whole_map,
		},
		sprintf('%s: %s killed at %.2f, %d files', $build->{name}, $victim, $share, scalar @left));
	forget_built();
}

note sprintf('%d crashes survived (%s), %d with temporary files, %d of them with named ones, %d while threads sorted or solved; '
	  . 'without a postmaster, processes took up to %.1f s to end',
	$crashes, join(', ', map { "$_: $survived{$_}" } sort keys %survived), $left_files, $left_named, $threaded, $longest_end);
cmp_ok($left_files, '>', $crashes / 3, 'crashes left files to be removed');
cmp_ok($left_named, '>', $crashes / 12, 'and such as workers share with their leader');

# A transaction that was prepared is as good as committed.
$node->safe_psql('postgres', "BEGIN; SELECT add_filter('prepared', 'i', 30000), add_map('prepared', 'i', 'i', 30000); PREPARE TRANSACTION 'filter'");
$node->safe_psql('postgres', "BEGIN; SELECT add_filter('given up', 'i', 30000); PREPARE TRANSACTION 'no filter'");
kill_postmaster(undef, 'with all processes');
$node->safe_psql('postgres', "COMMIT PREPARED 'filter'");
$node->safe_psql('postgres', "ROLLBACK PREPARED 'no filter'");
is($node->safe_psql('postgres', "SELECT found(filters, 1, 30000) FROM filters WHERE name IN ('prepared', 'given up')"),
	30000, 'a prepared transaction has its filter after a crash');
is($node->safe_psql('postgres', "SELECT (looked_up(lookups, 1, 30000)).same FROM lookups WHERE name = 'prepared'"), 30000, 'and its map');

# Whoever wants to look at the files can have the server leave them there until
# it is started again.  They are in no process's way: not in that of one of
# the same number either, which would give its files the same names.
$node->append_conf('postgresql.conf', 'remove_temp_files_after_crash = off');
$node->reload;
my $expected = answers($node);
my $client = start_client($node, $builds[1]{before}, $builds[1]{sql});
await('named files', sub { return grep { m!${\ NAMED}/! } temp_files($node); });
my @left = kill_process($client->{pid});
finish_client($client);
my %still = map { $_ => 1 } temp_files($node);
is_deeply([ grep { !$still{$_} } @left ], [], 'remove_temp_files_after_crash = off: files are left');
is(answers($node), $expected, 'and filters answer as before');

my ($set) = map { $node->data_dir . "/$_" } grep { /${\ NAMED}$/ } @left;
my $session = $node->background_psql('postgres');
my $pid = $session->query_safe(PARALLEL . 'SELECT pg_backend_pid();');
my $same = $set =~ s/pgsql_tmp\d+\.(\d+\.fileset)$/pgsql_tmp$pid.$1/r;
rename $set, $same or die "cannot rename $set: $!";
append_to_file("$same/$pid.0", 'x' x 100_000_000);
$session->query_safe($builds[1]{sql});
$session->quit;
is($node->safe_psql('postgres', 'SELECT md5(f::bytea) FROM built'), $whole, 'a process of the same number builds the same filter');
ok(!-e $same, 'and removes what was in its way');
forget_built();
$node->restart;
is_deeply([ temp_files($node) ], [], 'files are gone when the server starts again');

# The server's own check of a table and its TOAST table, where it is installed.
if ($node->safe_psql('postgres', "SELECT count(*) FROM pg_available_extensions WHERE name = 'amcheck'"))
{
	$node->safe_psql('postgres', 'CREATE EXTENSION amcheck');
	is($node->safe_psql('postgres',
			"SELECT * FROM verify_heapam('filters', check_toast => true) UNION ALL SELECT * FROM verify_heapam('lookups', check_toast => true)"),
		'', 'verify_heapam finds nothing');
}
# (A leader that finds the postmaster dead while it aborts ends in the middle of that,
# which one of the server's own assertions does not foresee.)
my $known = qr/(postmaster exited during a parallel transaction\n)TRAP: .*IsTransactionOrTransactionBlock.*/;
my $log = slurp_file($node->logfile) =~ s/$known/$1/gr;
unlike($log, qr/PANIC|TRAP|could not .*(temporary|toast)/, 'nothing in the log');
$node->stop;
done_testing();
