"""Line for line: both texts are brought into one form and compared byte for byte.

The end of the last line may be missing; empty lines at the end count as trailing space.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import BinaryIO

from deepoj_domain.question.checker import LineChecker
from deepoj_judgement.commands.judge.checkers.exact import compare_texts
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.checkers.text_blocks import CHUNK, chunks
from deepoj_judgement.commands.judge.checkers.unicode_forms import composed

LONGEST_GAP = 64 * 1024
"""Of more white space in one place, the rest is compared by its digest: it may be as long as the output."""
_SPACES = re.compile(rb"[ \t]+")
_TRAILING = b" \t\v\f"
_ENDS = (b" ", b"\t", b"\v", b"\f")
_WHITE = _TRAILING + b"\n"


def check_lines(checker: LineChecker, output: BinaryIO, answer: BinaryIO) -> Checked:
    return compare_texts(_normal(checker, output), _normal(checker, answer))


def _normal(checker: LineChecker, stream: BinaryIO) -> Iterator[bytes]:
    text = chunks(stream)
    if checker.normalise_unicode:
        text = composed(text)
    if checker.collapse_spaces:
        text = _collapsed(text)
    text = _trimmed(text) if checker.ignore_trailing_space else _without_last_end(text)
    return filter(None, text)


def _collapsed(text: Iterable[bytes]) -> Iterator[bytes]:
    begun = False
    for chunk in filter(None, text):
        formed = _SPACES.sub(b" ", chunk)
        yield formed.removeprefix(b" ") if begun else formed
        begun = chunk.endswith((b" ", b"\t"))


def _without_last_end(text: Iterable[bytes]) -> Iterator[bytes]:
    held = b""
    for chunk in filter(None, text):
        yield held
        held = b"\n" if chunk.endswith(b"\n") else b""
        yield chunk.removesuffix(b"\n")


def _trimmed(text: Iterable[bytes]) -> Iterator[bytes]:
    gap = _Gap()
    for chunk in text:
        begun = chunk.lstrip(_WHITE)
        gap.add(chunk[: len(chunk) - len(begun)])
        if begun:
            words = begun.rstrip(_WHITE)
            yield from gap.pieces()
            yield _lines_trimmed(words)
            gap = _Gap()
            gap.add(begun[len(words) :])


def _lines_trimmed(text: bytes) -> bytes:
    if not any(end + b"\n" in text for end in _ENDS):
        return text
    return b"\n".join([line.rstrip(_TRAILING) for line in text.split(b"\n")])


class _Gap:
    """White space between words, however long: the ends of lines, and the space before the next word."""

    def __init__(self) -> None:
        self._line_ends = 0
        self._space = b""
        self._more = 0
        self._digest = sha256()

    def add(self, white: bytes) -> None:
        before, end, space = white.rpartition(b"\n")
        if end:
            self._line_ends += before.count(b"\n") + 1
            self._space, self._more, self._digest = b"", 0, sha256()
        room = LONGEST_GAP - len(self._space)
        self._space += space[:room]
        self._more += len(space[room:])
        self._digest.update(space[room:])

    def pieces(self) -> Iterator[bytes]:
        while self._line_ends:
            some = min(self._line_ends, CHUNK)
            self._line_ends -= some
            yield b"\n" * some
        yield self._space
        if self._more:
            # No word begins with a space, so no text says the same.
            yield b" (%d more bytes, %s)" % (self._more, self._digest.hexdigest().encode())
