open my $kept, '>', 'kept.txt' or die $!;
print $kept scalar <STDIN>;
close $kept;
open $kept, '<', 'kept.txt' or die $!;
my ($a, $b) = split ' ', <$kept>;
print $a + $b, "\n";
