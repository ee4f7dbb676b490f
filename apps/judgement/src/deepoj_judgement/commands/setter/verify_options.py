"""What of a package is verified, and with what."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError

_MOST_PATTERNS: Final = 20
_MOST_PATTERN: Final = 200
_MOST_TIME_MS: Final = 60_000
_MOST_MUTANTS: Final = 20


class Part(StrEnum):
    VALIDATORS = "validators"
    """The data, as validators see it, and the validators, as junk shows them."""
    ANSWERS = "answers"
    """The answers, as the output validator and the main solution see them."""
    SUBMISSIONS = "submissions"
    STATEMENT = "statement"
    STRENGTH = "strength"
    """What the tests catch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    parts: frozenset[Part] = frozenset(Part)
    submissions: tuple[str, ...] = ()
    """Patterns of names; none: all."""
    cases: tuple[str, ...] = ()
    time_limit_ms: int | None = None
    mutants: int = 0
    """How many changed copies of the main solution are judged."""


EVERYTHING = VerifyOptions()


def remote_options(
    *,
    parts: Iterable[str],
    submissions: Iterable[str],
    cases: Iterable[str],
    time_limit_ms: int,
    mutants: int,
) -> VerifyOptions:
    """Make the options of somebody who is not at this machine: the judge that works for them is shared."""
    options = VerifyOptions(
        parts=frozenset(map(_part, parts)) or frozenset(Part),
        submissions=tuple(submissions),
        cases=tuple(cases),
        time_limit_ms=time_limit_ms or None,
        mutants=mutants,
    )
    patterns = (*options.submissions, *options.cases)
    if len(patterns) > _MOST_PATTERNS or any(not 0 < len(each) <= _MOST_PATTERN for each in patterns):
        limit = f"at most {_MOST_PATTERNS} patterns of 1 to {_MOST_PATTERN} characters"
        raise InvalidValueError("verify_patterns", f"a verification takes {limit}")
    if time_limit_ms > _MOST_TIME_MS:
        raise InvalidValueError("verify_time_limit", f"the time limit is at most {_MOST_TIME_MS // 1000} s")
    if mutants > _MOST_MUTANTS:
        raise InvalidValueError("verify_mutants", f"the server judges at most {_MOST_MUTANTS} mutants")
    return options


def _part(word: str) -> Part:
    try:
        return Part(word)
    except ValueError:
        there = ", ".join(Part)
        raise InvalidValueError("verify_part", f"there is no part {word[:40]!r}: there are {there}") from None
