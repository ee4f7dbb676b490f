"""The standard functions: of single values, and of all rows of the repetition they stand in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from deepoj_packages.grammars.mismatch import GrammarError
from deepoj_packages.grammars.viva.values import Operators, Value, number, text, truth

Row = Sequence[Value]
_ONE_NUMBER: dict[str, Callable[[float], float]] = {
    "acos": math.acos,
    "asin": math.asin,
    "atan": math.atan,
    "cos": math.cos,
    "cosh": math.cosh,
    "exp": math.exp,
    "ln": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "sin": math.sin,
    "sinh": math.sinh,
    "sqrt": math.sqrt,
    "tan": math.tan,
    "tanh": math.tanh,
    "todegrees": math.degrees,
    "toradians": math.radians,
}
_SCALAR: dict[str, tuple[int, Callable[..., Value]]] = {
    "atan2": (2, lambda dy, dx: math.atan2(number(dy), number(dx))),
    "pow": (2, lambda base, exponent: math.pow(number(base), number(exponent))),
    "distance": (4, lambda x, y, u, v: math.hypot(number(u) - number(x), number(v) - number(y))),
    "if": (3, lambda which, one, other: one if truth(which) else other),
    "length": (1, lambda value: len(text(value))),
    "ljust": (1, lambda value: not text(value).startswith(" ")),
    "rjust": (1, lambda value: not text(value).endswith(" ")),
    "todouble": (1, float),
    "tofloat": (1, float),
    "tointeger": (1, int),
    "tolong": (1, int),
    "tostring": (1, str),
}
_ROWS = frozenset(
    {
        "concatall",
        "count",
        "decreasing",
        "increasing",
        "nondecreasing",
        "nonincreasing",
        "sum",
        "testall",
        "unique",
    }
)
_SIGNS = {"decreasing": ">", "increasing": "<", "nondecreasing": "<=", "nonincreasing": ">="}


def is_of_rows(name: str) -> bool:
    return name in _ROWS


def scalar(name: str, count: int) -> Callable[[Row], Value]:
    if name == "concat":
        return lambda row: "".join(map(str, row))
    if name == "test":
        return lambda _: True
    if name in _ONE_NUMBER:
        compute = _ONE_NUMBER[name]
        return _checked(name, 1, count, lambda value: compute(number(value)))
    if name not in _SCALAR:
        raise GrammarError(f"there is no function {name[:40]!r}")
    return _checked(name, _SCALAR[name][0], count, _SCALAR[name][1])


def _checked(name: str, wanted: int, count: int, call: Callable[..., Value]) -> Callable[[Row], Value]:
    if count != wanted:
        raise GrammarError(f"the function {name} has {wanted} arguments, not {count}")
    return lambda row: _called(name, call, row)


def _called(name: str, call: Callable[..., Value], row: Row) -> Value:
    try:
        return call(*row)
    except (ValueError, OverflowError):
        raise GrammarError(f"the function {name} has no result for {str(list(row))[:80]}") from None


def of_rows(name: str, rows: list[Row], operators: Operators) -> Value:
    if name == "unique":
        return len({tuple(row) for row in rows}) == len(rows)
    if name == "concatall":
        return "".join(str(value) for row in rows for value in row)
    if name == "testall":
        return True
    first = [row[0] for row in rows]
    if name == "sum":
        return sum(map(number, first))
    if name == "count":
        return sum(map(truth, first))
    return operators.in_order(first, _SIGNS[name])
