
# 005_disk_full.pl - no room for temporary files
#
# There may be less than a build wants because of temp_file_limit, or because the
# file system of a temporary tablespace is full.  It may end while keys are
# collected, or sorted, or while keys that a layer has bumped are put aside.
# Then there is an error that says so, no file is left, and the same session goes
# on to build.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use PostgreSQL::Test::Utils;
use RibbonTest;
use Test::More;

my $node = new_server('full');
$node->append_conf('postgresql.conf', 'max_worker_processes = 8');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION ribbon');
create_keys($node, 1_500_000);

my $digest = 'SELECT md5(f::bytea) FROM (' . KEYS_FILTER . ') AS s;';
my $whole = $node->safe_psql('postgres', $digest);
my %plans = (
	'serial' => SERIAL,
	'parallel' => PARALLEL,
	'parallel groups' => PARALLEL);
my %queries = (
	'serial' => $digest,
	'parallel' => $digest,
	'parallel groups' => 'SELECT md5(string_agg(f::text, NULL ORDER BY g)) FROM'
	  . ' (SELECT g, ribbon_build(k) AS f FROM keys GROUP BY 1) AS s;');
my $groups = $node->safe_psql('postgres', $queries{'parallel groups'});

like($node->safe_psql('postgres', PARALLEL . "EXPLAIN $queries{'parallel groups'}"), qr/Partial.*Aggregate/, 'groups are built in parallel');

# With so much room each, in MB: what becomes of a build, and of another one in
# the same session that has room?
sub try_room
{
	my ($plan, $state, $limit, $unlimit, @room) = @_;
	my $find = '\\! find ' . $node->data_dir . "/base/pgsql_tmp $ENV{SMALL_FILE_SYSTEM} -path '*/pgsql_tmp/*'";
	my $expected = $plan eq 'parallel groups' ? $groups : $whole;
	my ($failed, $built) = (0, 0);
	my @strange;

	foreach my $room (@room)
	{
		my ($status, $out, $err) = $node->psql('postgres', "\\set VERBOSITY sqlstate\n$plans{$plan}" . $limit->($room)
			. "$queries{$plan}\n$find\n\\echo and\n$unlimit\n$queries{$plan}\n$find", on_error_stop => 0);

		$err =~ s/^psql:\S+ //mg;
		if ($out eq "$expected\nand\n$expected" && $err eq '') { $built++; }
		elsif ($out eq "and\n$expected" && $err eq "ERROR:  $state") { $failed++; }
		else { push @strange, "$room: $out $err"; }
	}
	is_deeply(\@strange, [], "$plan: $failed errors $state, $built builds that had room");
	ok($failed > 0 && $built > 0, "$plan: both have been seen");
	return;
}

foreach my $plan (sort keys %plans)
{
	try_room($plan, 53400, sub { return "SET temp_file_limit = '$_[0]MB';"; }, 'SET temp_file_limit = -1;', 1, 5, 11, 40);
}

# A file system of 64 MB, with a file in it that leaves as much room.
SKIP:
{
	my $space = "$ENV{SMALL_FILE_SYSTEM}/space";
	my $ballast = "$space/ballast";

	skip 'no file system may be mounted here, so none is full', 7 if !$ENV{SMALL_FILE_SYSTEM};
	$node->safe_psql('postgres', "CREATE TABLESPACE small LOCATION '$space'");

	foreach my $plan (sort keys %plans)
	{
		my $leave = sub {
			open(my $file, '>', $ballast) or die "cannot write $ballast: $!";
			print $file 'x' x ((64 - $_[0]) * 1024 * 1024);
			close($file) or die "cannot write $ballast: $!";
			return 'SET temp_tablespaces = small;';
		};

		try_room($plan, 53100, $leave, "\\! rm $ballast", 1, 5, 11, 13, 20, 30, 60);
	}
	unlink $ballast;
	$node->safe_psql('postgres', 'DROP TABLESPACE small');
	is(join(' ', glob("$space/*/*")), '', 'the tablespace can be dropped');
}

unlike(slurp_file($node->logfile), qr/PANIC|TRAP|WARNING/, 'nothing else in the log');
$node->stop;
done_testing();
