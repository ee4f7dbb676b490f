<?php
function depth(int $left): int { return $left ? 1 + depth($left - 1) : 0; }

[$a, $b] = array_map('intval', explode(' ', fgets(STDIN)));
echo $a + $b + depth(100000) - 100000;
