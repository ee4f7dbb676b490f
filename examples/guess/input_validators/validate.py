import re
import sys

text = sys.stdin.read()
if not re.fullmatch(r"[1-9][0-9]*\n", text) or int(text) > 1000:
    sys.exit("expected one number from 1 to 1000")
sys.exit(42)
