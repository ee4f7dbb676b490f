import re
import sys

text = sys.stdin.read()
number = r"(?:0|-?[1-9][0-9]*)"
if not re.fullmatch(f"{number} {number}\n", text):
    sys.exit("expected one line with two numbers")
if any(abs(int(word)) > 10**18 for word in text.split()):
    sys.exit("a number is out of range")
sys.exit(42)
