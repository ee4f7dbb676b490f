"""The words of a grammar, read one after the other."""

from __future__ import annotations

from deepoj_packages.grammars.checktestdata import tokens
from deepoj_packages.grammars.checktestdata.tokens import Token
from deepoj_packages.grammars.mismatch import GrammarError


class WordReader:
    def __init__(self, grammar: str) -> None:
        self._tokens = list(tokens.tokenize(grammar))
        self._place = 0

    @property
    def token(self) -> Token:
        return self._tokens[self._place]

    def advance(self) -> Token:
        token = self.token
        self._place += token.kind != tokens.END
        return token

    def take(self, text: str, kind: str = tokens.SIGN) -> bool:
        if self.token.kind != kind or self.token.text != text:
            return False
        self._place += 1
        return True

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise self.wrong(f"{text} is expected")

    def name(self) -> str:
        if self.token.kind != tokens.NAME:
            raise self.wrong("a variable is expected")
        return self.advance().text

    def names(self) -> list[str]:
        found = [self.name()]
        while self.take(","):
            found.append(self.name())
        return found

    def wrong(self, why: str) -> GrammarError:
        return GrammarError(f"line {self.token.line}: {why}, not {self.token.text!r}")
