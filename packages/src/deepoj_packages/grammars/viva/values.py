"""Values, and what operators and functions make of them."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from deepoj_packages.grammars.mismatch import GrammarError

Value = int | float | str | bool
Binary = Callable[[Value, Value], Value]
_MOST_SHIFT = 63


class Operators:
    """The comparing ones know how near two floating points are when they are equal."""

    def __init__(self, epsilon: float) -> None:
        self._epsilon = epsilon
        self.comparing: dict[str, Binary] = {
            "<": self._ordered(operator.lt, 0.0),
            ">": self._ordered(operator.gt, 0.0),
            "<=": self._ordered(operator.le, epsilon),
            ">=": self._ordered(operator.ge, -epsilon),
            "=": self.equal,
            "==": self.equal,
            "!=": lambda left, right: not self.equal(left, right),
            "<>": lambda left, right: not self.equal(left, right),
            "%%": _matches,
        }

    def equal(self, left: Value, right: Value) -> bool:
        if isinstance(left, str) or isinstance(right, str):
            return left == right
        if isinstance(left, float) or isinstance(right, float):
            return abs(left - right) <= self._epsilon
        return left == right

    def _ordered(self, compare: Callable[[float, float], bool], slack: float) -> Binary:
        def compared(left: Value, right: Value) -> bool:
            one, other = number(left), number(right)
            if isinstance(one, float) or isinstance(other, float):
                return compare(one, other + slack)
            return compare(one, other)

        return compared

    def in_order(self, values: Sequence[Value], sign: str) -> bool:
        compare = self.comparing[sign]
        return all(compare(one, other) for one, other in pairwise(values))


def number(value: Value) -> int | float:
    if isinstance(value, str | bool):
        raise GrammarError(f"{str(value)[:40]!r} is not a number")
    return value


def whole(value: Value) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise GrammarError(f"{str(value)[:40]!r} is not an integer")
    return value


def truth(value: Value) -> bool:
    if not isinstance(value, bool):
        raise GrammarError(f"{str(value)[:40]!r} is neither true nor false")
    return value


def text(value: Value) -> str:
    if not isinstance(value, str):
        raise GrammarError(f"{str(value)[:40]!r} is not a string")
    return value


def _matches(left: Value, right: Value) -> bool:
    try:
        return re.fullmatch(text(right), text(left)) is not None
    except re.error as error:
        raise GrammarError(f"the regular expression {text(right)!r} cannot be read: {error}") from None


def _divided(left: Value, right: Value) -> Value:
    one, other = number(left), number(right)
    if not other:
        raise GrammarError("something is divided by zero")
    if isinstance(one, float) or isinstance(other, float):
        return one / other
    quotient = abs(one) // abs(other)
    return quotient if (one < 0) == (other < 0) else -quotient


def _remainder(left: Value, right: Value) -> Value:
    one, other = number(left), number(right)
    if isinstance(one, float) or isinstance(other, float):
        return math.fmod(one, other)
    return one - whole(_divided(one, other)) * other


def _shifted(left: Value, right: Value) -> int:
    return whole(left) << (whole(right) & _MOST_SHIFT)


ADDING: dict[str, Binary] = {
    "+": lambda left, right: number(left) + number(right),
    "-": lambda left, right: number(left) - number(right),
    "|": lambda left, right: whole(left) | whole(right),
    "^": lambda left, right: whole(left) ^ whole(right),
}
MULTIPLYING: dict[str, Binary] = {
    "*": lambda left, right: number(left) * number(right),
    "/": _divided,
    "%": _remainder,
    "&": lambda left, right: whole(left) & whole(right),
    "<<": _shifted,
    ">>": lambda left, right: whole(left) >> (whole(right) & _MOST_SHIFT),
    ">>>": lambda left, right: (whole(left) % 2**64) >> (whole(right) & _MOST_SHIFT),
}
