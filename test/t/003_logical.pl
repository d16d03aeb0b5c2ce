
# 003_logical.pl - filters and maps in logical replication
#
# Two subscribers, one of them binary, follow tables with filters and maps of all
# kinds: their first contents, and all sorts of changes.  A filter that an update leaves
# alone is not sent, if it is stored out of line; one that belongs to the replica
# identity is sent twice.  Arrays, rows and domains of filters go the same way.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use PostgreSQL::Test::Utils;
use RibbonTest;
use Test::More;

my %copies = (text_copy => '', binary_copy => ', binary = true');
my $publisher = new_server('publisher', allows_streaming => 'logical');
my $subscriber = new_server('subscriber', allows_streaming => 'logical');
my $more_tables = <<'END';
CREATE TABLE "full" (n int, note int, f ribbonfilter);
CREATE TABLE part (n int, f ribbonfilter);
ALTER TABLE "full" REPLICA IDENTITY FULL;
ALTER TABLE part REPLICA IDENTITY FULL;
CREATE TYPE named AS (name text, f ribbonfilter);
CREATE DOMAIN audience AS ribbonfilter CHECK (ribbon_cardinality(VALUE) > 0);
CREATE TABLE sets (id int PRIMARY KEY, list ribbonfilter[], one named, domain audience);
CREATE TABLE full_maps (n int, note int, m ribbonmap, ms ribbonmap[]);
ALTER TABLE full_maps REPLICA IDENTITY FULL;
END

$publisher->append_conf('postgresql.conf', 'logical_decoding_work_mem = 64kB');
$_->start foreach $publisher, $subscriber;
create_filters($publisher);
$publisher->safe_psql('postgres', $more_tables . <<'END');
CREATE PUBLICATION everything FOR TABLE filters, lookups, "full", full_maps, sets, part WHERE (n % 2 = 0);
CREATE PUBLICATION few FOR TABLE filters (name, n);
INSERT INTO "full" SELECT n, note, f FROM filters;
INSERT INTO "full" SELECT n, note, f FROM filters WHERE name IN ('some', 'text');
INSERT INTO part SELECT g, ribbon_build(i * g) FROM generate_series(1, 5000) AS i, generate_series(1, 6) AS g GROUP BY g;
INSERT INTO full_maps SELECT n, note, m, ARRAY[m, NULL] FROM lookups;
INSERT INTO sets SELECT row_number() OVER (ORDER BY name), ARRAY[f, NULL, f], ROW(name, f)::named, f FROM filters WHERE n > 0;
END
foreach my $copy (sort keys %copies)
{
	$subscriber->safe_psql('postgres', "CREATE DATABASE $copy");
	create_filters($subscriber, $copy);
	$subscriber->safe_psql($copy, "TRUNCATE filters, lookups; $more_tables");
	$subscriber->safe_psql($copy, "CREATE SUBSCRIPTION $copy CONNECTION '" . $publisher->connstr
		. " dbname=postgres' PUBLICATION everything WITH (streaming = true$copies{$copy})");
	$subscriber->wait_for_subscription_sync($publisher, $copy, $copy);
}

# All rows of the tables that have no key of their own, in bytes.
sub rows
{
	my ($node, $database) = @_;

	return $node->safe_psql($database, <<'END');
SELECT 'full', n, note, md5(f::bytea) FROM "full" UNION ALL
SELECT 'part', n, 0, md5(f::bytea) FROM part WHERE n % 2 = 0 UNION ALL
SELECT 'maps', n, note, md5(concat(m, ms)) FROM full_maps UNION ALL
SELECT 'sets', id, cardinality(list), md5(concat(list, one, domain)) FROM sets ORDER BY 1, 2, 3, 4
END
}

sub check
{
	my ($what) = @_;

	foreach my $copy (sort keys %copies)
	{
		$publisher->wait_for_catchup($copy);
		is(answers($subscriber, $copy), answers($publisher), "$copy: $what");
		is(rows($subscriber, $copy), rows($publisher, 'postgres'), "$copy: $what, without a key");
		is(members_missing($subscriber, $copy), '', "$copy: no member is missing");
	}
	return;
}

my $count = $subscriber->safe_psql('binary_copy', 'SELECT count(*) FROM filters');
cmp_ok($count, '>', 10, "$count filters have been copied");
is($subscriber->safe_psql('text_copy', 'SELECT count(*), min(n), max(n) FROM part'), '3|2|6', 'and some by a row filter');
isnt($subscriber->safe_psql('binary_copy', "SELECT 'ribbonfilter[]'::regtype::oid"),
	$publisher->safe_psql('postgres', "SELECT 'ribbonfilter[]'::regtype::oid"), 'types have other numbers elsewhere');
check('first contents');

