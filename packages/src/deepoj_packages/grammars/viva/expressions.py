"""Constraints of a pattern, as functions that are called when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from deepoj_packages.grammars.mismatch import GrammarError
from deepoj_packages.grammars.viva import functions, tokens, values
from deepoj_packages.grammars.viva.scopes import NoSuchRowError, Scope
from deepoj_packages.grammars.viva.tokens import WordReader
from deepoj_packages.grammars.viva.values import Binary, Operators, Value

Expression = Callable[[], Value]
_OCTAL = 8


class ExpressionReader(WordReader):
    """Names are looked up in `scope`, the repetition that is being read."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.scope = Scope()
        self.operators = Operators(0.000001)

    def expressions(self) -> list[Expression]:
        found = [self.expression()]
        while self.take(","):
            found.append(self.expression())
        return found

    def expression(self) -> Expression:
        found = self._conjunction()
        while self.ahead("||", "^^"):
            either, left, right = self.advance().text == "||", found, self._conjunction()
            found = _disjoined(left, right, exclusive=not either)
        return found

    def _conjunction(self) -> Expression:
        found = self._comparison()
        while self.take("&&"):
            found = _conjoined(found, self._comparison())
        return found

    def _comparison(self) -> Expression:
        """A chain of comparisons holds when each of them does."""
        left = self._binary(self._product, values.ADDING)
        found = None
        while self.ahead(*self.operators.comparing):
            compare = self.operators.comparing[self.advance().text]
            right = self._binary(self._product, values.ADDING)
            link = _combined(compare, left, right)
            found = link if found is None else _conjoined(found, link)
            left = right
        return left if found is None else found

    def _product(self) -> Expression:
        return self._binary(self._unary, values.MULTIPLYING)

    def _binary(self, operand: Callable[[], Expression], operators: dict[str, Binary]) -> Expression:
        found = operand()
        while self.ahead(*operators):
            found = _combined(operators[self.advance().text], found, operand())
        return found

    def _unary(self) -> Expression:
        if self.take("!"):
            claim = self._unary()
            return lambda: not values.truth(claim())
        if self.take("-"):
            number = self._unary()
            return lambda: -values.number(number())
        if self.take("~"):
            bits = self._unary()
            return lambda: ~values.whole(bits())
        return self._primary()

    def _primary(self) -> Expression:
        if self.take("("):
            found = self.expression()
            self.expect(")")
            return found
        if self.token.kind != tokens.NAME:
            literal = self._literal()
            return lambda: literal
        name = self.advance().text
        return self._call(name) if self.take("(") else self._variable(name)

    def _literal(self) -> Value:
        kind, text, _ = self.token
        if kind == tokens.INTEGER:
            self.advance()
            digits = text.rstrip("lL")
            is_octal = digits.startswith("0") and digits.isdigit() and len(digits) > 1
            return _integer(digits, _OCTAL if is_octal else 0)
        if kind == tokens.FLOAT:
            self.advance()
            return float(text.rstrip("fFdD"))
        if kind == tokens.STRING:
            return self.advance().text
        if kind == tokens.CHARACTER:
            return ord(self.advance().text)
        raise self.wrong("a value is expected")

    def _variable(self, name: str) -> Expression:
        scope, variable = self.scope.find(name)
        if self.take("#"):
            return lambda: len(variable.values)
        if self.take("$"):
            return lambda: variable.image
        if not self.take("["):
            return lambda: scope.current(variable)
        index = self.expression()
        self.expect("]")

        def element() -> Value:
            at = values.whole(index())
            if not 0 <= at < len(variable.values):
                raise GrammarError(f"{name}[{at}] has no value")
            return variable.values[at]

        return element

    def _call(self, name: str) -> Expression:
        arguments = self.expressions()
        self.expect(")")
        if not functions.is_of_rows(name):
            call = functions.scalar(name, len(arguments))
            return lambda: call([argument() for argument in arguments])
        scope = self.scope

        def of_rows() -> Value:
            found: list[functions.Row] = []
            with scope.each_row() as rows, suppress(NoSuchRowError):
                for _ in rows:
                    found.append([argument() for argument in arguments])  # noqa: PERF401 — up to the last
            return functions.of_rows(name, found, self.operators)

        return of_rows


def _integer(digits: str, base: int) -> int:
    try:
        return int(digits, base)
    except ValueError:
        raise GrammarError(f"{digits[:40]} is no number") from None


def _combined(combine: Binary, left: Expression, right: Expression) -> Expression:
    return lambda: combine(left(), right())


def _conjoined(left: Expression, right: Expression) -> Expression:
    return lambda: values.truth(left()) and values.truth(right())


def _disjoined(left: Expression, right: Expression, *, exclusive: bool) -> Expression:
    if exclusive:
        return lambda: values.truth(left()) != values.truth(right())
    return lambda: values.truth(left()) or values.truth(right())
