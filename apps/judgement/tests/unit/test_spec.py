"""What a question allows becomes the limits of a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import ExactChecker
from deepoj_domain.question.limits import Allowance, LanguageAllowance
from deepoj_domain.question.revision import Judging
from deepoj_domain.question.suite import StopPolicy
from deepoj_domain.testing import a_suite
from deepoj_judgement.commands.judge.spec import spec_of
from deepoj_languages.table import language_table

CPP, PYTHON = language_slug("cpp17"), language_slug("python3")
ALLOWED = Allowance(time_ms=1500, memory_bytes=64 << 20)


def judging(allowance: Allowance = ALLOWED) -> Judging:
    return Judging(allowance=allowance, suite=a_suite(), checker=ExactChecker())


def test_what_is_judged_is_what_the_question_says() -> None:
    spec = spec_of(replace(judging(), languages=frozenset({CPP})))
    assert (spec.suite, spec.checker, spec.languages) == (a_suite(), ExactChecker(), frozenset({CPP}))
    assert spec.suite.stop is StopPolicy.FIRST_FAILURE
    assert (spec.limits.cpu_ms, spec.limits.wall_ms, spec.limits.memory_kib) == (1500, 4000, 65_536)
    assert spec.limits.output_kib == 16 * 1024


def test_stack_and_processes_are_limits_like_the_others() -> None:
    own = LanguageAllowance(language=CPP, memory_bytes=1 << 30)
    spec = spec_of(judging(replace(ALLOWED, stack_bytes=8 << 20, processes=3, per_language=(own,))))
    assert (spec.limits.stack_kib, spec.limits.processes) == (8192, 3)
    ((_, limits),) = spec.language_limits
    assert (limits.memory_kib, limits.stack_kib, limits.processes) == (1 << 20, 8192, 3)


def test_arguments_the_checker_cannot_take_are_refused_at_once() -> None:
    first, *others = a_suite().cases
    odd = replace(a_suite(), cases=(replace(first, checker_arguments=("case_sensitive",)), *others))
    with pytest.raises(InvalidValueError):
        spec_of(replace(judging(), suite=odd))


def test_an_own_limit_of_a_language_is_taken_as_it_is() -> None:
    own = LanguageAllowance(language=PYTHON, time_ms=4000)
    spec = spec_of(judging(replace(ALLOWED, per_language=(own,))))
    python = next(row for row in language_table() if row.slug == "python3")
    cpp = next(row for row in language_table() if row.slug == "cpp17")
    assert (spec.limits_for(python).cpu_ms, spec.limits_for(cpp).cpu_ms) == (4000, 1500)


def test_a_limit_of_a_case_grows_with_the_language_as_that_of_the_question_does() -> None:
    own = LanguageAllowance(language=PYTHON, time_ms=3000)
    spec = spec_of(judging(replace(ALLOWED, per_language=(own,))))
    rows = {row.slug: row for row in language_table()}
    case = replace(a_suite().cases[0], time_ms=500, memory_bytes=16 << 20)
    cpp, python = (spec.case_limits(rows[slug], case) for slug in (CPP, PYTHON))
    assert cpp is not None
    assert python is not None
    assert (cpp.cpu_ms, cpp.memory_kib) == (500, 16 * 1024)
    assert (python.cpu_ms, python.memory_kib) == (1000, 16 * 1024), "twice the question's, as everywhere"
    assert spec.case_limits(rows[CPP], a_suite().cases[0]) is None
