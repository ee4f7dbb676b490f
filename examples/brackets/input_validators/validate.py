import re
import sys

if not re.fullmatch(r"[()\[\]{}]{1,1000}\n", sys.stdin.read()):
    sys.exit("expected one line of brackets")
sys.exit(42)
