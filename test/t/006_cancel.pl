
# 006_cancel.pl - builds that another session ends
#
# test_spill.py tries timeouts, errors and the end of a parallel build's leader.
# Here it is a worker that ends, a client that is gone, a database that is
# dropped, a session that is idle with a cursor, or a server that is shut down:
# at several moments, with files in three tablespaces.  No file may be left.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use PostgreSQL::Test::Utils;
use RibbonTest;
use Test::More;
use Time::HiRes qw(time);

my $node = new_server('cancel');
my @spaces = map { PostgreSQL::Test::Utils::tempdir } 1 .. 2;
$node->append_conf('postgresql.conf', "max_worker_processes = 8\nclient_connection_check_interval = '10ms'\n");
$node->start;
$node->safe_psql('postgres', "CREATE TABLESPACE space$_ LOCATION '$spaces[$_ - 1]'") foreach 1 .. 2;
$node->safe_psql('postgres', 'ALTER SYSTEM SET temp_tablespaces = space1, space2, pg_default');
$node->reload;
$node->safe_psql('postgres', 'CREATE EXTENSION ribbon');
create_keys($node, 2_000_000);

my $groups = 'SELECT g, ribbon_build(k) FROM keys GROUP BY g';
my %builds = (
	'serial' => [ SERIAL, KEYS_FILTER . ' \g /dev/null' ],
	'parallel' => [ PARALLEL, KEYS_FILTER . ' \g /dev/null' ],
	'groups' => [ SERIAL, $groups . ' \g /dev/null' ],
	'parallel groups' => [ PARALLEL, $groups . ' \g /dev/null' ],
	'parallel map' => [ PARALLEL, 'SELECT ribbon_map(k, g) FROM keys \g /dev/null' ],
	'parallel exact set' => [ PARALLEL, 'SELECT ribbon_build_exact(k, g = 1) FROM keys \g /dev/null' ]);
my %work = map { $_ => work_of($node, @{ $builds{$_} }) } keys %builds;

# What can be done to a session that builds, perhaps with workers; false if there was none
# to do it to.  The signals are those of pg_terminate_backend and pg_cancel_backend, which
# take longer than a worker may have left.
my %ends = (
	'terminated' => sub { kill 'TERM', $_[0]->{pid}; },
	'cancelled' => sub { kill 'INT', $_[0]->{pid}; },
	'a worker terminated' => sub { kill 'TERM', (workers($node, $_[0]))[-1]; },
	'a worker cancelled' => sub { kill 'INT', (workers($node, $_[0]))[-1]; },
	'client gone' => sub { $_[0]->{run}->kill_kill; 1; });

# Wait for the server to have been told of the end of a session.
sub await_idle
{
	$node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_activity
		WHERE (backend_type = 'client backend' AND state <> 'idle') OR backend_type = 'parallel worker'))
	  or die 'a session goes on';
	return;
}

foreach my $end (sort keys %ends)
{
	foreach my $name (grep { /parallel/ || $end !~ /worker/ } sort keys %builds)
	{
		my ($early, $tries, @left) = (0, 0);

		# (On a busy machine a build, or its workers, may end before they are told to: then once more.)
		foreach my $share (0, 0.5, (0) x 8)
		{
			last if $early && $tries >= 2;
			$tries++;
			my $client = start_client($node, @{ $builds{$name} });

			await('files', sub { return grep { $name !~ /parallel/ || m!${\ NAMED}/! } temp_files($node); });
			watch_client($node, $client, $share * $work{$name});
			my $told = $ends{$end}->($client);
			await_idle();
			push @left, temp_files($node);
			my $through = finish_client($client) && $client->{err} eq '';
			$early++ if $told && !$through;
		}
		is_deeply(\@left, [], "$name, $end: no file is left");
		cmp_ok($early, '>', 0, "$name, $end: $early of $tries builds did not come to their end");
	}
}

# A cursor that has read one group of a sorted build; the others' files are there.
foreach my $plan (SERIAL, PARALLEL)
{
	my $client = start_client($node,
		"$plan SET enable_hashagg = off; SET idle_in_transaction_session_timeout = '1s';",
		"BEGIN; DECLARE c CURSOR FOR $groups ORDER BY g; MOVE 1 FROM c;");

	await('files', sub { return temp_files($node); });
	await_end($client->{pid});
	is_deeply([ temp_files($node) ], [], 'a session that was idle for too long leaves no file');
	finish_client($client);
}

# A database is dropped.
$node->safe_psql('postgres', 'CREATE DATABASE dropped');
$node->safe_psql('dropped', 'CREATE EXTENSION ribbon');
my $client = start_client($node, "\\connect dropped\n" . SERIAL, 'SELECT ribbon_build(i) FROM generate_series(1, 20000000) AS i;');
await('files', sub { return grep { $_ =~ /$client->{pid}\.\d+$/ } temp_files($node); });
$node->safe_psql('postgres', 'DROP DATABASE dropped WITH (FORCE)');
ok(!finish_client($client), 'DROP DATABASE ends a build');
like($client->{err}, qr/terminating connection/, 'which is told so');
is_deeply([ temp_files($node) ], [], 'and no file is left');

# A server is shut down, and does not wait for a build.
my $interrupted = 0;
foreach my $name (sort keys %builds)
{
	my $client = start_client($node, @{ $builds{$name} });

	watch_client($node, $client, 0.5 * $work{$name});
	my $began = time;
	$node->stop('fast');
	my $seconds = time - $began;
	is_deeply([ temp_files($node) ], [], "$name: a shutdown leaves no file");
	cmp_ok($seconds, '<', 20, 'and does not wait');
	$interrupted++ if !finish_client($client);
	$node->start;
}
cmp_ok($interrupted, '>', 0, "$interrupted builds were not at their end");

# A tablespace with a file in it could not be dropped.
$node->safe_psql('postgres', 'ALTER SYSTEM RESET temp_tablespaces');
$node->reload;
$node->safe_psql('postgres', "DROP TABLESPACE space$_") foreach 1 .. 2;
is(join(' ', map { glob("$_/*") } @spaces), '', 'tablespaces are empty');
unlike(slurp_file($node->logfile), qr/PANIC|TRAP|WARNING|could not .*temporary/, 'nothing else in the log');
$node->stop;
done_testing();
