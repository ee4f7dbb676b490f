"""Numbers without limits, texts, and the variables that hold them."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from deepoj_packages.grammars.mismatch import GrammarError, MismatchError

Value = int | Decimal | str
Index = tuple[int, ...]
# The numbers of 2 to the power of it have some 300,000 digits.
_MOST_BITS = 1_000_000


def whole(value: Value) -> int:
    if not isinstance(value, int):
        raise GrammarError(f"{shown(value)} is not an integer")
    return value


def text(value: Value) -> str:
    if not isinstance(value, str):
        raise GrammarError(f"{shown(value)} is not a string")
    return value


def number(value: Value) -> int | Decimal:
    if isinstance(value, str):
        raise GrammarError(f"{shown(value)} is not a number")
    return value


def shown(value: Value) -> str:
    words = repr(value) if isinstance(value, str) else str(value)
    return words if len(words) <= len(words[:40]) else f"{words[:40]}..."


def add(left: Value, right: Value) -> Value:
    return number(left) + number(right)


def subtract(left: Value, right: Value) -> Value:
    return number(left) - number(right)


def multiply(left: Value, right: Value) -> Value:
    return number(left) * number(right)


def divide(left: Value, right: Value) -> Value:
    """Integers are cut off towards zero."""
    one, other = number(left), number(right)
    if not other:
        raise GrammarError(f"{shown(left)} is divided by zero")
    if isinstance(one, Decimal) or isinstance(other, Decimal):
        return Decimal(one) / Decimal(other)
    quotient = abs(one) // abs(other)
    return quotient if (one < 0) == (other < 0) else -quotient


def remainder(left: Value, right: Value) -> Value:
    """Of integers only, with the sign of what is divided."""
    return whole(left) - whole(divide(whole(left), whole(right))) * whole(right)


def power(left: Value, right: Value) -> Value:
    base, exponent = number(left), whole(right)
    bits = base.bit_length() if isinstance(base, int) else 1
    if exponent < 0 or (exponent and bits > 1 and bits * exponent > _MOST_BITS):
        raise GrammarError(f"the exponent {shown(exponent)} is negative or too large")
    return base**exponent


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def comparison(sign: str) -> Callable[[Value, Value], bool]:
    compare = _COMPARE[sign]

    def compared(left: Value, right: Value) -> bool:
        if isinstance(left, str) != isinstance(right, str):
            raise GrammarError(f"{shown(left)} and {shown(right)} cannot be compared")
        return compare(left, right)

    return compared


def decimal_of(word: str) -> Decimal:
    try:
        return Decimal(word)
    except InvalidOperation:
        raise MismatchError(f"the number {shown(word)} is beyond all bounds") from None


class Variables:
    """Each is a number, a text, or many of them under indices."""

    def __init__(self) -> None:
        self._values: dict[str, dict[Index, Value]] = {}
        self._counts: dict[str, Counter[Value]] = {}

    def count_values_of(self, name: str) -> None:
        self._counts[name] = Counter()

    def get(self, name: str, index: Index) -> Value:
        try:
            return self._values[name][index]
        except KeyError:
            raise GrammarError(f"the variable {named(name, index)} has no value") from None

    def put(self, name: str, index: Index, value: Value) -> None:
        values = self._values.setdefault(name, {})
        if (counts := self._counts.get(name)) is not None:
            if index in values:
                counts[values[index]] -= 1
            counts[value] += 1
        values[index] = value

    def forget(self, name: str) -> None:
        self._values.pop(name, None)
        if name in self._counts:
            self._counts[name] = Counter()

    def holds(self, name: str, value: Value) -> bool:
        self._all_of(name)
        return self._counts[name][value] > 0

    def unique(self, names: list[str]) -> bool:
        """Whether no two indices have the same values in all of these arrays."""
        arrays = [self._all_of(name) for name in names]
        for name, other in zip(names, arrays, strict=True):
            if other.keys() != arrays[0].keys():
                raise MismatchError(f"{names[0]} and {name} have different indices")
        tuples = {tuple(array[index] for array in arrays) for index in arrays[0]}
        return len(tuples) == len(arrays[0])

    def _all_of(self, name: str) -> dict[Index, Value]:
        if name not in self._values:
            raise GrammarError(f"the variable {name} has no value")
        return self._values[name]


def named(name: str, index: Index) -> str:
    return f"{name}[{','.join(map(str, index))}]" if index else name
