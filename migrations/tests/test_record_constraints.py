"""The record schema refuses what the state machine forbids, whoever writes."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import CheckViolation, UniqueViolation

RUNNING = {"status": "RUNNING", "attempt_id": 1, "lease_owner": "w1", "lease_until": "2030-01-01T00:00Z"}
FINISHED = {
    "status": "FINISHED", "attempt_id": 1, "verdict": "AC", "score_micros": 0, "result": "{}",
    "finished_at": "2030-01-01T00:00Z",
}  # fmt: skip
DEAD = {
    "status": "DEAD", "death_cause": "poison", "last_error": "", "finished_at": "2030-01-01T00:00Z",
}  # fmt: skip
CANCELLED = {"status": "CANCELLED", "cancelled_by": uuid4(), "finished_at": "2030-01-01T00:00Z"}


def test_an_idempotency_key_is_used_once_per_account(database: psycopg.Connection) -> None:
    account = uuid4()
    key = {"idempotency_key": "k", "request_hash": b"h" * 32}
    insert(database, account_id=account, **key)
    insert(database, account_id=uuid4(), **key)
    with pytest.raises(UniqueViolation, match="submissions_one_per_idempotency_key"):
        insert(database, account_id=account, **key)


def test_a_rejudge_chain_has_one_head(database: psycopg.Connection) -> None:
    origin = insert(database)
    insert(database, origin_id=origin, rejudge_of=origin, standing="candidate")
    with pytest.raises(UniqueViolation, match="submissions_one_head_per_chain"):
        insert(database, origin_id=origin, rejudge_of=origin, standing="head")


@pytest.mark.parametrize(
    "state", [RUNNING, FINISHED, DEAD, CANCELLED, {"status": "DISPATCHED"}], ids=lambda s: s["status"]
)
def test_a_state_with_all_it_needs_is_stored(database: psycopg.Connection, state: dict[str, Any]) -> None:
    stored = insert(database, **state)
    assert database.execute("SELECT id FROM record.submissions").fetchall() == [(stored,)]


@pytest.mark.parametrize(
    ("constraint", "columns"),
    [
        ("submissions_status_check", {"status": "running"}),
        ("submissions_only_running_holds_a_lease", RUNNING | {"lease_owner": None}),
        ("submissions_only_running_holds_a_lease", RUNNING | {"lease_until": None}),
        ("submissions_only_running_holds_a_lease", RUNNING | {"status": "PENDING"}),
        ("submissions_running_and_finished_have_an_attempt", RUNNING | {"attempt_id": 0}),
        ("submissions_running_and_finished_have_an_attempt", FINISHED | {"attempt_id": 0}),
        ("submissions_only_finished_has_a_result", FINISHED | {"verdict": None}),
        ("submissions_only_finished_has_a_result", FINISHED | {"result": None}),
        ("submissions_only_finished_has_a_result", {"verdict": "AC", "score_micros": 0, "result": "{}"}),
        ("submissions_verdict_check", FINISHED | {"verdict": "OK"}),
        ("submissions_terminal_has_an_end", FINISHED | {"finished_at": None}),
        ("submissions_dead_says_why", DEAD | {"death_cause": None}),
        ("submissions_dead_says_why", {"death_cause": "poison", "last_error": ""}),
        ("submissions_cancelled_says_by_whom", CANCELLED | {"cancelled_by": None}),
        ("submissions_cancelled_says_by_whom", {"cancelled_by": uuid4()}),
        ("submissions_a_chain_begins_with_its_origin", {"rejudge_of": "self"}),
        ("submissions_a_key_comes_with_its_body", {"idempotency_key": "k"}),
    ],
)
def test_a_state_that_cannot_be_is_refused_by_name(
    database: psycopg.Connection, constraint: str, columns: dict[str, Any]
) -> None:
    with pytest.raises(CheckViolation, match=constraint):
        insert(database, **columns)


def insert(database: psycopg.Connection, **columns: object) -> UUID:
    submission = uuid4()
    row: dict[str, object] = {
        "id": submission, "account_id": uuid4(), "question_id": uuid4(), "question_revision": 1,
        "language": "cpp17", "lane": "heavy", "band": "normal", "status": "PENDING", "origin_id": submission,
        "standing": "head", "message_due": "2030-01-01T00:00Z", "code_sha256": b"h" * 32, "source_bytes": 1,
        "submitted_at": "2030-01-01T00:00Z", "updated_at": "2030-01-01T00:00Z",
    }  # fmt: skip
    row |= {name: submission if value == "self" else value for name, value in columns.items()}
    statement = sql.SQL("INSERT INTO record.submissions ({}) VALUES ({})").format(
        sql.SQL(", ").join(map(sql.Identifier, row)), sql.SQL(", ").join(map(sql.Placeholder, row))
    )
    database.execute(statement, row)
    return submission
