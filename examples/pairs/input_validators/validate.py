"""validate.py most [equal]."""

import re
import sys

number = r"(?:0|-?[1-9][0-9]*)"
text = sys.stdin.read()
if not re.fullmatch(rf"[1-9][0-9]*\n{number}(?: {number})*\n", text):
    sys.exit("expected n and a line of numbers")
first, second = text.splitlines()
numbers = [int(word) for word in second.split()]
if len(numbers) != int(first) or len(numbers) > int(sys.argv[1]):
    sys.exit("the number of numbers is wrong")
if any(abs(each) > 10**9 for each in numbers):
    sys.exit("a number is out of range")
if "equal" in sys.argv and len(set(numbers)) > 1:
    sys.exit("the numbers of this subtask are equal")
sys.exit(42)
