"""How long a judgement may take at most, whatever becomes of the sandbox."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from deepoj_domain.question.checker import ProgramChecker
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.errors import JudgingTimedOutError
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.steps.prepare_checker import LIMITS as CHECKER_LIMITS

# A run near the limit and a checker that was stopped are both tried once more.
_TRIES = 2


@asynccontextmanager
async def capped(spec: JudgeSpec, limits: Limits, slack: timedelta) -> AsyncIterator[None]:
    """`slack` is for everything but the cases: compiling, fetching, waiting for a box."""
    most = slack + _all_cases(spec, limits)
    cap = asyncio.timeout(most.total_seconds())
    try:
        async with cap:
            yield
    except TimeoutError:
        if not cap.expired():
            raise
        raise JudgingTimedOutError(most) from None


def _all_cases(spec: JudgeSpec, limits: Limits) -> timedelta:
    checking = 0
    if isinstance(spec.checker, ProgramChecker):
        checking = (spec.checker.limits or CHECKER_LIMITS).wall_ms
    return timedelta(milliseconds=_TRIES * len(spec.suite.cases) * (limits.wall_ms + checking))
