use strict;
use warnings;
no warnings 'recursion';

sub depth { my ($left) = @_; return $left ? 1 + depth($left - 1) : 0; }

my ($a, $b) = split ' ', <STDIN>;
print $a + $b + depth(50000) - 50000, "\n";
