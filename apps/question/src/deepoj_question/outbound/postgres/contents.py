"""The parts of a revision as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from deepoj_domain.question.allowance import Allowance
from deepoj_domain.question.checker import (
    Checker,
    ExactChecker,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    ProgramChecker,
    TokenChecker,
)
from deepoj_domain.question.presentation import Presentation
from deepoj_domain.question.revision import Extra
from deepoj_domain.question.suite import Suite

# The names are in the database: they stay when a type is renamed.
_KINDS: Final[Mapping[str, type[Checker]]] = {
    "exact": ExactChecker,
    "lines": LineChecker,
    "tokens": TokenChecker,
    "floats": FloatChecker,
    "icpc": IcpcChecker,
    "program": ProgramChecker,
}
_KIND_OF: Final = {kind: name for name, kind in _KINDS.items()}
_PRESENTATION: Final = msgspec.json.Decoder(Presentation)
_ALLOWANCE: Final = msgspec.json.Decoder(Allowance)
_EXTRAS: Final = msgspec.json.Decoder(tuple[Extra, ...])


class _Tests(msgspec.Struct, frozen=True):
    suite: Suite
    checker_kind: str
    checker: msgspec.Raw


_TESTS: Final = msgspec.json.Decoder(_Tests)


def encode_tests(suite: Suite, checker: Checker) -> str:
    return encode(_Tests(suite, _KIND_OF[type(checker)], msgspec.Raw(msgspec.json.encode(checker))))


def decode_tests(text: str) -> tuple[Suite, Checker]:
    stored = _TESTS.decode(text)
    return stored.suite, msgspec.json.decode(stored.checker, type=_KINDS[stored.checker_kind])


def encode(part: Presentation | Allowance | _Tests | tuple[Extra, ...]) -> str:
    return msgspec.json.encode(part).decode()


def decode_presentation(text: str) -> Presentation:
    return _PRESENTATION.decode(text)


def decode_allowance(text: str) -> Allowance:
    return _ALLOWANCE.decode(text)


def decode_extras(text: str) -> tuple[Extra, ...]:
    return _EXTRAS.decode(text)
