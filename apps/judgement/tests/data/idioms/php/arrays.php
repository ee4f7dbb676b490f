<?php
$sums = array_fill(0, 2000000, 1);
[$a, $b] = array_map('intval', explode(' ', fgets(STDIN)));
echo $a + $b + $sums[1000000] - 1;
