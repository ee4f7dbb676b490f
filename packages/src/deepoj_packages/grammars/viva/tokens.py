"""From the text of a pattern to words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deepoj_packages.grammars.mismatch import GrammarError

NAME, INTEGER, FLOAT, STRING, CHARACTER, SIGN, END = (
    "name",
    "integer",
    "float",
    "string",
    "character",
    "sign",
    "end",
)
_TOKEN = re.compile(
    r"""(?P<skipped>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<float>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?|\d+[eE][+-]?\d+[fFdD]?|\d+[fFdD])
    |(?P<integer>(?:0[xX][0-9a-fA-F]+|\d+)[lL]?)
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<character>'(?:[^'\\\n]|\\.)')
    |(?P<sign>\|\||\^\^|&&|>>>|<<|>>|<=|>=|==|!=|<>|%%|[-<>=!+*/%&|^~(),;:{}\[\]@\#$])""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Token(NamedTuple):
    kind: str
    text: str
    line: int


class WordReader:
    def __init__(self, pattern: str) -> None:
        self._tokens = list(_tokenize(pattern))
        self._place = 0

    @property
    def token(self) -> Token:
        return self._tokens[self._place]

    def ahead(self, *texts: str) -> bool:
        return self.token.kind == SIGN and self.token.text in texts

    def advance(self) -> Token:
        token = self.token
        self._place += token.kind != END
        return token

    def take(self, text: str) -> bool:
        if not self.ahead(text):
            return False
        self._place += 1
        return True

    def take_both(self, first: str, second: str) -> bool:
        """Two signs that mean something only together."""
        following = self._tokens[min(self._place + 1, len(self._tokens) - 1)]
        if not self.ahead(first) or (following.kind, following.text) != (SIGN, second):
            return False
        self._place += 2
        return True

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise self.wrong(f"{text} is expected")

    def wrong(self, why: str) -> GrammarError:
        return GrammarError(f"line {self.token.line}: {why}, not {self.token.text!r}")


def _tokenize(text: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise GrammarError(f"line {line}: {text[at]!r} is not expected here")
        kind, word = found.lastgroup, found[0]
        if kind in {STRING, CHARACTER}:
            word = _ESCAPE.sub(lambda each: _ESCAPED.get(each[1], each[1]), word[1:-1])
        if kind is not None and kind != "skipped":
            yield Token(kind, word, line)
        at, line = found.end(), line + found[0].count("\n")
    yield Token(END, "the end", line)
