import re
import sys

text = sys.stdin.read()
if not re.fullmatch(r"(0|[1-9][0-9]*)(\.[0-9]{1,4})?\n", text) or float(text) > 1000:
    sys.exit("expected one radius from 0 to 1000")
sys.exit(42)
