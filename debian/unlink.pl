#!/usr/bin/perl
#
# unlink.pl - links in pages of Markdown to files that are not there become plain text
#
# usage: debian/unlink.pl PAGE...
#
# A page is packaged without some of those that it leads to.

use strict;
use warnings;
use File::Basename;

# The text of a link; all of it if the file is there or it leads elsewhere.
sub keep_or_unlink
{
	my ($link, $text, $target, $directory) = @_;
	my $file = $target =~ s/#.*//r;

	return $link if $file eq '' || $file =~ /^[a-z]+:/ || -e "$directory/$file";
	return $text;
}

for my $page (@ARGV)
{
	open(my $in, '<', $page) or die "$page: $!\n";
	my $text = do { local $/; <$in> };
	my $directory = dirname($page);

	$text =~ s/(!?\[([^\[\]]*)\]\(([^()\s]+)\))/keep_or_unlink($1, $2, $3, $directory)/ge;
	open(my $out, '>', $page) or die "$page: $!\n";
	print $out $text;
	close($out) or die "$page: $!\n";
}
