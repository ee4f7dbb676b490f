"""How long a judgement may take at most, whatever becomes of the sandbox."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from deepoj_domain.question.checker import programs_of
from deepoj_judgement.commands.judge.errors import JudgingTimedOutError
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.steps.prepare_checker import LIMITS as CHECKER_LIMITS
from deepoj_languages.language import Language

# A run near the limit and a checker that was stopped are both tried once more.
_TRIES = 2


@asynccontextmanager
async def capped(spec: JudgeSpec, language: Language, slack: timedelta) -> AsyncIterator[None]:
    """`slack` is for everything but the cases: compiling, fetching, waiting for a box."""
    most = slack + _all_cases(spec, language)
    cap = asyncio.timeout(most.total_seconds())
    try:
        async with cap:
            yield
    except TimeoutError:
        if not cap.expired():
            raise
        raise JudgingTimedOutError(most) from None


def _all_cases(spec: JudgeSpec, language: Language) -> timedelta:
    checkers = programs_of(spec.checker)
    checking = sum((program.limits or CHECKER_LIMITS).wall_ms for program in checkers)
    passes = max((program.passes for program in checkers), default=1)
    usual = spec.limits_for(language)
    run = (case for case in spec.suite.cases if not case.of_source)
    limits = (spec.case_limits(language, case) or usual for case in run)
    of_cases = passes * sum(each.wall_ms + checking for each in limits)
    return timedelta(milliseconds=_TRIES * (of_cases + _of_source(spec) + _grading(spec)))


def _of_source(spec: JudgeSpec) -> int:
    if spec.source_checker is None:
        return 0
    asked = sum(case.of_source for case in spec.suite.cases)
    return asked * (spec.source_checker.limits or CHECKER_LIMITS).wall_ms


def _grading(spec: JudgeSpec) -> int:
    if spec.grader is None:
        return 0
    asked = len(spec.suite.groups) + len(spec.suite.bundles)
    return asked * (spec.grader.limits or CHECKER_LIMITS).wall_ms