$publisher->safe_psql('postgres', <<'END');
SELECT add_filter('inserted ' || e, 'i', (10 ^ e)::int) FROM generate_series(0, 5) AS e;
INSERT INTO "full" SELECT n, 7, f FROM filters WHERE name LIKE 'inserted%';
INSERT INTO part SELECT n + 2, f FROM part;
SELECT add_map('inserted ' || e, 'i', '(i % 9)::price', (10 ^ e)::int) FROM generate_series(0, 5) AS e;
INSERT INTO full_maps SELECT n, 7, m, ARRAY[m] FROM lookups WHERE name LIKE 'inserted%';
INSERT INTO sets SELECT 1000 + n, ARRAY[f, f], ROW(name, f)::named, f FROM filters WHERE name LIKE 'inserted%';
END
check('INSERT');

$publisher->safe_psql('postgres', <<'END');
UPDATE filters SET f = ribbon_shrink(f, 0.2) WHERE name IN ('rare', 'width 128', 'large');
UPDATE filters SET (keys, n, f) = (SELECT 'i + 5', 40000, ribbon_build(i + 5) FROM generate_series(1, 40000) AS i) WHERE name = 'one';
UPDATE filters SET f = NULL WHERE name = 'numeric';
UPDATE "full" SET f = ribbon_shrink(f, 0.2) WHERE n > 100 AND (ribbon_stats(f)).kind <> 'exact';
UPDATE lookups SET (vals, n, m) = (SELECT 'i * 5', 40000, ribbon_map(i, i * 5) FROM generate_series(1, 40000) AS i) WHERE name IN ('large', 'unchecked');
UPDATE lookups SET m = NULL WHERE name = 'enum';
UPDATE full_maps SET m = ms[1], ms = ms || m WHERE n > 100;
UPDATE sets SET list = list || domain, one = ROW(NULL, domain)::named WHERE id % 3 = 0;
END
check('UPDATE of filters');

# large filters are not sent: the subscriber keeps what it has
$publisher->safe_psql('postgres', <<'END');
UPDATE filters SET note = note + 1;
UPDATE filters SET name = 'renamed ' || name WHERE name IN ('homogeneous', 'some', 'text');
UPDATE "full" SET note = note + 1;
UPDATE lookups SET note = note + 1;
UPDATE lookups SET name = 'renamed ' || name WHERE name IN ('some', 'text', 'two planes');
UPDATE full_maps SET note = note + 1;
UPDATE part SET n = n + 1 WHERE n < 5;
UPDATE sets SET id = -id WHERE id % 2 = 0;
END
check('UPDATE of other columns');

$publisher->safe_psql('postgres', <<'END');
DELETE FROM filters WHERE name LIKE '%a%e%';
DELETE FROM "full" WHERE n IN (100, 20000);
DELETE FROM lookups WHERE name LIKE '%a%e%';
DELETE FROM full_maps WHERE n IN (100, 20000);
DELETE FROM part WHERE n = 4;
DELETE FROM sets WHERE id % 5 = 0;
BEGIN; SAVEPOINT s; SELECT add_filter('in a subtransaction', 'i', 100000); RELEASE s; SAVEPOINT s;
SELECT add_filter('rolled back', 'i', 100000); ROLLBACK TO s; COMMIT;
END
check('DELETE, subtransactions');

# What a row filter may be made of.
my ($status, $out, $err) = $publisher->psql('postgres', 'CREATE PUBLICATION refused FOR TABLE "full" WHERE (f @> 42)');
like($err, qr/invalid publication WHERE expression/, 'a row filter cannot probe');
($status, $out, $err) = $publisher->psql('postgres', 'CREATE PUBLICATION refused FOR TABLE "full" WHERE (f IS NOT NULL)');
like($err, qr/invalid publication WHERE expression/, 'nor mention a filter');

# Some of the columns.
$subscriber->safe_psql('postgres', 'CREATE TABLE filters (name text PRIMARY KEY, n int)');
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION few CONNECTION '" . $publisher->connstr . " dbname=postgres' PUBLICATION few");
$subscriber->wait_for_subscription_sync($publisher, 'few', 'postgres');
$publisher->safe_psql('postgres', "UPDATE filters SET note = note + 1; UPDATE filters SET f = NULL WHERE name = 'uuid'");
$publisher->wait_for_catchup('few');
my $names = 'SELECT name, n FROM filters ORDER BY name';
is($subscriber->safe_psql('postgres', $names), $publisher->safe_psql('postgres', $names), 'a list of columns without the filter');
check('in the end');

foreach my $node ($publisher, $subscriber)
{
	unlike(slurp_file($node->logfile), qr/PANIC|TRAP|ERROR:  (?!invalid publication)/, 'nothing in the log of ' . $node->name);
}
$_->stop foreach $subscriber, $publisher;
done_testing();
