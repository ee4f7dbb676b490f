"""judge.py input answer feedback_directory: speaks to the submission over standard input and output."""

import sys
from pathlib import Path

ACCEPTED, REJECTED = 42, 43
MOST_GUESSES = 10


def end(code, why):
    Path(sys.argv[3], "judgemessage.txt").write_text(why + "\n")
    sys.exit(code)


def say(word):
    try:
        print(word, flush=True)
    except BrokenPipeError:
        end(REJECTED, "the submission ended too early")


secret = int(Path(sys.argv[1]).read_text())
for number in range(1, MOST_GUESSES + 1):
    line = sys.stdin.readline()
    if not line:
        end(REJECTED, f"no guess {number}")
    if not line.strip().isdecimal() or len(line) > 10:
        end(REJECTED, f"guess {number} is not a number")
    guess = int(line)
    if guess == secret:
        say("correct")
        end(ACCEPTED, f"found with {number} guesses")
    say("lower" if secret < guess else "higher")
end(REJECTED, "no guess was left")
