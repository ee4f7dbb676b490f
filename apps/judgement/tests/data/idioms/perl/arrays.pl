my @sums = (1) x 2000000;
my ($a, $b) = split ' ', <STDIN>;
print $a + $b + $sums[1000000] - 1, "\n";
