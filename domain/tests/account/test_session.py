from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from deepoj_domain.account.account import Account, AccountStatus
from deepoj_domain.account.personal import PasswordHash, Personal, email_address, username
from deepoj_domain.account.session import (
    TOKEN_BYTES,
    RefreshToken,
    Repeated,
    Rotated,
    SessionRefusal,
    SessionTerms,
    digest_of,
    issue,
    seal,
)
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.ids import FamilyId
from deepoj_domain.kernel.role import Role
from deepoj_domain.testing import ALICE, NOW

TERMS = SessionTerms()
PERSON = Personal(
    username=username("alice"), email=email_address("alice@example.org"), password=PasswordHash("x")
)
ACCOUNT = Account.register(ALICE, PERSON, Role.CONTESTANT, NOW).after
TOKEN, SUCCESSOR = b"t" * TOKEN_BYTES, b"s" * TOKEN_BYTES
FRESH = issue(TOKEN, FamilyId(UUID(int=1)), ACCOUNT, TERMS, NOW)
SECOND = timedelta(seconds=1)


def _used() -> RefreshToken:
    outcome = FRESH.use(TOKEN, SUCCESSOR, ACCOUNT, TERMS, NOW)
    assert isinstance(outcome, Rotated)
    return outcome.used


def test_a_fresh_token_is_used_up_for_a_successor_of_its_family() -> None:
    outcome = FRESH.use(TOKEN, SUCCESSOR, ACCOUNT, TERMS, NOW + SECOND)
    assert isinstance(outcome, Rotated)
    assert outcome.used.used_at == NOW + SECOND
    assert outcome.next.family == FRESH.family
    assert outcome.next.digest == digest_of(SUCCESSOR)
    assert outcome.next.expires_at == NOW + SECOND + TERMS.refresh_validity


def test_within_the_grace_the_same_successor_comes_back() -> None:
    used = _used()
    almost = NOW + TERMS.grace - SECOND
    assert used.use(TOKEN, b"x" * TOKEN_BYTES, ACCOUNT, TERMS, almost) == Repeated(SUCCESSOR)
    assert used.use(TOKEN, SUCCESSOR, ACCOUNT, TERMS, NOW + TERMS.grace) is SessionRefusal.REUSED


def test_what_is_stored_does_not_give_the_successor_away() -> None:
    sealed = _used().sealed_successor
    assert sealed is not None
    assert sealed != SUCCESSOR
    assert seal(sealed, b"another token, of the same length"[:TOKEN_BYTES]) != SUCCESSOR
    assert seal(sealed, TOKEN) == SUCCESSOR


@pytest.mark.parametrize(
    ("account", "after"),
    [
        (ACCOUNT, TERMS.refresh_validity),
        (replace(ACCOUNT, session_epoch=1), SECOND),
        (replace(ACCOUNT, status=AccountStatus.SUSPENDED), SECOND),
        (replace(ACCOUNT, status=AccountStatus.DELETED, personal=None), SECOND),
    ],
    ids=["expired", "logged out everywhere", "suspended", "deleted"],
)
def test_a_token_of_a_session_that_is_over_is_void(account: Account, after: timedelta) -> None:
    assert FRESH.use(TOKEN, SUCCESSOR, account, TERMS, NOW + after) is SessionRefusal.INVALID


def test_a_use_and_its_successor_cannot_disagree() -> None:
    with pytest.raises(BrokenInvariantError):
        replace(FRESH, used_at=NOW)
    assert "t" * 8 not in repr(FRESH)
