"""What becomes of a submission that admission would turn away."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from apps.bff.tests.fakes import MemoryBuckets, QuietSystem, ToldRecord, ToldServices
from deepoj_bff.commands.admission_gate import AdmissionGate
from deepoj_bff.commands.submit import Draft, Stored, Submit
from deepoj_bff.outbound.system_load import RecentAccountLoads
from deepoj_bff.queries.views.submission import Submitted
from deepoj_domain.admission.decide import AccountLoad, AdmissionLimits, TurnedAway
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_domain.testing import ALICE, QUESTION
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.testing.conditions import ManualClock

ADA = Actor(ALICE, Role.CONTESTANT)
DRAFT = Draft(QUESTION, None, "cpp17", "int main() {}")
SUBMIT = ("record", "Submit")
STORED = Submitted(submission_id="s1", repeated=True)
UNKNOWN = RemoteError(Kind.NOT_FOUND, "not_submitted", "no such submission had come before")
RATE = RateLimit(interval=timedelta(seconds=3), burst=1)


class Idle:
    async def load(self, account_id: AccountId) -> AccountLoad:  # noqa: ARG002 — the port's
        return AccountLoad(0, 0)


@pytest.fixture
def services() -> ToldServices:
    return ToldServices({SUBMIT: STORED})


@pytest.fixture
async def submit(services: ToldServices) -> Submit:
    """One whose caller has just used up their rate."""
    gate = AdmissionGate("submit", AdmissionLimits(rate=RATE), QuietSystem(), MemoryBuckets(), ManualClock())
    loads = RecentAccountLoads(Idle(), ManualClock())
    made = Submit(gate, loads, ToldRecord(services), lambda: UUID(int=1), lambda _: None)
    await made(ADA, DRAFT, "first")
    services.asked.clear()
    return made


async def test_a_retry_of_what_is_stored_is_answered_although_a_new_one_would_be_turned_away(
    submit: Submit, services: ToldServices
) -> None:
    assert await submit(ADA, DRAFT, "first") == Stored("s1", repeated=True)
    [(_, _, sent)] = services.asked
    assert (sent["idempotency_key"], sent["only_repeat"]) == ("first", True)


@pytest.mark.parametrize("said", [UNKNOWN, RemoteError(Kind.UNAVAILABLE, "unavailable", "away")])
async def test_what_is_not_stored_is_turned_away_for_the_reason_it_was(
    submit: Submit, services: ToldServices, said: RemoteError
) -> None:
    services.answers[SUBMIT] = said
    assert reason(await submit(ADA, DRAFT, "second")) == "rate_limited"


async def test_without_a_key_nobody_is_asked(submit: Submit, services: ToldServices) -> None:
    assert (reason(await submit(ADA, DRAFT, None)), services.asked) == ("rate_limited", [])


def reason(answer: Stored | TurnedAway) -> str:
    return answer.reason if isinstance(answer, TurnedAway) else "stored"
