"""Admission gets its facts cheaply, and refuses only on fresh ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from deepoj_bff.commands.admit import AdmitRun, AdmitSubmission
from deepoj_bff.commands.ports import AccountLoad, SystemState
from deepoj_bff.outbound.system import WatchedSystem
from deepoj_domain.admission.decide import AdmissionLimits, AdmissionRefusal
from deepoj_domain.admission.token_bucket import RateLimit, TokenBucket
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.testing import ALICE
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.testing.waiting import ManualClock, eventually
from deepoj_kit.unavailable import Unavailable

RATE = RateLimit(interval=timedelta(seconds=3), burst=4)
LIMITS = AdmissionLimits(rate=RATE, in_flight=3, daily_quota=10, queue_high_water=5)


@dataclass
class Facts:
    """Everything admission asks for, as a test has set it."""

    load_now: AccountLoad = field(default_factory=lambda: AccountLoad(0, 0))
    system: SystemState = field(default_factory=lambda: SystemState(0, 1))
    asked: int = 0
    buckets: dict[str, TokenBucket] = field(default_factory=dict)
    contended: int = 0
    seen: list[str] = field(default_factory=list)

    async def load(self, account_id: AccountId) -> AccountLoad:  # noqa: ARG002 — the port's
        self.asked += 1
        return self.load_now

    async def state(self) -> SystemState:
        return self.system

    async def get(self, key: str) -> TokenBucket | None:
        return self.buckets.get(key)

    async def swap(self, key: str, seen: TokenBucket | None, new: TokenBucket) -> bool:
        if self.contended:
            self.contended -= 1
            return False
        assert self.buckets.get(key) == seen
        self.buckets[key] = new
        return True


@pytest.fixture
def facts() -> Facts:
    return Facts()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def admit(facts: Facts, clock: ManualClock) -> AdmitSubmission:
    return AdmitSubmission(LIMITS, facts, facts, facts, facts.seen.append, clock, lambda: clock().timestamp())


async def reasons(admit: AdmitSubmission, times: int) -> list[str]:
    answers = [await admit(ALICE) for _ in range(times)]
    return [answer.reason if answer else "admitted" for answer in answers]


async def test_a_burst_costs_one_question_to_record(admit: AdmitSubmission, facts: Facts) -> None:
    assert await reasons(admit, 3) == ["admitted"] * 3
    assert facts.asked == 1
    assert facts.seen == ["admitted"] * 3


async def test_what_came_in_meanwhile_counts_and_a_refusal_is_given_on_fresh_numbers(
    admit: AdmitSubmission, facts: Facts
) -> None:
    await reasons(admit, 3)
    facts.load_now = AccountLoad(in_flight=1, submitted_today=3)
    assert await reasons(admit, 1) == ["admitted"]
    assert facts.asked == 2
    facts.load_now = AccountLoad(in_flight=3, submitted_today=4)
    assert await reasons(admit, 1) == [AdmissionRefusal.RATE_LIMITED]


async def test_a_load_is_not_believed_for_longer_than_a_second(
    admit: AdmitSubmission, facts: Facts, clock: ManualClock
) -> None:
    await reasons(admit, 1)
    facts.load_now = AccountLoad(0, 10)
    clock.advance(seconds=2)
    assert await reasons(admit, 1) == [AdmissionRefusal.DAILY_QUOTA_SPENT]


async def test_the_rate_is_kept_when_two_take_at_once(admit: AdmitSubmission, facts: Facts) -> None:
    facts.contended = 2
    assert await reasons(admit, 1) == ["admitted"]
    facts.contended = 100
    assert await reasons(admit, 1) == [AdmissionRefusal.RATE_LIMITED]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (SystemState(5, 1), AdmissionRefusal.QUEUE_FULL),
        (SystemState(0, 0), AdmissionRefusal.NO_WORKER_ALIVE),
        (SystemState(None, None), "admitted"),
    ],
)
async def test_only_what_is_known_closes_the_gate(
    admit: AdmitSubmission, facts: Facts, state: SystemState, expected: str
) -> None:
    facts.system = state
    assert await reasons(admit, 1) == [expected]
    assert facts.seen == [expected]


async def test_runs_are_limited_by_how_many_run_at_once(facts: Facts, clock: ManualClock) -> None:
    admit = AdmitRun(LIMITS, facts, facts, facts.seen.append, clock)
    for _ in range(3):
        assert await admit.begin(ALICE) is None
    refused = await admit.begin(ALICE)
    assert refused is not None
    assert refused.reason is AdmissionRefusal.TOO_MANY_IN_FLIGHT
    admit.end(ALICE)
    assert await admit.begin(ALICE) is None


async def test_the_system_is_asked_in_the_background_and_its_silence_is_no_answer() -> None:
    clock, calls = ManualClock(), 0

    async def depth() -> int:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise RemoteError(Kind.UNAVAILABLE, "away", "away")
        return 7

    async def workers() -> int:
        raise Unavailable("away")

    system = WatchedSystem(depth, workers, fresh=0.5, now=lambda: clock().timestamp())
    assert await system.state() == SystemState(7, None)
    clock.advance(seconds=1)
    assert await system.state() == SystemState(7, None)

    async def knows_nothing() -> bool:
        return await system.state() == SystemState(None, None)

    await eventually(knows_nothing)
