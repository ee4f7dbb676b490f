"""Functions written while the process runs, as those of dataclasses are: one expression each."""

from __future__ import annotations

from keyword import iskeyword
from typing import cast

from msgspec import UNSET

from deepoj_kit.grpc.mapping.declarations import Convert


class Namespace:
    """What the names in an expression stand for."""

    def __init__(self) -> None:
        self._things: dict[str, object] = {"UNSET": UNSET}

    def name(self, thing: object) -> str:
        name = f"_{len(self._things)}"
        self._things[name] = thing
        return name

    def function(self, parameter: str, expression: str) -> Convert:
        # Every name in the expression is a field of a descriptor, an attribute of a type or one made here.
        return cast("Convert", eval(f"lambda {parameter}: {expression}", self._things))  # noqa: S307


def attribute(source: str, name: str) -> str:
    return f"getattr({source}, {name!r})" if iskeyword(name) else f"{source}.{name}"


def call(function: str, arguments: dict[str, str]) -> str:
    plain = [f"{name}={value}" for name, value in arguments.items() if not iskeyword(name)]
    odd = [f"{name!r}: {value}" for name, value in arguments.items() if iskeyword(name)]
    return f"{function}({', '.join([*plain, *(['**{' + ', '.join(odd) + '}'] if odd else [])])})"
