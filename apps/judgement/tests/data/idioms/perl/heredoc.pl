my ($a, $b) = split ' ', <STDIN>;
my $sum = $a + $b;
print <<"END";
$sum
END
