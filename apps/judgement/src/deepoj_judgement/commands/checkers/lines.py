"""Line for line. The end of the last line may be missing; empty lines at the end count as trailing space."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import BinaryIO

from deepoj_domain.question.checker import LineChecker
from deepoj_judgement.commands.checkers.folding import folded
from deepoj_judgement.commands.checkers.outcome import RIGHT, Checked, differs
from deepoj_judgement.commands.checkers.reading import Line, Place, lines

_SPACES = re.compile(rb"[ \t]+")
_TRAILING = b" \t\v\f"


def check_lines(checker: LineChecker, output: BinaryIO, answer: BinaryIO) -> Checked:
    pairs = zip_longest(_normal(checker, output), _normal(checker, answer))
    for number, (got, expected) in enumerate(pairs, start=1):
        if got == expected or _same(checker, got, expected):
            continue
        return differs(Place(number, _column(got, expected)), expected, got)
    return RIGHT


def _normal(checker: LineChecker, stream: BinaryIO) -> Iterator[bytes]:
    held = 0
    for line in lines(stream):
        text = _stripped(checker, line)
        if checker.ignore_trailing_space and not text:
            held += 1
            continue
        yield from [b""] * held
        held = 0
        yield text


def _stripped(checker: LineChecker, line: Line) -> bytes:
    text = _SPACES.sub(b" ", line.text) if checker.collapse_spaces else line.text
    return text.rstrip(_TRAILING) if checker.ignore_trailing_space and line.whole else text


def _same(checker: LineChecker, got: bytes | None, expected: bytes | None) -> bool:
    if got is None or expected is None or not checker.normalise_unicode:
        return False
    return folded(got, normalise_unicode=True) == folded(expected, normalise_unicode=True)


def _column(got: bytes | None, expected: bytes | None) -> int:
    ours, theirs = got or b"", expected or b""
    shared = (at for at, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b)
    return next(shared, min(len(ours), len(theirs))) + 1
