r"""The commands a document defines for its formulas: `\newcommand` and its kin, expanded within limits."""

from __future__ import annotations

import re
from typing import Final

MOST_FORMULA: Final = 5_000
_MOST_STEPS: Final = 500
_MOST_MACROS: Final = 200
_DEFINITION: Final = re.compile(
    r"\\(?:(?:new|renew|provide)command\*?\s{0,9}\{?\\(?P<name>[A-Za-z]{1,40})\}?(?:\[(?P<count>[0-9])\])?"
    r"|def\\(?P<defined>[A-Za-z]{1,40})"
    r"|DeclareMathOperator\*?\s{0,9}\{\\(?P<operator>[A-Za-z]{1,40})\})\s{0,9}(?=\{)"
)
_COMMAND: Final = re.compile(r"\\([A-Za-z]+)")
_PARAMETER: Final = re.compile(r"#([1-9])")


class MacroError(ValueError):
    """A formula cannot be expanded, or only to something too large."""


class Macros:
    """What formulas have defined so far; a definition holds from its formula on."""

    def __init__(self) -> None:
        self._bodies: dict[str, tuple[int, str]] = {}

    def expand(self, formula: str) -> str:
        """Take the definitions out of a formula and write out what it uses; raise MacroError."""
        if len(formula) > MOST_FORMULA:
            raise MacroError("the formula is too long")
        return self._written_out(self._defining(formula))

    def _defining(self, formula: str) -> str:
        kept, position = [], 0
        while found := _DEFINITION.search(formula, position):
            kept.append(formula[position : found.start()])
            body, position = _group(formula, found.end())
            if found["operator"]:
                self._define(found["operator"], 0, rf"\operatorname{{{body}}}")
            else:
                self._define(found["name"] or found["defined"], int(found["count"] or 0), body)
        return "".join((*kept, formula[position:]))

    def _define(self, name: str, count: int, body: str) -> None:
        if len(self._bodies) >= _MOST_MACROS:
            raise MacroError("the document defines too many commands")
        self._bodies[name] = (count, body)

    def _written_out(self, formula: str) -> str:
        done, rest, steps = "", formula, 0
        while found := _COMMAND.search(rest):
            done, rest_after = done + rest[: found.start()], rest[found.end() :]
            macro = self._bodies.get(found[1])
            if macro is None:
                done, rest = done + found[0], rest_after
                continue
            steps += 1
            body, rest_after = _applied(macro, rest_after)
            # What follows a command name must not become a part of one.
            rest = body + (" " if rest_after[:1].isalpha() else "") + rest_after
            if steps > _MOST_STEPS or len(done) + len(rest) > MOST_FORMULA:
                raise MacroError("the formula grows too large")
        return done + rest


def _applied(macro: tuple[int, str], rest: str) -> tuple[str, str]:
    count, body = macro
    values = []
    for _ in range(count):
        rest = rest.lstrip()
        if not rest:
            raise MacroError("an argument is missing")
        if rest[0] == "{":
            value, end = _group(rest, 0)
        else:
            token = _COMMAND.match(rest)
            end = token.end() if token else 1
            value = rest[:end]
        values.append(value)
        rest = rest[end:]

    def value_of(found: re.Match[str]) -> str:
        number = int(found[1])
        return values[number - 1] if number <= count else ""

    return _PARAMETER.sub(value_of, body), rest


def _group(text: str, start: int) -> tuple[str, int]:
    """Return what stands between the brace at `start` and the one that closes it, and where that ends."""
    depth, position = 0, start
    while position < len(text):
        match text[position]:
            case "\\":
                position += 1
            case "{":
                depth += 1
            case "}":
                depth -= 1
                if not depth:
                    return text[start + 1 : position], position + 1
            case _:
                pass
        position += 1
    raise MacroError("a brace is not closed")
