use strict;
use warnings;
use threads;

my @numbers = split ' ', <STDIN>;
my @threads = map { my $number = $_; threads->create(sub { return 2 * $number }) } @numbers;
my $sum = 0;
$sum += $_->join() for @threads;
print $sum / 2, "\n";
