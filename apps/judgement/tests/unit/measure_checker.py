"""Compare two endless-looking texts of a given size in this process; print the word and the peak memory.

Run by `test_checker_memory.py` in a process of its own, because a peak of memory belongs to a process.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from deepoj_domain.question.checker import (
    BuiltinChecker,
    ExactChecker,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    TokenChecker,
)
from deepoj_judgement.commands.judge.checkers.compare import compare

CHECKERS: dict[str, BuiltinChecker] = {
    "exact": ExactChecker(),
    "lines": LineChecker(),
    "lines_unicode": LineChecker(collapse_spaces=True, normalise_unicode=True),
    "tokens": TokenChecker(),
    "tokens_folded": TokenChecker(case_sensitive=False, normalise_unicode=True),
    "floats": FloatChecker(absolute="1e-6", relative="1e-6"),
    "icpc": IcpcChecker.parse(["float_tolerance", "1e-6"]),
    "icpc_spaces": IcpcChecker.parse(["space_change_sensitive", "case_sensitive"]),
}
ANSWER = b"".join(b"%d.%06d word\n" % (number % 9973, number * 7919 % 1_000_000) for number in range(50_000))
OUTPUTS = {
    # What each has to look through without being equal byte for byte.
    "exact": ANSWER.replace(b"\n", b"\r\n"),
    "lines": ANSWER.replace(b"word", b"word "),
    "lines_unicode": ANSWER.replace(b" ", b"  "),
    "tokens": ANSWER.replace(b" ", b"\t\t"),
    "tokens_folded": ANSWER.replace(b"word", b"Word"),
    "floats": ANSWER.replace(b" word", b"4 word"),
    "icpc": ANSWER.replace(b"word", b"WORD"),
    "icpc_spaces": ANSWER,
}


class Repeated(io.RawIOBase):
    """A text over and over, without room for it on any disk."""

    def __init__(self, text: bytes, times: int, end: bytes) -> None:
        self._text = text
        self._size = len(text) * times
        self._end = end
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        assert whence == 0
        self._at = offset
        return offset

    def read(self, size: int = -1, /) -> bytes:
        start = self._at % len(self._text)
        left = self._size - self._at
        piece = self._text[start : start + min(size, left)] if left > 0 else self._end[-left : size - left]
        self._at += len(piece)
        return piece


def peak_kib() -> int:
    """Of this program alone: ru_maxrss begins with what the process was before exec."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def main(kind: str, megabytes: int) -> None:
    times = (megabytes << 20) // len(ANSWER) + 1
    # Different at the very end, so that everything is read and nothing is equal byte for byte.
    answer, output = Repeated(ANSWER, times, b"end"), Repeated(OUTPUTS[kind], times, b"eND!")
    word = compare(CHECKERS[kind], output, answer).word  # type: ignore[arg-type]  # it reads and seeks
    sys.stdout.write(f"{word} {peak_kib()}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
