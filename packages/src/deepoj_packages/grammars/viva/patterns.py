"""Patterns, as functions that read the data on."""

from __future__ import annotations

from collections.abc import Callable

from deepoj_packages.grammars.mismatch import GrammarError, MismatchError
from deepoj_packages.grammars.viva import tokens, values
from deepoj_packages.grammars.viva.data import TYPES, Data, Style, style_of
from deepoj_packages.grammars.viva.expressions import Expression, ExpressionReader
from deepoj_packages.grammars.viva.scopes import Scope, Variable
from deepoj_packages.grammars.viva.values import Operators

Pattern = Callable[[Data], None]
GoesOn = Callable[[Data, int], bool]
"""Whether a repetition has another turn after so many."""
_MOST_TURNS = 100_000_000


class PatternReader(ExpressionReader):
    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.style = Style()

    def program(self) -> Pattern:
        if self.take("#"):
            self._parameters()
        found = self._lines()
        if self.token.kind != tokens.END:
            raise self.wrong("a pattern is expected")
        return found

    def _parameters(self) -> None:
        found: dict[str, str] = {}
        while not self.take("#"):
            name = self.advance()
            self.expect("=")
            found[name.text] = self.advance().text.lower()
            if name.kind != tokens.NAME:
                raise self.wrong("a parameter is expected before this")
        self.style = style_of(found)
        try:
            self.operators = Operators(float(found.get("deps", "0.000001").rstrip("fd")))
        except ValueError:
            raise GrammarError("deps is not a number") from None

    def _lines(self) -> Pattern:
        found: list[Pattern] = []
        while self.token.kind == tokens.NAME or self.ahead("{", "<", "@"):
            found.append(self._repetition("}") if self.take("{") else self._line())
        return _one_after_the_other(found)

    def _line(self) -> Pattern:
        items = self._items()
        self.expect(";")

        def read(data: Data) -> None:
            data.begin_line()
            items(data)
            data.end_line()

        return read

    def _items(self) -> Pattern:
        found: list[Pattern] = []
        while True:
            if self.take("<"):
                found.append(self._repetition(">"))
            elif self.take("@"):
                found.append(self._blanks())
            elif self.token.kind == tokens.NAME:
                found.append(self._value())
            else:
                return _one_after_the_other(found)

    def _blanks(self) -> Pattern:
        width = self.expression()
        self.expect("@")

        def read(data: Data) -> None:
            field = data.field(values.whole(width()))
            if field.strip():
                raise MismatchError(f"{field[:40]!r} is not blank")

        return read

    def _value(self) -> Pattern:
        variable = self.scope.declared(self.advance().text)
        kind = self.advance().text if self.take(":") else "integer"
        if kind not in TYPES:
            raise GrammarError(f"there is no type {kind[:40]!r}")
        read = self._field(kind, variable) if self.take("@") else _token(kind, variable)
        if not self.take("("):
            return read
        constraints = self._constraints(")")

        def read_and_check(data: Data) -> None:
            read(data)
            constraints()

        return read_and_check

    def _field(self, kind: str, variable: Variable) -> Pattern:
        self.expect("[")
        width = None if self.ahead("]") else self.expression()
        self.expect("]")

        def read(data: Data) -> None:
            image = data.field(None if width is None else values.whole(width()))
            variable.image = image
            variable.values.append(data.style.value(image if kind == "string" else image.strip(), kind))

        return read

    def _constraints(self, end: str) -> Callable[[], None]:
        line = self.token.line
        constraints = self.expressions()
        self.expect(end)

        def check() -> None:
            for constraint in constraints:
                if not values.truth(constraint()):
                    raise MismatchError(f"a constraint in line {line} of the pattern does not hold")

        return check

    def _repetition(self, end: str) -> Pattern:
        """Over lines until the data ends, or over values until the line does, unless it says otherwise."""
        in_lines = end == "}"
        self.scope = scope = Scope(self.scope)
        goes_on = self._controller(in_lines=in_lines)
        body = self._lines() if in_lines else self._items()
        together = self._constraints("]") if self.take("[") else None
        self.expect(end)
        self.scope = scope.outer or scope

        def read(data: Data) -> None:
            scope.clear()
            turns = 0
            while goes_on(data, turns):
                body(data)
                turns += 1
            if together is not None:
                together()

        return read

    def _controller(self, *, in_lines: bool) -> GoesOn:
        if self.take_both("[", "*"):
            count = self.expression()
            self.expect("]")
            return lambda _, turns: turns < _turns(count)
        if self.take_both("[", "="):
            return self._sentinel(in_lines=in_lines)
        if in_lines:
            return lambda data, _: not data.ended()
        return lambda data, _: not data.line_ended()

    def _sentinel(self, *, in_lines: bool) -> GoesOn:
        self.scope = scope = Scope(self.scope)
        sentinel = self._items()
        self.expect("]")
        self.scope = scope.outer or scope

        def goes_on(data: Data, _: int) -> bool:
            scope.clear()
            place = data.line, data.at
            try:
                if in_lines:
                    data.begin_line()
                sentinel(data)
                if in_lines:
                    data.end_line()
            except MismatchError:
                data.line, data.at = place
                return True
            return False

        return goes_on


def _turns(count: Expression) -> int:
    turns = values.whole(count())
    if turns > _MOST_TURNS:
        raise GrammarError(f"nothing is repeated {turns} times")
    return turns


def _token(kind: str, variable: Variable) -> Pattern:
    def read(data: Data) -> None:
        word = data.token()
        variable.image = word
        variable.values.append(data.style.value(word, kind))

    return read


def _one_after_the_other(patterns: list[Pattern]) -> Pattern:
    if len(patterns) == 1:
        return patterns[0]

    def read(data: Data) -> None:
        for pattern in patterns:
            pattern(data)

    return read


def check(pattern: str, text: str) -> None:
    """Raise MismatchError unless the text is as the pattern describes it, to its end."""
    reader = PatternReader(pattern)
    read = reader.program()
    data = Data(text, reader.style)
    try:
        read(data)
        data.end()
    except MismatchError as error:
        raise MismatchError(f"line {data.line + 1}: {error}") from None
