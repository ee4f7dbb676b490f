<?php
[$a, $b] = explode(' ', file_get_contents('php://stdin'));
file_put_contents('php://stdout', (int) $a + (int) $b);
