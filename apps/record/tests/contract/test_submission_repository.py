"""One suite for the repository in memory and the one in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol
from uuid import UUID, uuid4

import pytest

from apps.record.tests.fakes import MemoryJournal, MemorySubmissions
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.cancel import cancel
from deepoj_domain.submission.claim import claim, reclaim
from deepoj_domain.submission.fail import report_failure
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.heartbeat import heartbeat
from deepoj_domain.submission.queue import redispatch
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.states import Cancelled, Dead, Dispatched, Finished, Pending, Running, Status
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_domain.submission.submit import IdempotencyKey, SourceCode, fingerprint, submit
from deepoj_domain.testing import (
    BOB,
    GAME,
    NOW,
    OTHER_WORKER,
    RETRY,
    ROOT,
    ROUTE,
    TERMS,
    WORKER,
    a_result,
    an_order,
)
from deepoj_kit.postgres import Database
from deepoj_record.commands.ports import IdTaken, KeyTaken, NewSubmission, Payload, Step, Stored, Write
from deepoj_record.commands.transition import Transition
from deepoj_record.outbound.postgres.outbox import Messages
from deepoj_record.outbound.postgres.submission_reader import PostgresSubmissionReader
from deepoj_record.outbound.postgres.submission_repository import PostgresSubmissions
from deepoj_record.outbound.postgres.submission_statements import DISPATCH
from deepoj_record.queries.views import SubmissionView


class AnySubmissions(Protocol):
    async def load(self, ids: Sequence[SubmissionId]) -> dict[SubmissionId, Stored]: ...
    async def write(self, writes: Sequence[Write]) -> set[SubmissionId]: ...
    async def add(self, new: NewSubmission) -> KeyTaken | IdTaken | None: ...
    async def payloads(self, ids: Sequence[SubmissionId]) -> object: ...
    async def deliver(self, key: SubmissionId) -> None: ...


class DeliveringSubmissions(PostgresSubmissions):
    async def deliver(self, key: SubmissionId) -> None:
        async with self._database.connection() as connection:
            await connection.execute(DISPATCH.encode(), ([key],))


@pytest.fixture(params=["memory", "postgres"])
def submissions(request: pytest.FixtureRequest) -> AnySubmissions:
    if request.param == "memory":
        return MemorySubmissions()
    database, messages = (request.getfixturevalue(name) for name in ("database", "messages"))
    return DeliveringSubmissions(database, messages, lambda _: None)


async def test_what_was_added_is_loaded_as_it_was(submissions: AnySubmissions) -> None:
    new = a_new(game=True)
    assert await submissions.add(new) is None
    found = await submissions.load([new.submission.id, SubmissionId(uuid4())])
    assert {key: stored.submission for key, stored in found.items()} == {new.submission.id: new.submission}
    assert await submissions.payloads([new.submission.id]) == {
        new.submission.id: Payload("int main() {}", "")
    }


async def test_the_same_key_finds_the_first_submission(submissions: AnySubmissions) -> None:
    new = a_new(key="k")
    await submissions.add(new)
    again = await submissions.add(a_new(key="k"))
    assert again == KeyTaken(new.submission.id, new.fingerprint)
    assert await submissions.add(a_new(key="k", account=BOB)) is None


async def test_an_id_is_used_once(submissions: AnySubmissions) -> None:
    new = a_new(key="first")
    await submissions.add(new)
    assert isinstance(await submissions.add(a_new(key="second", submission_id=new.submission.id)), IdTaken)


async def test_every_state_comes_back_as_it_was_written(submissions: AnySubmissions) -> None:
    for path in PATHS:
        stored = await stored_after(submissions, path)
        assert (await submissions.load([stored.submission.id]))[stored.submission.id] == stored


async def test_what_was_written_shows_as_the_row_does(database: Database, messages: Messages) -> None:
    submissions = DeliveringSubmissions(database, messages, lambda _: None)
    reader = PostgresSubmissionReader(database)
    for path in PATHS:
        new = a_new()
        await submissions.add(new)
        stored = await moved_along(submissions, new.submission.id, path)
        shown = view_of(stored.submission, source_bytes=len(new.source.text))
        assert await reader.get(new.submission.id) == shown, path


async def test_a_write_on_what_is_no_longer_so_changes_nothing(submissions: AnySubmissions) -> None:
    stored = await stored_after(submissions, ["claim"])
    first, second = (changed_by(stored, move) for move in ("finalize", "cancel"))
    assert await submissions.write([first]) == {stored.submission.id}
    assert await submissions.write([second]) == set()
    now = (await submissions.load([stored.submission.id]))[stored.submission.id]
    assert now.submission.status is Status.FINISHED


async def test_of_a_batch_each_row_is_fenced_on_its_own(submissions: AnySubmissions) -> None:
    fresh, moved = [await stored_after(submissions, ["claim"]) for _ in range(2)]
    assert await submissions.write([changed_by(moved, "heartbeat")]) == {moved.submission.id}
    written = await submissions.write([changed_by(fresh, "finalize"), changed_by(moved, "finalize")])
    assert written == {fresh.submission.id}


async def test_a_delivery_meanwhile_does_not_hinder_a_claim(submissions: AnySubmissions) -> None:
    stored = await stored_after(submissions, [])
    await submissions.deliver(stored.submission.id)
    assert await submissions.write([changed_by(stored, "claim")]) == {stored.submission.id}


async def test_a_delivery_meanwhile_is_not_taken_back_by_a_redispatch(submissions: AnySubmissions) -> None:
    stored = await stored_after(submissions, [])
    await submissions.deliver(stored.submission.id)
    assert await submissions.write([changed_by(stored, "redispatch")]) == set()
    now = (await submissions.load([stored.submission.id]))[stored.submission.id]
    assert now.submission.status is Status.DISPATCHED


async def test_a_delivery_changes_only_what_is_pending(submissions: AnySubmissions) -> None:
    for path in PATHS:
        stored = await stored_after(submissions, path)
        if stored.submission.status is not Status.PENDING:
            await submissions.deliver(stored.submission.id)
            assert (await submissions.load([stored.submission.id]))[stored.submission.id] == stored


async def test_inv_8_submission_source_and_messages_are_stored_together_or_not_at_all(
    postgres_submissions: PostgresSubmissions, database: Database
) -> None:
    new = a_new()
    await postgres_submissions.add(new)
    assert await counted(database) == (1, 1, 2)
    # The same statement with a row that breaks a constraint keeps nothing of the other one either.
    broken = a_new()
    wrong = replace(broken.submission.order.revision)
    object.__setattr__(wrong, "number", 0)
    object.__setattr__(broken.submission.order, "revision", wrong)
    with pytest.raises(Exception, match="question_revision"):
        await postgres_submissions.add(broken)
    assert await counted(database) == (1, 1, 2)


PATHS = [
    [], ["claim"], ["claim", "heartbeat"], ["claim", "finalize"], ["claim", "finalize_ce"], ["claim", "fail"],
    ["claim", "fail", "claim"], ["claim", "fail_for_good"], ["claim", "reclaim"], ["cancel"],
    ["claim", "cancel"], ["redispatch"], ["claim", "reclaim", "fail", "claim", "fail"],
]  # fmt: skip


def moved(submission: Submission, move: str) -> tuple[SubmissionOutcome, datetime]:
    attempt, late = submission.attempt_id, NOW + timedelta(hours=submission.attempt_id)
    owner = submission.attempts[-1].worker if submission.attempts else WORKER
    now = NOW if not submission.attempts else submission.attempts[-1].started_at
    fail = partial(report_failure, submission, attempt, owner, error="é", retry=RETRY, now=now)
    next_day = NOW + timedelta(days=1)
    moves: dict[str, tuple[Callable[[], SubmissionOutcome], datetime]] = {
        "claim": (lambda: claim(submission, WORKER, TERMS, RETRY, late), late),
        "reclaim": (lambda: reclaim(submission, OTHER_WORKER, TERMS, RETRY, late), late),
        "heartbeat": (lambda: heartbeat(submission, attempt, owner, TERMS, now), now),
        "finalize": (lambda: finalize(submission, attempt, owner, a_result(), now), now),
        "finalize_ce": (
            lambda: finalize(submission, attempt, owner, a_result(Verdict.COMPILE_ERROR), now),
            now,
        ),
        "fail": (lambda: fail(Failure.SANDBOX_CRASH), now),
        "fail_for_good": (lambda: fail(Failure.MALFORMED_JOB), now),
        "cancel": (lambda: cancel(submission, ROOT, now), now),
        "redispatch": (
            lambda: redispatch(submission, TERMS, RETRY, timedelta(minutes=5), next_day),
            next_day,
        ),
    }
    decide, at = moves[move]
    return decide(), at


def changed_by(stored: Stored, move: str) -> Write:
    outcome, at = moved(stored.submission, move)
    assert isinstance(outcome, Changed), outcome
    return Write(stored, outcome.after, outcome.events, at)


async def stored_after(submissions: AnySubmissions, path: Sequence[str]) -> Stored:
    new = a_new()
    assert await submissions.add(new) is None
    return await moved_along(submissions, new.submission.id, path)


async def moved_along(submissions: AnySubmissions, key: SubmissionId, path: Sequence[str]) -> Stored:
    stored = (await submissions.load([key]))[key]
    for move in path:
        write = changed_by(stored, move)
        assert await submissions.write([write]) == {key}
        stored = Stored(write.after, stored.version + 1, stored.traceparent)
    return stored


def view_of(submission: Submission, source_bytes: int) -> SubmissionView:
    order = submission.order
    view = SubmissionView(
        id=submission.id,
        origin_id=submission.origin_id,
        rejudge_of=submission.rejudge_of,
        standing=submission.standing,
        account_id=order.account_id,
        game_id=order.game_id,
        revision=order.revision,
        language=order.language,
        route=submission.route,
        status=submission.status,
        attempt_id=submission.attempt_id,
        result=None,
        submitted_at=order.submitted_at,
        finished_at=None,
        source_bytes=source_bytes,
        reason="",
        last_error="",
        lease_owner="",
        lease_until=None,
        message_due=submission.message_due,
    )
    match submission.state:
        case Running(lease):
            return replace(view, lease_owner=lease.owner, lease_until=lease.until)
        case Finished(_, result, at):
            return replace(view, result=result, finished_at=at)
        case Dead(cause, error, at):
            return replace(view, reason=cause, last_error=error, finished_at=at)
        case Cancelled(_, at):
            return replace(view, reason="cancelled_by_staff", finished_at=at)
        case Pending() | Dispatched():
            return view


async def test_of_two_processes_only_one_writes_on_the_state_that_both_have_read(
    database: Database, messages: Messages
) -> None:
    here, there = (PostgresSubmissions(database, messages, lambda _: None) for _ in range(2))
    new = a_new()
    key = new.submission.id
    await here.add(new)
    read = (await here.load([key]))[key]
    taken = await move(there, key, lambda s: claim(s, OTHER_WORKER, TERMS, RETRY, NOW))
    assert isinstance(taken, Changed)
    late = claim(read.submission, WORKER, TERMS, RETRY, NOW)
    assert isinstance(late, Changed)
    assert await here.write([Write(read, late.after, late.events, NOW)]) == set()
    again = await move(here, key, lambda s: claim(s, WORKER, TERMS, RETRY, NOW))
    assert isinstance(again, Refused)
    assert again.reason == "lease_still_valid"


async def move(
    submissions: PostgresSubmissions, key: SubmissionId, by: Callable[[Submission], SubmissionOutcome]
) -> SubmissionOutcome:
    return (await Transition(submissions, MemoryJournal())(Step.CLAIM, {key: by}, NOW))[key]


def a_new(
    key: str | None = None,
    *,
    game: bool = False,
    account: UUID | None = None,
    submission_id: UUID | None = None,
) -> NewSubmission:
    identity = SubmissionId(submission_id or uuid4())
    source = SourceCode.parse("int main() {}")
    order = replace(an_order(), code=source.hash, game_id=GAME if game else None)
    if account is not None:
        order = replace(order, account_id=BOB)
    changed = submit(identity, order, ROUTE, NOW)
    return NewSubmission(
        submission=changed.after,
        source=source,
        key=IdempotencyKey(key or str(identity)),
        fingerprint=fingerprint(order),
        events=changed.events,
    )


async def counted(database: Database) -> tuple[int, ...]:
    async with database.connection() as connection:
        cursor = await connection.execute(
            "SELECT (SELECT count(*) FROM record.submissions), (SELECT count(*) FROM record.sources),"
            " (SELECT count(*) FROM record.outbox)"
        )
        return (await cursor.fetchall())[0]
