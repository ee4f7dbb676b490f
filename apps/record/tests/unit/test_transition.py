"""Decide on what was read, write only if it is still so, and name a reason whenever nothing was written."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from uuid import UUID

import pytest

from apps.record.tests.fakes import MemoryJournal, MemorySubmissions
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.submission.claim import claim
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, SubmissionRefusal
from deepoj_domain.testing import (
    NOW,
    OTHER_WORKER,
    RETRY,
    SUBMISSION,
    TERMS,
    WORKER,
    a_result,
    a_submission,
)
from deepoj_record.commands.ports import ContendedError, Step, Stored
from deepoj_record.commands.transition import ROUNDS, Transition

OTHER = SubmissionId(UUID(int=2))


def taken_by(worker: str, submission: Submission) -> SubmissionOutcome:
    return claim(submission, WORKER if worker == WORKER else OTHER_WORKER, TERMS, RETRY, NOW)


async def test_inv_3_of_two_claims_the_one_that_lost_the_race_is_told_so() -> None:
    submissions, journal = MemorySubmissions({SUBMISSION: Stored(a_submission(), 0)}), MemoryJournal()
    transition = Transition(submissions, journal)

    async def somebody_is_faster() -> None:
        submissions.interfere = nobody
        await transition(Step.CLAIM, {SUBMISSION: partial(taken_by, OTHER_WORKER)}, NOW)

    async def nobody() -> None:
        pass

    submissions.interfere = somebody_is_faster
    outcomes = await transition(Step.CLAIM, {SUBMISSION: partial(taken_by, WORKER)}, NOW)
    assert outcomes[SUBMISSION] == Refused(SubmissionRefusal.LEASE_STILL_VALID, "status RUNNING, attempt 1")
    assert submissions.rows[SUBMISSION].submission.attempts[0].worker == OTHER_WORKER
    assert journal.lines == [("claim", "RUNNING"), ("claim", "lease_still_valid")]


async def test_an_unknown_submission_is_refused_as_not_found() -> None:
    journal = MemoryJournal()
    outcomes = await Transition(MemorySubmissions(), journal)(
        Step.CLAIM, {SUBMISSION: partial(taken_by, WORKER)}, NOW
    )
    assert outcomes == {SUBMISSION: Refused(SubmissionRefusal.NOT_FOUND)}
    assert journal.lines == [("claim", "not_found")]


async def test_a_row_that_never_stands_still_is_given_up_and_told_as_such() -> None:
    submissions, journal = MemorySubmissions({SUBMISSION: Stored(a_submission(), 0)}), MemoryJournal()
    tries = 0

    async def always_changed() -> None:
        nonlocal tries
        tries += 1
        stored = submissions.rows[SUBMISSION]
        submissions.rows[SUBMISSION] = Stored(stored.submission, stored.version + 1)

    submissions.interfere = always_changed
    with pytest.raises(ContendedError):
        await Transition(submissions, journal)(Step.CLAIM, {SUBMISSION: partial(taken_by, WORKER)}, NOW)
    assert tries == ROUNDS
    assert journal.lines == []


async def test_inv_1_only_the_matching_attempt_finishes() -> None:
    submissions = MemorySubmissions({SUBMISSION: Stored(a_submission(Status.RUNNING), 0)})
    transition = Transition(submissions, MemoryJournal())

    def finish(attempt_id: int, submission: Submission) -> SubmissionOutcome:
        return finalize(submission, attempt_id, WORKER, a_result(), NOW)

    refused = await transition(Step.FINALIZE, {SUBMISSION: partial(finish, 2)}, NOW)
    assert isinstance(refused[SUBMISSION], Refused)
    assert submissions.rows[SUBMISSION].submission.status is Status.RUNNING
    done = await transition(Step.FINALIZE, {SUBMISSION: partial(finish, 1)}, NOW)
    assert isinstance(done[SUBMISSION], Changed)
    assert submissions.rows[SUBMISSION].submission.status is Status.FINISHED


async def test_what_was_written_is_told_even_when_another_of_the_batch_never_stands_still() -> None:
    steady, restless = a_submission(), replace(a_submission(), id=OTHER, origin_id=OTHER)
    submissions = MemorySubmissions({SUBMISSION: Stored(steady, 0), OTHER: Stored(restless, 0)})
    journal = MemoryJournal()

    async def always_changed() -> None:
        submissions.rows[OTHER] = Stored(restless, submissions.rows[OTHER].version + 1)

    submissions.interfere = always_changed
    moves = {key: partial(taken_by, WORKER) for key in (SUBMISSION, OTHER)}
    with pytest.raises(ContendedError):
        await Transition(submissions, journal)(Step.CLAIM, moves, NOW)
    assert journal.lines == [("claim", "RUNNING")]
