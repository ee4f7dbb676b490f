"""Admission gets its facts cheaply, and refuses only on fresh ones."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import uuid4

import pytest

from apps.bff.tests.fakes import MemoryBuckets, ToldRecord, ToldServices
from deepoj_bff.commands.admission_gate import AdmissionGate, Place, Swapped
from deepoj_bff.commands.admit_run import AdmitRun
from deepoj_bff.commands.submit import Submit
from deepoj_bff.outbound.system_load import RecentAccountLoads, RecentSystemState
from deepoj_domain.admission.decide import AccountLoad, AdmissionLimits, AdmissionRefusal, SystemState
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.token_bucket import RateLimit, TokenBucket
from deepoj_domain.testing import ALICE
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.testing.conditions import ManualClock, eventually
from deepoj_kit.unavailable import Unavailable

RATE = RateLimit(interval=timedelta(seconds=3), burst=4)
LIMITS = AdmissionLimits(rate=RATE, in_flight=3, daily_quota=10, queue_high_water=5)


@dataclass
class Facts:
    """Everything admission asks for, as a test has set it."""

    load_now: AccountLoad = field(default_factory=lambda: AccountLoad(0, 0))
    system: SystemState = field(default_factory=lambda: SystemState(0, 1))
    asked: int = 0
    seen: list[str] = field(default_factory=list)

    async def load(self, account_id: AccountId) -> AccountLoad:  # noqa: ARG002 — the port's
        self.asked += 1
        await asyncio.sleep(0)
        return self.load_now

    async def state(self) -> SystemState:
        return self.system


@dataclass
class ContendedBuckets(MemoryBuckets):
    contended: int = 0
    """How many swaps somebody else comes before."""

    async def swap(self, key: str, seen: TokenBucket | None, new: TokenBucket, place: Place) -> Swapped:
        if self.contended:
            self.contended -= 1
            return Swapped(done=False)
        return await super().swap(key, seen, new, place)


@pytest.fixture
def facts() -> Facts:
    return Facts()


@pytest.fixture
def buckets() -> ContendedBuckets:
    return ContendedBuckets()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def front_door(facts: Facts, buckets: MemoryBuckets, clock: ManualClock) -> Submit:
    gate = AdmissionGate("submit", LIMITS, facts, buckets, clock)
    loads = RecentAccountLoads(facts, clock, lambda: clock().timestamp())
    return Submit(gate, loads, ToldRecord(ToldServices()), uuid4, facts.seen.append)


@pytest.fixture
def submit(facts: Facts, buckets: ContendedBuckets, clock: ManualClock) -> Submit:
    return front_door(facts, buckets, clock)


async def reason(submit: Submit) -> str:
    """Come in, and be stored at once."""
    refused = await submit.admit(ALICE)
    if refused is not None:
        return refused.reason
    submit.leave(ALICE)
    return "admitted"


async def reasons(submit: Submit, times: int) -> list[str]:
    return [await reason(submit) for _ in range(times)]


async def test_a_burst_costs_one_question_to_record(submit: Submit, facts: Facts) -> None:
    assert await reasons(submit, 3) == ["admitted"] * 3
    assert facts.asked == 1
    assert facts.seen == ["admitted"] * 3


async def test_what_came_in_meanwhile_counts_and_a_refusal_is_given_on_fresh_numbers(
    submit: Submit, facts: Facts
) -> None:
    await reasons(submit, 3)
    facts.load_now = AccountLoad(in_flight=1, submitted_today=3)
    assert await reasons(submit, 1) == ["admitted"]
    assert facts.asked == 2
    facts.load_now = AccountLoad(in_flight=3, submitted_today=4)
    assert await reasons(submit, 1) == [AdmissionRefusal.RATE_LIMITED]


async def test_a_load_is_not_believed_for_longer_than_a_second(
    submit: Submit, facts: Facts, clock: ManualClock
) -> None:
    await reasons(submit, 1)
    facts.load_now = AccountLoad(0, 10)
    clock.advance(seconds=2)
    assert await reasons(submit, 1) == [AdmissionRefusal.DAILY_QUOTA_SPENT]


async def test_the_rate_is_kept_when_two_take_at_once(submit: Submit, buckets: ContendedBuckets) -> None:
    buckets.contended = 2
    assert await reasons(submit, 1) == ["admitted"]
    buckets.contended = 100
    assert await reasons(submit, 1) == [AdmissionRefusal.RATE_LIMITED]


async def test_those_who_come_together_do_not_exceed_the_cap(submit: Submit, facts: Facts) -> None:
    submit.gate.limits = replace(LIMITS, rate=RateLimit(interval=timedelta(seconds=3), burst=10))
    answers = await asyncio.gather(*(submit.admit(ALICE) for _ in range(10)))
    refused = [answer.reason for answer in answers if answer is not None]
    assert refused == [AdmissionRefusal.TOO_MANY_IN_FLIGHT] * 7
    assert facts.asked == 1
    for _ in range(3):
        submit.leave(ALICE)
    assert await reason(submit) == "admitted", "record says that none is in flight any more"


async def test_what_is_on_its_way_to_record_counts_although_record_does_not_know_it(
    submit: Submit, clock: ManualClock
) -> None:
    for _ in range(3):
        assert await submit.admit(ALICE) is None
    clock.advance(seconds=60)
    refused = await submit.admit(ALICE)
    assert refused is not None
    assert refused.reason is AdmissionRefusal.TOO_MANY_IN_FLIGHT


async def test_two_front_doors_together_do_not_exceed_the_cap(
    submit: Submit, facts: Facts, buckets: ContendedBuckets, clock: ManualClock
) -> None:
    doors = (submit, front_door(facts, buckets, clock))
    answers = await asyncio.gather(*(doors[each % 2].admit(ALICE) for each in range(4)))
    refused = [answer.reason for answer in answers if answer is not None]
    assert refused == [AdmissionRefusal.TOO_MANY_IN_FLIGHT]


async def test_what_another_front_door_let_in_since_record_was_asked_counts(
    submit: Submit, facts: Facts, buckets: ContendedBuckets, clock: ManualClock
) -> None:
    other = front_door(facts, buckets, clock)
    assert await submit.admit(ALICE) is None
    clock.advance(seconds=0.1)
    submit.leave(ALICE)
    assert await reasons(other, 2) == ["admitted"] * 2
    # The first believes record for a second; what it is about to refuse by others' counts it asks again.
    facts.load_now, asked = AccountLoad(in_flight=3, submitted_today=3), facts.asked
    clock.advance(seconds=0.1)
    assert await reasons(submit, 1) == [AdmissionRefusal.TOO_MANY_IN_FLIGHT]
    assert facts.asked == asked + 1
    facts.load_now = AccountLoad(in_flight=0, submitted_today=3)
    clock.advance(seconds=0.1)
    assert await reasons(submit, 1) == ["admitted"]


async def test_the_places_of_a_front_door_that_died_are_free_again(
    submit: Submit, facts: Facts, buckets: ContendedBuckets, clock: ManualClock
) -> None:
    dead = front_door(facts, buckets, clock)
    assert [await dead.admit(ALICE) for _ in range(3)] == [None] * 3
    assert await reason(submit) == AdmissionRefusal.TOO_MANY_IN_FLIGHT
    clock.advance(seconds=60)
    assert await reason(submit) == "admitted"


async def test_a_load_that_nobody_could_tell_is_asked_for_again(
    submit: Submit, facts: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(account_id: AccountId) -> AccountLoad:
        raise RemoteError(Kind.UNAVAILABLE, "away", str(account_id))

    monkeypatch.setattr(facts, "load", away)
    outcomes = await asyncio.gather(*(submit.admit(ALICE) for _ in range(2)), return_exceptions=True)
    assert all(isinstance(each, RemoteError) for each in outcomes)
    monkeypatch.undo()
    assert await reason(submit) == "admitted"


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (SystemState(5, 1), AdmissionRefusal.QUEUE_FULL),
        (SystemState(0, 0), AdmissionRefusal.NO_WORKER_ALIVE),
        (SystemState(None, None), "admitted"),
    ],
)
async def test_only_what_is_known_closes_the_gate(
    submit: Submit, facts: Facts, state: SystemState, expected: str
) -> None:
    facts.system = state
    assert await reasons(submit, 1) == [expected]
    assert facts.seen == [expected]


@pytest.fixture
def admit_run(facts: Facts, buckets: ContendedBuckets, clock: ManualClock) -> AdmitRun:
    return AdmitRun(AdmissionGate("run", LIMITS, facts, buckets, clock), facts.seen.append)


async def test_runs_are_limited_by_how_many_run_at_once(admit_run: AdmitRun) -> None:
    answers = await asyncio.gather(*(admit_run.begin(ALICE) for _ in range(4)))
    refused = [answer.reason for answer in answers if answer is not None]
    assert refused == [AdmissionRefusal.TOO_MANY_IN_FLIGHT]
    admit_run.end(ALICE)
    assert await admit_run.begin(ALICE) is None


async def test_a_run_that_loses_its_bucket_to_another_tries_again(
    admit_run: AdmitRun, buckets: ContendedBuckets
) -> None:
    buckets.contended = 2
    assert await admit_run.begin(ALICE) is None


async def test_whoever_was_not_let_in_is_not_counted(admit_run: AdmitRun, buckets: ContendedBuckets) -> None:
    buckets.contended = 100
    refused = await admit_run.begin(ALICE)
    assert refused is not None
    assert refused.reason is AdmissionRefusal.RATE_LIMITED
    buckets.contended = 0
    assert [await admit_run.begin(ALICE) for _ in range(3)] == [None] * 3


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

    system = RecentSystemState(depth, workers, fresh=0.5, now=lambda: clock().timestamp())
    assert await system.state() == SystemState(7, None)
    clock.advance(seconds=1)
    assert await system.state() == SystemState(7, None)

    async def knows_nothing() -> bool:
        return await system.state() == SystemState(None, None)

    await eventually(knows_nothing)
