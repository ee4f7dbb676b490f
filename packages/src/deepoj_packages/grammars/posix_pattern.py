"""Extended regular expressions of POSIX, from their text to a tree."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from deepoj_packages.grammars.mismatch import GrammarError

ALL = (1 << 256) - 1
MOST_REPEATS = 1_000_000
_CLASSES: dict[str, Callable[[str], bool]] = {
    "alpha": lambda one: one in string.ascii_letters,
    "digit": lambda one: one in string.digits,
    "alnum": lambda one: one in string.ascii_letters + string.digits,
    "upper": lambda one: one in string.ascii_uppercase,
    "lower": lambda one: one in string.ascii_lowercase,
    "space": lambda one: one in string.whitespace,
    "blank": lambda one: one in " \t",
    "punct": lambda one: one in string.punctuation,
    "xdigit": lambda one: one in string.hexdigits,
    "print": lambda one: " " <= one <= "~",
    "graph": lambda one: "!" <= one <= "~",
    "cntrl": lambda one: one < " " or one == "\x7f",
}


@dataclass(frozen=True)
class One:
    """One character: bit n of `mask` is set when the character n is among them."""

    mask: int


@dataclass(frozen=True)
class Sequence:
    parts: tuple[Pattern, ...]


@dataclass(frozen=True)
class Choice:
    parts: tuple[Pattern, ...]


@dataclass(frozen=True)
class Repeat:
    part: Pattern
    least: int
    most: int | None


@dataclass(frozen=True)
class End:
    """The end of the data."""


Pattern = One | Sequence | Choice | Repeat | End


def parse(text: str) -> Pattern:
    reader = _Reader(text)
    found = reader.choice()
    if reader.at < len(text):
        raise GrammarError(f"the regular expression {text!r} has a bracket that nothing opened")
    return found


def mask_of(characters: str) -> int:
    mask = 0
    for one in characters:
        mask |= 1 << ord(one)
    return mask


def members(mask: int) -> Iterator[str]:
    return (chr(code) for code in range(256) if mask >> code & 1)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def choice(self) -> Pattern:
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def _sequence(self) -> Pattern:
        parts: list[Pattern] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            # Matching begins where the data was read up to, which is what this asks for.
            if not parts and self._take("^"):
                continue
            parts.append(self._repeated(self._atom()))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, part: Pattern) -> Pattern:
        while True:
            if self._take("*"):
                part = Repeat(part, 0, None)
            elif self._take("+"):
                part = Repeat(part, 1, None)
            elif self._take("?"):
                part = Repeat(part, 0, 1)
            elif self._take("{"):
                part = self._counted(part)
            else:
                return part

    def _counted(self, part: Pattern) -> Pattern:
        end = self.text.find("}", self.at)
        least, comma, most = self.text[self.at : end].partition(",")
        self.at = end + 1
        if end < 0 or not least.isdigit() or not (most.isdigit() or not most):
            raise self._wrong("counts with {} are {n}, {n,} or {n,m}")
        low, high = int(least), (int(most) if most else None) if comma else int(least)
        if max(low, high or 0) > MOST_REPEATS or (high is not None and high < low):
            raise self._wrong(f"a count goes from a number to a larger one, at most {MOST_REPEATS}")
        return Repeat(part, low, high)

    def _atom(self) -> Pattern:
        one = self.text[self.at]
        self.at += 1
        if one == "(":
            inside = self.choice()
            if not self._take(")"):
                raise self._wrong("a bracket is not closed")
            return inside
        if one == "[":
            return One(self._bracket())
        if one == ".":
            return One(ALL)
        if one == "$":
            return End()
        if one in "*+?{":
            raise self._wrong(f"{one} has nothing to repeat")
        if one == "\\":
            if self.at == len(self.text):
                raise self._wrong("a backslash ends it")
            one = self.text[self.at]
            self.at += 1
        return One(mask_of(one))

    def _bracket(self) -> int:
        negative, mask, first = self._take("^"), 0, True
        while first or not self._take("]"):
            first = False
            if self.text.startswith("[:", self.at):
                mask |= self._named_class()
                continue
            low = self._in_bracket()
            high = low
            if self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at):
                self.at += 1
                high = self._in_bracket()
            if high < low:
                raise self._wrong(f"the range {low}-{high} is empty")
            mask |= (1 << ord(high) + 1) - (1 << ord(low))
        return ALL & ~mask if negative else mask

    def _named_class(self) -> int:
        end = self.text.find(":]", self.at)
        belongs = _CLASSES.get(self.text[self.at + 2 : end]) if end >= 0 else None
        if belongs is None:
            raise self._wrong("it names a class of characters that there is not")
        self.at = end + 2
        return mask_of("".join(one for one in map(chr, range(256)) if belongs(one)))

    def _in_bracket(self) -> str:
        if self.at >= len(self.text):
            raise self._wrong("a bracket is not closed")
        self.at += 1
        return self.text[self.at - 1]

    def _take(self, what: str) -> bool:
        if not self.text.startswith(what, self.at):
            return False
        self.at += len(what)
        return True

    def _wrong(self, why: str) -> GrammarError:
        return GrammarError(f"the regular expression {self.text!r} cannot be read: {why}")
