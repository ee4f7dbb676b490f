"""What becomes of a submission that admission would turn away."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from deepoj_bff.commands.admit_submission import AdmitSubmission
from deepoj_bff.commands.entrance import Entrance
from deepoj_bff.commands.ports import AccountLoad
from deepoj_bff.inbound.http.errors import ApiError
from deepoj_bff.inbound.http.submitting import Submitting
from deepoj_bff.inbound.http.testing import MemoryBuckets, QuietSystem, ToldServices
from deepoj_bff.inbound.http.wire.submission import NewSubmission, Submitted
from deepoj_domain.admission.decide import AdmissionLimits
from deepoj_domain.admission.token_bucket import RateLimit
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, QUESTION
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.testing.waiting import ManualClock

ADA = Actor(ALICE, Role.CONTESTANT)
BODY = NewSubmission(question_id=QUESTION, language="cpp17", source="int main() {}")
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
async def submitting(services: ToldServices) -> Submitting:
    """One whose caller has just used up their rate."""
    limits, clock = AdmissionLimits(rate=RATE), ManualClock()
    entrance = Entrance("submit", limits, QuietSystem(), MemoryBuckets(), clock)
    admit = AdmitSubmission(entrance, Idle(), lambda _: None)
    made = Submitting(services, admit, lambda: UUID(int=1))
    await made(ADA, BODY, "first")
    services.asked.clear()
    return made


async def test_a_retry_of_what_is_stored_is_answered_although_a_new_one_would_be_turned_away(
    submitting: Submitting, services: ToldServices
) -> None:
    assert await submitting(ADA, BODY, "first") == STORED
    [(_, _, sent)] = services.asked
    assert (sent["idempotency_key"], sent["only_repeat"]) == ("first", True)


@pytest.mark.parametrize("said", [UNKNOWN, RemoteError(Kind.UNAVAILABLE, "unavailable", "away")])
async def test_what_is_not_stored_is_turned_away_for_the_reason_it_was(
    submitting: Submitting, services: ToldServices, said: RemoteError
) -> None:
    services.answers[SUBMIT] = said
    with pytest.raises(ApiError) as refused:
        await submitting(ADA, BODY, "second")
    assert refused.value.reason == "rate_limited"


async def test_without_a_key_nobody_is_asked(submitting: Submitting, services: ToldServices) -> None:
    with pytest.raises(ApiError) as refused:
        await submitting(ADA, BODY, None)
    assert (refused.value.reason, services.asked) == ("rate_limited", [])
