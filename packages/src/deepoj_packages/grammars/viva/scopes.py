"""Variables with all values they had in the repetition they are read in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from deepoj_packages.grammars.mismatch import GrammarError
from deepoj_packages.grammars.viva.values import Value


class NoSuchRowError(Exception):
    """A row has not all its values yet."""


@dataclass
class Variable:
    values: list[Value] = field(default_factory=list)
    image: str = ""
    """The text that was read last."""


@dataclass
class Scope:
    """A repetition: it begins without values, and its rows are what its turns have read."""

    outer: Scope | None = None
    variables: dict[str, Variable] = field(default_factory=dict)
    row: int | None = None
    """Which one is looked at; None: the last."""

    def declared(self, name: str) -> Variable:
        return self.variables.setdefault(name, Variable())

    def find(self, name: str) -> tuple[Scope, Variable]:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope, scope.variables[name]
            scope = scope.outer
        raise GrammarError(f"the variable {name[:40]!r} is not known here")

    def clear(self) -> None:
        for variable in self.variables.values():
            variable.values.clear()

    def current(self, variable: Variable) -> Value:
        if self.row is None:
            if not variable.values:
                raise GrammarError("a variable is used before it has a value")
            return variable.values[-1]
        if self.row >= len(variable.values):
            raise NoSuchRowError
        return variable.values[self.row]

    @contextmanager
    def each_row(self) -> Iterator[Iterator[int]]:
        before = self.row
        try:
            yield self._rows()
        finally:
            self.row = before

    def _rows(self) -> Iterator[int]:
        for row in range(max((len(each.values) for each in self.variables.values()), default=0)):
            self.row = row
            yield row
