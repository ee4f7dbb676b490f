<?php
echo 42;
exit(255);
