use strict;
use warnings;

open my $in, '<', '/dev/stdin' or die $!;
open my $out, '>', '/dev/stdout' or die $!;
my ($a, $b) = split ' ', <$in>;
print $out $a + $b, "\n";
