"""Counts for problems and profiles, the same for all: record leaves out games that keep results back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from deepoj_bff.queries.cache import Cache, Encoded, encode
from deepoj_bff.queries.services import Call, Services
from deepoj_bff.queries.views.statistics import (
    DayCounts,
    Passed,
    ProblemCounts,
    ProblemStatistics,
    UserStatistics,
)
from deepoj_domain.kernel.clock import next_midnight

BY_QUESTION: Final = Call("record", "CountByQuestion", ProblemCounts)
BY_DAY: Final = Call("record", "CountByDay", DayCounts)
PASSED: Final = Call("record", "CountPassed", Passed)
_PERIOD: Final = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class ReadStatistics:
    services: Services
    cache: Cache
    clock: Callable[[], datetime]

    async def of_problem(self, problem_id: UUID) -> Encoded:
        async def load() -> bytes:
            [found] = (await self.services.call(BY_QUESTION, question_ids=[problem_id])).counts
            return encode(ProblemStatistics(submitted=found.submitted, accepted=found.accepted))

        return await self.cache.get(f"statistics:problem:{problem_id}", load)

    async def of_user(self, user_id: UUID) -> Encoded:
        async def load() -> bytes:
            end = next_midnight(self.clock())
            passed = await self.services.call(PASSED, account_id=user_id)
            counted = await self.services.call(BY_DAY, account_id=user_id, from_=end - _PERIOD, before=end)
            return encode(UserStatistics(passed=passed.questions, days=counted.days))

        return await self.cache.get(f"statistics:user:{user_id}", load)
