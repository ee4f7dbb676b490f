"""The lines of the data, and the tokens of one line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from deepoj_packages.grammars.mismatch import GrammarError, MismatchError
from deepoj_packages.grammars.viva.values import Value

_TOKEN = re.compile(r"\S+")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_JAVA_INTEGER = re.compile(r"[+-]?[0-9]+")
_JAVA_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?")
_BITS = {"int": 32, "integer": 32, "long": 64}
_YES = frozenset({"true", "t", "yes", "y", "1"})
TYPES = (*_BITS, "float", "double", "string")


@dataclass(frozen=True)
class Style:
    """What the parameters of a pattern change."""

    ignores_blanks: bool = False
    line_end: str = "\n"
    last_line: str = "linux"
    java: frozenset[str] = frozenset()
    """Types that are read as Java reads them."""

    def value(self, word: str, kind: str) -> Value:
        if kind == "string":
            return word
        as_java = kind in self.java
        if kind not in _BITS:
            if not (_JAVA_FLOAT if as_java else _FLOAT).fullmatch(word):
                raise MismatchError(f"{word[:40]!r} is not how a {kind} is written")
            return float(word)
        if not (_JAVA_INTEGER if as_java else _INTEGER).fullmatch(word):
            raise MismatchError(f"{word[:40]!r} is not how an integer is written")
        value = int(word) if len(word) <= _BITS[kind] else 1 << _BITS[kind]
        if not -(1 << _BITS[kind] - 1) <= value < 1 << _BITS[kind] - 1:
            raise MismatchError(f"{word[:40]} is too large for {kind}")
        return value


def style_of(parameters: dict[str, str]) -> Style:
    ends = {"windows": "\r\n", "mac": "\r"}
    if parameters.get("ignoreeoln", "false") in _YES:
        raise GrammarError("ignoreeoln is not supported: data that runs over lines cannot be checked")
    java = {
        kind
        for parameter, kinds in {
            "javaint": ("int", "integer"),
            "javalong": ("long",),
            "javadouble": ("double",),
            "javafloat": ("float",),
        }.items()
        if parameters.get(parameter, "false") in _YES
        for kind in kinds
    }
    return Style(
        parameters.get("ignoreblanks", "false") in _YES,
        ends.get(parameters.get("eolnstyle", ""), "\n"),
        parameters.get("eofstyle", "linux"),
        frozenset(java),
    )


class Data:
    """`line` is the next one; `at` a place in it."""

    def __init__(self, text: str, style: Style) -> None:
        self.style = style
        self._lines = text.split(style.line_end)
        self.line = 0
        self.at = 0
        ends_with_line = self._lines[-1] == ""
        if ends_with_line:
            self._lines.pop()
        if self._lines and style.last_line not in {"both", "windows"} and not ends_with_line:
            raise MismatchError("the last line does not end")
        if ends_with_line and style.last_line == "windows":
            raise MismatchError("the last line ends with a line end")

    def ended(self) -> bool:
        return self.line >= len(self._lines)

    def end(self) -> None:
        if not self.ended():
            raise MismatchError("the data goes on where its end is expected")

    def line_ended(self) -> bool:
        rest = self._text()[self.at :]
        return not (rest.strip() if self.style.ignores_blanks else rest)

    def begin_line(self) -> None:
        if self.ended():
            raise MismatchError("the data ends where another line is expected")
        self.at = 0

    def end_line(self) -> None:
        if not self.line_ended():
            raise MismatchError(f"{self._text()[self.at :][:40]!r} is more than is expected on the line")
        self.line += 1
        self.at = 0

    def token(self) -> str:
        """What is up to the next blank; one blank is before it unless the line begins."""
        at, text = self.at, self._text()
        if self.style.ignores_blanks:
            at += len(text[at:]) - len(text[at:].lstrip())
        elif at:
            if not text.startswith(" ", at):
                raise MismatchError("a blank and another value are expected")
            at += 1
        found = _TOKEN.match(text, at)
        if found is None:
            raise MismatchError("a value is expected" + (", not a blank" if at < len(text) else ""))
        self.at = found.end()
        return found[0]

    def field(self, width: int | None) -> str:
        text = self._text()
        end = len(text) if width is None else self.at + width
        if not self.at <= end <= len(text):
            raise MismatchError(f"the line is too short for a field of {width} characters")
        found = text[self.at : end]
        self.at = end
        return found

    def _text(self) -> str:
        return "" if self.ended() else self._lines[self.line]
