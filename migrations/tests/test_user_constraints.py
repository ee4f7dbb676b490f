"""The user schema refuses what accounts forbid, whoever writes."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import CheckViolation, ForeignKeyViolation, UniqueViolation

MOMENT = "2030-01-01T00:00Z"
DELETED = {"status": "deleted", "email": None, "password_hash": None}


def test_names_are_unique_whatever_their_case_and_addresses_too(database: psycopg.Connection) -> None:
    account(database, name="Alice", email="a@example.org")
    with pytest.raises(UniqueViolation, match="accounts_one_per_name"):
        account(database, name="aLICE")
    with pytest.raises(UniqueViolation, match="accounts_one_per_email"):
        account(database, email="a@example.org")
    account(database, **DELETED)
    account(database, **DELETED)


def test_an_account_that_cannot_be_is_refused_by_name(database: psycopg.Connection) -> None:
    forbidden: tuple[tuple[str, dict[str, Any]], ...] = (
        ("accounts_role_check", {"role": "guest"}),
        ("accounts_status_check", {"status": "disabled"}),
        ("accounts_deleted_keeps_nothing_personal", {"status": "deleted"}),
        ("accounts_deleted_keeps_nothing_personal", DELETED | {"bio": "me"}),
        ("accounts_deleted_keeps_nothing_personal", DELETED | {"email": "a@example.org"}),
        ("accounts_deleted_keeps_nothing_personal", {"password_hash": None}),
    )
    for constraint, columns in forbidden:
        with pytest.raises(CheckViolation, match=constraint):
            account(database, **columns)
    account(database, email=None)
    account(database, email=None)


def test_a_used_token_has_a_successor_and_a_token_has_an_account(database: psycopg.Connection) -> None:
    token = {
        "token_hash": b"h" * 32, "family_id": uuid4(), "session_epoch": 0, "issued_at": MOMENT,
        "expires_at": MOMENT, "started_at": MOMENT,
    }  # fmt: skip
    with pytest.raises(CheckViolation, match="refresh_tokens_used_has_a_successor"):
        insert(database, "refresh_tokens", token | {"account_id": account(database), "used_at": MOMENT})
    with pytest.raises(ForeignKeyViolation):
        insert(database, "refresh_tokens", token | {"account_id": uuid4()})


def account(database: psycopg.Connection, **columns: object) -> UUID:
    key = uuid4()
    row: dict[str, object] = {
        "id": key, "name": key.hex, "email": f"{key.hex}@example.org", "password_hash": "x",
        "role": "contestant", "status": "active", "created_at": MOMENT,
    }  # fmt: skip
    insert(database, "accounts", row | columns)
    return key


def insert(database: psycopg.Connection, table: str, row: dict[str, Any]) -> None:
    statement = sql.SQL('INSERT INTO "user".{} ({}) VALUES ({})').format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, row)),
        sql.SQL(", ").join(map(sql.Placeholder, row)),
    )
    database.execute(statement, row)
