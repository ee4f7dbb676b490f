"""One suite for the ledger in memory and the one in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol
from uuid import UUID, uuid4

import pytest

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.cancel import cancel
from deepoj_domain.submission.claim import claim, reclaim
from deepoj_domain.submission.fail import report_failure
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.heartbeat import heartbeat
from deepoj_domain.submission.idempotency import IdempotencyKey, fingerprint
from deepoj_domain.submission.queueing import redispatch
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.source import SourceCode
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_domain.submission.submit import submit
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
from deepoj_record.commands.moving import Mover
from deepoj_record.commands.ports import IdTaken, KeyTaken, NewSubmission, Payload, Step, Stored, Write
from deepoj_record.commands.testing import MemoryJournal, MemoryLedger
from deepoj_record.outbound.postgres.dispatching import DISPATCH
from deepoj_record.outbound.postgres.ledger import PostgresLedger
from deepoj_record.outbound.postgres.memory import Memory
from deepoj_record.outbound.postgres.messages import Messages
from deepoj_record.outbound.postgres.submissions import PostgresSubmissions
from deepoj_record.queries.views import Written, view_of


class AnyLedger(Protocol):
    async def load(self, ids: Sequence[SubmissionId]) -> dict[SubmissionId, Stored]: ...
    async def write(self, writes: Sequence[Write]) -> set[SubmissionId]: ...
    async def add(self, new: NewSubmission) -> KeyTaken | IdTaken | None: ...
    async def of(self, ids: Sequence[SubmissionId]) -> object: ...
    async def deliver(self, key: SubmissionId) -> None: ...


class DeliveringLedger(PostgresLedger):
    async def deliver(self, key: SubmissionId) -> None:
        async with self._database.connection() as connection:
            await connection.execute(DISPATCH, ([key],))


@pytest.fixture(params=["memory", "postgres"])
def ledger(request: pytest.FixtureRequest) -> AnyLedger:
    if request.param == "memory":
        return MemoryLedger()
    database, messages = (request.getfixturevalue(name) for name in ("database", "messages"))
    return DeliveringLedger(database, messages, lambda *_: None, Memory())


async def test_what_was_added_is_loaded_as_it_was(ledger: AnyLedger) -> None:
    new = a_new(game=True)
    assert await ledger.add(new) is None
    found = await ledger.load([new.submission.id, SubmissionId(uuid4())])
    assert {key: stored.submission for key, stored in found.items()} == {new.submission.id: new.submission}
    assert await ledger.of([new.submission.id]) == {new.submission.id: Payload("int main() {}", "")}


async def test_the_same_key_finds_the_first_submission(ledger: AnyLedger) -> None:
    new = a_new(key="k")
    await ledger.add(new)
    again = await ledger.add(a_new(key="k"))
    assert again == KeyTaken(new.submission.id, new.fingerprint)
    assert await ledger.add(a_new(key="k", account=BOB)) is None


async def test_an_id_is_used_once(ledger: AnyLedger) -> None:
    new = a_new(key="first")
    await ledger.add(new)
    assert isinstance(await ledger.add(a_new(key="second", submission_id=new.submission.id)), IdTaken)


async def test_every_state_comes_back_as_it_was_written(ledger: AnyLedger) -> None:
    for path in PATHS:
        stored = await stored_after(ledger, path)
        assert (await ledger.load([stored.submission.id]))[stored.submission.id] == stored


async def test_what_was_written_shows_as_the_row_does(database: Database, messages: Messages) -> None:
    memory = Memory()
    ledger = DeliveringLedger(database, messages, lambda *_: None, memory)
    submissions = PostgresSubmissions(database, memory)
    for path in PATHS:
        new = a_new()
        await ledger.add(new)
        before = await submissions.get(new.submission.id)
        assert before is not None
        stored = await moved_along(ledger, new.submission.id, path)
        shown = view_of(Written(stored.submission, stored.version), before.source_bytes)
        assert shown == await submissions.get(new.submission.id), path
        assert submissions.remembered(new.submission.id) == (None if shown.is_over else shown)


async def test_a_write_on_what_is_no_longer_so_changes_nothing(ledger: AnyLedger) -> None:
    stored = await stored_after(ledger, ["claim"])
    first, second = (changed_by(stored, move) for move in ("finalize", "cancel"))
    assert await ledger.write([first]) == {stored.submission.id}
    assert await ledger.write([second]) == set()
    now = (await ledger.load([stored.submission.id]))[stored.submission.id]
    assert now.submission.status is Status.FINISHED


async def test_of_a_batch_each_row_is_fenced_on_its_own(ledger: AnyLedger) -> None:
    fresh, moved = [await stored_after(ledger, ["claim"]) for _ in range(2)]
    assert await ledger.write([changed_by(moved, "heartbeat")]) == {moved.submission.id}
    written = await ledger.write([changed_by(fresh, "finalize"), changed_by(moved, "finalize")])
    assert written == {fresh.submission.id}


async def test_a_delivery_meanwhile_does_not_hinder_a_claim(ledger: AnyLedger) -> None:
    stored = await stored_after(ledger, [])
    await ledger.deliver(stored.submission.id)
    assert await ledger.write([changed_by(stored, "claim")]) == {stored.submission.id}


async def test_a_delivery_meanwhile_is_not_taken_back_by_a_redispatch(ledger: AnyLedger) -> None:
    stored = await stored_after(ledger, [])
    await ledger.deliver(stored.submission.id)
    assert await ledger.write([changed_by(stored, "redispatch")]) == set()
    now = (await ledger.load([stored.submission.id]))[stored.submission.id]
    assert now.submission.status is Status.DISPATCHED


async def test_a_delivery_changes_only_what_is_pending(ledger: AnyLedger) -> None:
    for path in PATHS:
        stored = await stored_after(ledger, path)
        if stored.submission.status is not Status.PENDING:
            await ledger.deliver(stored.submission.id)
            assert (await ledger.load([stored.submission.id]))[stored.submission.id] == stored


async def test_inv_8_submission_source_and_messages_are_stored_together_or_not_at_all(
    postgres_ledger: PostgresLedger, database: Database
) -> None:
    new = a_new()
    await postgres_ledger.add(new)
    assert await counted(database) == (1, 1, 2)
    # The same statement with a row that breaks a constraint keeps nothing of the other one either.
    broken = a_new()
    wrong = replace(broken.submission.order.revision)
    object.__setattr__(wrong, "number", 0)
    object.__setattr__(broken.submission.order, "revision", wrong)
    with pytest.raises(Exception, match="question_revision"):
        await postgres_ledger.add(broken)
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


async def stored_after(ledger: AnyLedger, path: Sequence[str]) -> Stored:
    new = a_new()
    assert await ledger.add(new) is None
    return await moved_along(ledger, new.submission.id, path)


async def moved_along(ledger: AnyLedger, key: SubmissionId, path: Sequence[str]) -> Stored:
    stored = (await ledger.load([key]))[key]
    for move in path:
        write = changed_by(stored, move)
        assert await ledger.write([write]) == {key}
        stored = Stored(write.after, stored.version + 1, stored.traceparent)
    return stored


async def test_of_two_processes_the_one_that_remembers_an_older_state_is_fenced(
    database: Database, messages: Messages
) -> None:
    here, there = (PostgresLedger(database, messages, lambda *_: None, Memory()) for _ in range(2))
    new = a_new()
    key = new.submission.id
    await here.add(new)
    remembered = here.recall([key])[key]
    assert remembered == (await here.load([key]))[key]
    taken = await move(there, key, lambda s: claim(s, OTHER_WORKER, TERMS, RETRY, NOW))
    assert isinstance(taken, Changed)
    late = await move(here, key, lambda s: claim(s, WORKER, TERMS, RETRY, NOW))
    assert isinstance(late, Refused)
    assert late.reason == "lease_still_valid"
    assert there.recall([key])[key] == (await here.load([key]))[key]


async def move(
    ledger: PostgresLedger, key: SubmissionId, by: Callable[[Submission], SubmissionOutcome]
) -> SubmissionOutcome:
    return (await Mover(ledger, MemoryJournal())(Step.CLAIM, {key: by}, NOW))[key]


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
