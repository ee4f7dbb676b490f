"""The parts of a revision as JSON."""

from __future__ import annotations

from typing import Final

import msgspec

from deepoj_domain.documents import Shape
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.question.allowance import Allowance
from deepoj_domain.question.checker import CHECKERS, Checker
from deepoj_domain.question.presentation import Presentation
from deepoj_domain.question.revision import Extra
from deepoj_domain.question.suite import Suite
from deepoj_kit.documents import Document
from deepoj_question.commands.draft import CheckedSuite
from deepoj_question.queries.views import LocalTitle

_TESTS: Final = Document(Shape("", CheckedSuite, {"checker": CHECKERS}), BrokenInvariantError)
_PRESENTATION: Final = msgspec.json.Decoder(Presentation)
_ALLOWANCE: Final = msgspec.json.Decoder(Allowance)
_TITLES: Final = msgspec.json.Decoder(tuple[LocalTitle, ...])
_EXTRAS: Final = msgspec.json.Decoder(tuple[Extra, ...])


def encode_tests(suite: Suite, checker: Checker) -> str:
    return _TESTS.encode(CheckedSuite(suite, checker)).decode()


def decode_tests(text: str) -> CheckedSuite:
    return _TESTS.decode(text)


def encode(part: Presentation | Allowance | tuple[Extra, ...]) -> str:
    return msgspec.json.encode(part).decode()


def decode_presentation(text: str) -> Presentation:
    return _PRESENTATION.decode(text)


def encode_titles(presentation: Presentation) -> str:
    titles = [LocalTitle(each.locale, each.title) for each in presentation.statements]
    return msgspec.json.encode(titles).decode()


def decode_titles(text: str) -> tuple[LocalTitle, ...]:
    return _TITLES.decode(text)


def decode_allowance(text: str) -> Allowance:
    return _ALLOWANCE.decode(text)


def decode_extras(text: str) -> tuple[Extra, ...]:
    return _EXTRAS.decode(text)
