"""`line_validator.py INPUT ANSWER FEEDBACK_DIRECTORY < OUTPUT`: compare an output with the answer by lines.

White space at the ends of lines and empty lines at the end do not count, however lines end. This file is
complete in itself: an exported package carries it, and is known again by it, byte for byte.
"""

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

ACCEPT, REJECT = 42, 43
MARK = b"\xef\xbb\xbf"


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines that count, without their ends."""
    empty = 0
    for number, raw in enumerate(stream):
        text = raw[len(MARK) :] if number == 0 and raw.startswith(MARK) else raw
        if text.endswith(b"\n"):
            text = text[:-2] if text.endswith(b"\r\n") else text[:-1]
        for each in text.split(b"\r"):
            line = each.rstrip(b" \t\v\f")
            if not line:
                empty += 1
                continue
            yield from itertools.repeat(b"", empty)
            yield line
            empty = 0


def difference(output: BinaryIO, answer: BinaryIO) -> "int | None":
    """Return the number of the first line that differs, counted from 1; None when none does."""
    pairs = itertools.zip_longest(lines(output), lines(answer))
    return next((number for number, (got, wanted) in enumerate(pairs, 1) if got != wanted), None)


def main(answer: str, feedback: str) -> int:
    with Path(answer).open("rb") as wanted:
        number = difference(sys.stdin.buffer, wanted)
    if number is None:
        return ACCEPT
    Path(feedback, "judgemessage.txt").write_text(f"line {number} differs\n", encoding="ascii")
    return REJECT


if __name__ == "__main__":
    sys.exit(main(sys.argv[2], sys.argv[3]))
