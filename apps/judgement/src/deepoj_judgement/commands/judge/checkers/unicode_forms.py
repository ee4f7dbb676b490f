"""When two different spellings are the same text, whatever blocks it comes in.

Bytes that are not UTF-8 stay distinct from each other and from all text.
"""

import re
import unicodedata
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

MOST_MARKS = 30
"""How many marks on one letter are brought into one order, as in the stream-safe format of Unicode.

Ordering takes time that grows with the square of their number, and no language has more than a few.
"""
_ERRORS = "surrogateescape"
# Whatever joins the character before it lies here: the other planes have whole ideographs and no marks.
_PLACES = range(0x300, 0x20000)
_FIRST_WIDE, _LAST_WIDE = "\U00010000", "\U0001ffff"
_HANGUL_PARTS = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}


def composed(text: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the text in the composed form (NFC), so that two ways to write é are one."""
    joiners, pending = _joiners(), ""
    for piece in _decoded(text):
        pending += piece
        cuts = [0, *joiners.forced_cuts(pending)]
        cuts.append(joiners.last_cluster(pending, cuts[-1]))
        yield b"".join(_normal(pending[start:end]) for start, end in pairwise(cuts))
        pending = pending[cuts[-1] :]
    yield _normal(pending)


def case_folded(text: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the text with one spelling for all cases of the letters that are not ASCII's."""
    for piece in _decoded(text):
        yield (piece if piece.isascii() else piece.casefold()).encode(errors=_ERRORS)


class Joiners(NamedTuple):
    """Characters that may change with, or change places with, the one before them."""

    characters: frozenset[str]
    too_many: re.Pattern[str]

    def forced_cuts(self, text: str) -> list[int]:
        return [] if text.isascii() else [found.end() for found in self.too_many.finditer(text)]

    def last_cluster(self, text: str, start: int) -> int:
        """Return where the last character begins that what follows may still join, at `start` or after it."""
        at = len(text)
        while at > start and text[at - 1] in self.characters:
            at -= 1
        return max(at - 1, start)


@cache
def _joiners() -> Joiners:
    parts = [unicodedata.decomposition(chr(code)).split() for code in _PLACES]
    # A compatible but not equal character has its kind in angle brackets first.
    seconds = {chr(int(two[1], 16)) for two in parts if two[1:] and not two[0].startswith("<")}
    starting = seconds | _HANGUL_PARTS
    firsts = ((chr(code), unicodedata.normalize("NFD", chr(code))[0]) for code in _PLACES)
    joining = frozenset(each for each, first in firsts if unicodedata.combining(first) or first in starting)
    # Two sets: a set that reaches beyond the first plane is searched from end to end.
    plain = "".join(each for each in joining if each < _FIRST_WIDE)
    wide = "".join(each for each in joining if each >= _FIRST_WIDE)
    one = f"(?:[{plain}]|(?=[{_FIRST_WIDE}-{_LAST_WIDE}])[{wide}])"
    return Joiners(joining, re.compile(f"{one}{{{MOST_MARKS}}}(?={one})"))


def _normal(text: str) -> bytes:
    return unicodedata.normalize("NFC", text).encode(errors=_ERRORS)


def _decoded(text: Iterable[bytes]) -> Iterator[str]:
    decoder = getincrementaldecoder("utf-8")(errors=_ERRORS)
    for chunk in text:
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)
