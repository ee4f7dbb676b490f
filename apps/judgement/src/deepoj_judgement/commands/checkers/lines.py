"""Line for line: both texts are brought into one form and compared byte for byte.

The end of the last line may be missing; empty lines at the end count as trailing space.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from deepoj_domain.question.checker import LineChecker
from deepoj_judgement.commands.checkers.exact import compare_texts
from deepoj_judgement.commands.checkers.folding import folded
from deepoj_judgement.commands.checkers.outcome import Checked
from deepoj_judgement.commands.checkers.reading import CHUNK, chunks

LONGEST_LINE = 1024 * 1024
"""A longer line is brought into form in pieces of this length."""
_SPACES = re.compile(rb"[ \t]+")
_TRAILING = b" \t\v\f"
_ENDS = (b" ", b"\t", b"\v", b"\f")


def check_lines(checker: LineChecker, output: BinaryIO, answer: BinaryIO) -> Checked:
    return compare_texts(_normal(checker, output), _normal(checker, answer))


def _normal(checker: LineChecker, stream: BinaryIO) -> Iterator[bytes]:
    held = 0
    for block in _blocks(stream):
        text = _formed(checker, block)
        kept = text.rstrip(b"\n") if checker.ignore_trailing_space else text.removesuffix(b"\n")
        if kept:
            yield from _line_ends(held)
            held = 0
            yield kept
        held += len(text) - len(kept)
        if not checker.ignore_trailing_space and held > 1:
            yield from _line_ends(held - 1)
            held = 1


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield texts that end where a line ends, as long as lines are not too long."""
    rest = b""
    for chunk in chunks(stream):
        whole, end, begun = chunk.rpartition(b"\n")
        if end:
            yield rest + whole + end
            rest = begun
        else:
            rest += chunk
        if len(rest) > LONGEST_LINE:
            yield rest
            rest = b""
    if rest:
        yield rest


def _formed(checker: LineChecker, text: bytes) -> bytes:
    if checker.collapse_spaces:
        text = _SPACES.sub(b" ", text)
    if checker.normalise_unicode:
        text = folded(text, normalise_unicode=True)
    if checker.ignore_trailing_space and _has_trailing_space(text):
        text = b"\n".join([line.rstrip(_TRAILING) for line in text.split(b"\n")])
    return text


def _has_trailing_space(text: bytes) -> bool:
    return text[-1:] in _ENDS or any(end + b"\n" in text for end in _ENDS)


def _line_ends(count: int) -> Iterator[bytes]:
    """In pieces: a program may print a gigabyte of them."""
    while count:
        yield b"\n" * min(count, CHUNK)
        count -= min(count, CHUNK)
