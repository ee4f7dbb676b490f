"""Expressions and tests of a grammar, as functions that are called when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from deepoj_packages.grammars.checktestdata import tokens, values
from deepoj_packages.grammars.checktestdata.data import Data
from deepoj_packages.grammars.checktestdata.values import Index, Value, Variables
from deepoj_packages.grammars.checktestdata.word_reader import WordReader

Expression = Callable[[], Value]
Test = Callable[[], bool]
Operators = dict[str, Callable[[Value, Value], Value]]
_SUMS: Operators = {"+": values.add, "-": values.subtract}
_TERMS: Operators = {"*": values.multiply, "/": values.divide, "%": values.remainder}
_POWERS: Operators = {"^": values.power}
_COMPARED = frozenset({"<", ">", "<=", ">=", "==", "!="})
_TESTS = frozenset({"ISEOF", "MATCH", "UNIQUE", "INARRAY"})


@dataclass(frozen=True)
class Worth:
    value: Expression


@dataclass(frozen=True)
class Claim:
    holds: Test


@dataclass(frozen=True)
class Place:
    """A variable, perhaps with indices."""

    variables: Variables
    name: str
    indices: tuple[Expression, ...]

    def index(self) -> Index:
        return tuple(values.whole(each()) for each in self.indices)

    def get(self) -> Value:
        return self.variables.get(self.name, self.index())

    def put(self, value: Value) -> None:
        self.variables.put(self.name, self.index(), value)


class ExpressionReader(WordReader):
    """A bracket may hold an expression or a test: whoever asked says which it must be."""

    def __init__(self, grammar: str, data: Data) -> None:
        super().__init__(grammar)
        self.data = data
        self.variables = Variables()

    def test(self) -> Test:
        return self._claim(self._logical())

    def expression(self) -> Expression:
        return self._value(self._sum())

    def place(self) -> Place:
        name, indices = self.name(), list[Expression]()
        if self.take("["):
            indices = self.expressions()
            self.expect("]")
        return Place(self.variables, name, tuple(indices))

    def expressions(self) -> list[Expression]:
        found = [self.expression()]
        while self.take(","):
            found.append(self.expression())
        return found

    def _claim(self, part: Worth | Claim) -> Test:
        if isinstance(part, Worth):
            raise self.wrong("a value is no test: a comparison is expected")
        return part.holds

    def _value(self, part: Worth | Claim) -> Expression:
        if isinstance(part, Claim):
            raise self.wrong("a test has no value: an expression is expected")
        return part.value

    def _logical(self) -> Worth | Claim:
        """As in the tool `&&` and `||` bind alike, and `!` is about all that follows."""
        if self.take("!"):
            negated = self.test()
            return Claim(lambda: not negated())
        found = self._compared()
        while self.token.text in {"&&", "||"} and self.token.kind == tokens.SIGN:
            sign, left = self.advance().text, self._claim(found)
            right = self.test() if self.token.text == "!" else self._claim(self._compared())
            found = _joined(sign, left, right)
        return found

    def _compared(self) -> Worth | Claim:
        found = self._sum()
        if self.token.kind != tokens.SIGN or self.token.text not in _COMPARED:
            return found
        left, compare = self._value(found), values.comparison(self.advance().text)
        right = self.expression()
        return Claim(lambda: compare(left(), right()))

    def _sum(self) -> Worth | Claim:
        return self._binary(self._term, _SUMS)

    def _term(self) -> Worth | Claim:
        return self._binary(self._power, _TERMS)

    def _power(self) -> Worth | Claim:
        return self._binary(self._signed, _POWERS)

    def _binary(self, operand: Callable[[], Worth | Claim], operators: Operators) -> Worth | Claim:
        found = operand()
        while self.token.kind == tokens.SIGN and self.token.text in operators:
            left, combine = self._value(found), operators[self.advance().text]
            found = Worth(_combined(combine, left, self._value(operand())))
        return found

    def _signed(self) -> Worth | Claim:
        if not self.take("-"):
            return self._primary()
        value = self._value(self._power())
        return Worth(lambda: values.subtract(0, value()))

    def _primary(self) -> Worth | Claim:
        token = self.token
        if token.kind == tokens.WORD and token.text in _TESTS:
            return Claim(self._question(self.advance().text))
        if not self.take("("):
            return Worth(self.value())
        found = self._logical()
        self.expect(")")
        return found

    def value(self) -> Expression:
        """A literal, a variable or a function; not an expression."""
        token = self.token
        if token.kind == tokens.NAME:
            return self.place().get
        if self.take("STRLEN", tokens.WORD):
            self.expect("(")
            value = self.value()
            self.expect(")")
            return lambda: len(values.text(value()))
        literal: Value
        if token.kind == tokens.INTEGER:
            literal = int(self.advance().text)
        elif token.kind == tokens.FLOAT:
            literal = Decimal(self.advance().text)
        elif token.kind == tokens.STRING:
            literal = self.advance().text
        else:
            raise self.wrong("a value is expected")
        return lambda: literal

    def _question(self, word: str) -> Test:
        if word == "ISEOF":
            return self.data.ended
        self.expect("(")
        question = self._about_variables(word) if word != "MATCH" else self._next_character()
        self.expect(")")
        return question

    def _next_character(self) -> Test:
        characters = self.value()
        return lambda: self.data.next_is_in(values.text(characters()))

    def _about_variables(self, word: str) -> Test:
        if word == "UNIQUE":
            names = self.names()
            return lambda: self.variables.unique(names)
        value = self.expression()
        self.expect(",")
        name = self.name()
        self.variables.count_values_of(name)
        return lambda: self.variables.holds(name, value())


def _combined(combine: Callable[[Value, Value], Value], left: Expression, right: Expression) -> Expression:
    return lambda: combine(left(), right())


def _joined(sign: str, left: Test, right: Test) -> Claim:
    if sign == "&&":
        return Claim(lambda: left() and right())
    return Claim(lambda: left() or right())
