"""Outputs as chunks, lines and tokens, whatever system they were written on.

A byte order mark at the start is dropped; CR LF and a lone CR are LF. Text is expected in UTF-8, but nothing
fails on other bytes: they are compared as they are.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

CHUNK = 64 * 1024
LONGEST_LINE = 1024 * 1024
LONGEST_TOKEN = 64 * 1024
_BOM = b"\xef\xbb\xbf"
_TOKEN = re.compile(rb"[^ \t\n\v\f\r]+")


class Line(NamedTuple):
    text: bytes
    """Without its end."""
    whole: bool
    """False for a piece of a line longer than LONGEST_LINE."""


class Place(NamedTuple):
    line: int
    column: int


def chunks(stream: BinaryIO) -> Iterator[bytes]:
    chunk = stream.read(CHUNK).removeprefix(_BOM)
    while chunk:
        following = stream.read(CHUNK)
        if chunk.endswith(b"\r") and following.startswith(b"\n"):
            chunk = chunk[:-1]
        if text := chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n"):
            yield text
        chunk = following


def lines(stream: BinaryIO) -> Iterator[Line]:
    rest = b""
    for chunk in chunks(stream):
        *complete, rest = (rest + chunk).split(b"\n")
        for text in complete:
            yield from _pieces(text)
        while len(rest) > LONGEST_LINE:
            yield Line(rest[:LONGEST_LINE], whole=False)
            rest = rest[LONGEST_LINE:]
    if rest:
        yield from _pieces(rest)


def _pieces(text: bytes) -> Iterator[Line]:
    while len(text) > LONGEST_LINE:
        yield Line(text[:LONGEST_LINE], whole=False)
        text = text[LONGEST_LINE:]
    yield Line(text, whole=True)


def tokens(stream: BinaryIO) -> Iterator[bytes]:
    """Split at ASCII white space.

    A token longer than LONGEST_TOKEN comes in pieces of that length. Those after the first begin with a
    space, which no token does, so a long token never equals two short ones.
    """
    rest, mark = b"", b""
    for chunk in chunks(stream):
        text = rest + chunk
        words = text.split()
        open_end = bool(words) and not text[-1:].isspace()
        last = words.pop() if open_end else b""
        for word in words:
            yield from _split_long(word, mark)
            mark = b""
        *done, rest = _split_long(last, mark)
        yield from done
        mark = b" " if open_end and (done or mark) else b""
        rest = rest.removeprefix(b" ")
    if rest:
        yield mark + rest


def _split_long(word: bytes, mark: bytes) -> Iterator[bytes]:
    while len(word) > LONGEST_TOKEN:
        yield mark + word[:LONGEST_TOKEN]
        word, mark = word[LONGEST_TOKEN:], b" "
    yield mark + word


def place_of_token(stream: BinaryIO, number: int) -> Place:
    """Say where a token (counted from 0) begins; behind the last one, where the text ends."""
    seen = 0
    line, column = 1, 1
    for line, (text, _) in enumerate(lines(stream), start=1):
        for found in _TOKEN.finditer(text):
            if seen == number:
                return Place(line, found.start() + 1)
            seen += 1
        column = len(text) + 1
    return Place(line, column)


def same_bytes(output: BinaryIO, answer: BinaryIO) -> bool:
    """Compare without looking at the meaning: most right outputs are right byte for byte."""
    while True:
        ours, theirs = output.read(CHUNK), answer.read(CHUNK)
        if ours != theirs:
            return False
        if not ours:
            return True
