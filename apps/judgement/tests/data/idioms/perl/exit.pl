my ($a, $b) = split ' ', <STDIN>;
print $a + $b, "\n";
exit;
print "never\n";
