"""From the text of a grammar to words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deepoj_packages.grammars.mismatch import GrammarError

WORD, NAME, INTEGER, FLOAT, STRING, SIGN, END = "word", "name", "integer", "float", "string", "sign", "end"
_TOKEN = re.compile(
    r"""(?P<skipped>[ \t\r\n]+|\#[^\n]*)
    |(?P<word>[A-Z]+)
    |(?P<name>[a-z][a-z0-9]*)
    |(?P<float>[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)
    |(?P<integer>[0-9]+)
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<sign>&&|\|\||[<>=!]=|[-<>!=+*/%^(),\[\]])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
_CHARACTERS = 256
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "\\": "\\", "\n": ""}


class Token(NamedTuple):
    kind: str
    text: str
    line: int


def tokenize(text: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise GrammarError(f"line {line}: {text[at]!r} is not expected here")
        kind, word = found.lastgroup, found[0]
        if kind == STRING:
            yield Token(STRING, _unescaped(word[1:-1], line), line)
        elif kind is not None and kind != "skipped":
            yield Token(kind, word, line)
        at, line = found.end(), line + word.count("\n")
    yield Token(END, "the end", line)


def _unescaped(text: str, line: int) -> str:
    def character(found: re.Match[str]) -> str:
        word = found[1]
        if word[0] not in "01234567":
            return _ESCAPED.get(word, found[0])
        if int(word, 8) >= _CHARACTERS:
            raise GrammarError(f"line {line}: \\{word} is no character")
        return chr(int(word, 8))

    return _ESCAPE.sub(character, text)
