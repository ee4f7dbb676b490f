<?php
file_put_contents('kept.txt', fgets(STDIN));
echo array_sum(explode(' ', trim(file_get_contents('kept.txt'))));
