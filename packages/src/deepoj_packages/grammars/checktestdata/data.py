"""The data as it is read, from its beginning to its end."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from deepoj_packages.grammars.checktestdata.values import Value, decimal_of, number, shown, whole
from deepoj_packages.grammars.longest_match import compiled
from deepoj_packages.grammars.mismatch import GrammarError, MismatchError

_INTEGER = re.compile(r"-?[0-9]*")
_FLOAT = re.compile(r"-?([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)([0-9]*))?")
# No exponent is part of it.
_FIXED = re.compile(r"-?([0-9]*)(?:\.([0-9]*))?(?:(?!)([+-])([0-9]))?")
FIXED, SCIENTIFIC = "FIXED", "SCIENTIFIC"
_MOST_DECIMALS = 2**31 - 1
matcher = lru_cache(maxsize=1000)(compiled)


class Data:
    """`at` is the place that was read up to; each method reads on or raises MismatchError."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def where(self) -> str:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        return f"line {line}, character {column}"

    def ended(self) -> bool:
        return self.at >= len(self.text)

    def next_is_in(self, characters: str) -> bool:
        return not self.ended() and self.text[self.at] in characters

    def string(self, wanted: str) -> None:
        if not self.text.startswith(wanted, self.at):
            raise MismatchError(f"{shown(wanted)} is expected, not {self._next(len(wanted))}")
        self.at += len(wanted)

    def end(self) -> None:
        if not self.ended():
            raise MismatchError(f"the end is expected, not {self._next(10)}")

    def regex(self, pattern: str) -> str:
        end = matcher(pattern)(self.text, self.at)
        if end is None:
            raise MismatchError(f"a match of {shown(pattern)} is expected, not {self._next(10)}")
        found = self.text[self.at : end]
        self.at = end
        return found

    def integer(self, least: Value, most: Value) -> int:
        word = self._word(_INTEGER)
        digits = word.removeprefix("-")
        if not digits:
            raise MismatchError(f"an integer is expected, not {self._next(10)}")
        if digits[0] == "0" and word != "0":
            raise MismatchError(f"{shown(word)} is not how an integer is written")
        value = int(word)
        if not whole(least) <= value <= whole(most):
            raise MismatchError(f"{shown(value)} is not from {shown(least)} to {shown(most)}")
        self.at += len(word)
        return value

    def float(
        self, least: Value, most: Value, style: str = "", decimals: tuple[Value, Value] | None = None
    ) -> Decimal:
        pattern = _FIXED if style == FIXED else _FLOAT
        found = pattern.match(self.text, self.at)
        if found is None or not found[1]:
            raise MismatchError(f"a number is expected, not {self._next(10)}")
        _check_float(found, style)
        if decimals is not None:
            _check_decimals(found, decimals)
        value = decimal_of(found[0])
        if not number(least) <= value <= number(most):
            raise MismatchError(f"{shown(value)} is not from {shown(least)} to {shown(most)}")
        self.at = found.end()
        return value

    def _word(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        return found[0] if found else ""

    def _next(self, length: int) -> str:
        return "the end of the data" if self.ended() else repr(self.text[self.at : self.at + max(1, length)])


def _check_float(found: re.Match[str], style: str) -> None:
    before, after, _, exponent = found.groups()
    word = shown(found[0])
    if "" in {after, exponent}:
        raise MismatchError(f"{word} lacks digits")
    if (len(before) > 1 and before[0] == "0") or (exponent and len(exponent) > 1 and exponent[0] == "0"):
        raise MismatchError(f"{word} begins with zeros")
    if style == SCIENTIFIC and exponent is None:
        raise MismatchError(f"{word} has no exponent")


def _check_decimals(found: re.Match[str], decimals: tuple[Value, Value]) -> None:
    least, most = whole(decimals[0]), whole(decimals[1])
    if not 0 <= least <= most < _MOST_DECIMALS:
        raise GrammarError(f"there cannot be {least} to {most} decimals")
    before, after, _, exponent = found.groups()
    if exponent and (len(before) != 1 or before == "0" or after is None):
        raise MismatchError(f"{shown(found[0])} needs one digit other than 0 before the point")
    if not least <= len(after or "") <= most:
        raise MismatchError(f"{shown(found[0])} has not {least} to {most} decimals")
