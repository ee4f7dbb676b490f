from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.account.account import Account, AccountOutcome, AccountRefusal, AccountStatus
from deepoj_domain.account.events import AccountChange, AccountChanged
from deepoj_domain.account.personal import PasswordHash, Personal, email_address, username
from deepoj_domain.kernel.errors import BrokenInvariantError, InvalidValueError
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.testing import ALICE, BOB, NOW, ROOT

LATER = NOW + timedelta(days=1)
SELF = Actor(ALICE, Role.CONTESTANT)
SOMEBODY = Actor(BOB, Role.JUDGE)
PERSON = Personal(
    username=username("alice"), email=email_address("alice@example.org"), password=PasswordHash("$argon2id$1")
)
ACTIVE = Account.register(ALICE, PERSON, Role.CONTESTANT, NOW).after
SUSPENDED = replace(ACTIVE, status=AccountStatus.SUSPENDED)
DELETED = replace(ACTIVE, status=AccountStatus.DELETED, personal=None)
NEW = PasswordHash("$argon2id$2")


def _told(outcome: AccountOutcome) -> AccountChange | AccountRefusal:
    if isinstance(outcome, Refused):
        return outcome.reason
    (event,) = outcome.events
    assert isinstance(event, AccountChanged)
    return event.change


def test_a_registered_account_is_active_and_told_without_personal_data() -> None:
    registered = Account.register(ALICE, PERSON, Role.CONTESTANT, NOW)
    assert registered.after.status is AccountStatus.ACTIVE
    assert registered.events == (
        AccountChanged(occurred_at=NOW, account_id=ALICE, change=AccountChange.REGISTERED, session_epoch=0),
    )


@pytest.mark.parametrize(
    ("account", "outcomes"),
    [
        (ACTIVE, (AccountChange.PASSWORD_CHANGED, AccountChange.SESSIONS_ENDED, None)),
        (SUSPENDED, (AccountRefusal.SUSPENDED, AccountChange.SESSIONS_ENDED, AccountRefusal.SUSPENDED)),
        (DELETED, (AccountRefusal.DELETED, AccountRefusal.DELETED, AccountRefusal.DELETED)),
    ],
    ids=["active", "suspended", "deleted"],
)
def test_what_an_account_may_do_depends_on_its_status(account: Account, outcomes: tuple[object, ...]) -> None:
    password = _told(account.change_password(NEW, LATER))
    assert (password, _told(account.end_sessions(LATER)), account.why_no_log_in()) == outcomes


def test_a_new_password_logs_out_everywhere() -> None:
    outcome = ACTIVE.change_password(NEW, LATER)
    assert isinstance(outcome, Changed)
    assert outcome.after.personal == replace(PERSON, password=NEW)
    assert outcome.after.session_epoch == ACTIVE.session_epoch + 1


@pytest.mark.parametrize(
    ("account", "by", "expected"),
    [
        (ACTIVE, ROOT, AccountChange.ROLE_SET),
        (ACTIVE, SOMEBODY, AccountRefusal.NOT_ADMIN),
        (ACTIVE, SELF, AccountRefusal.NOT_ADMIN),
        (replace(ACTIVE, id=ROOT.account_id), ROOT, AccountRefusal.OWN_ACCOUNT),
        (DELETED, ROOT, AccountRefusal.DELETED),
        (replace(ACTIVE, role=Role.SETTER), ROOT, AccountRefusal.UNCHANGED),
    ],
)
def test_only_another_admin_sets_a_role(
    account: Account, by: Actor, expected: AccountChange | AccountRefusal
) -> None:
    assert _told(account.set_role(Role.SETTER, by, LATER)) is expected


@pytest.mark.parametrize(
    ("account", "active", "by", "expected"),
    [
        (ACTIVE, False, ROOT, AccountChange.STATUS_SET),
        (SUSPENDED, True, ROOT, AccountChange.STATUS_SET),
        (ACTIVE, True, ROOT, AccountRefusal.UNCHANGED),
        (ACTIVE, False, SOMEBODY, AccountRefusal.NOT_ADMIN),
        (DELETED, True, ROOT, AccountRefusal.DELETED),
    ],
)
def test_an_admin_suspends_and_reinstates(
    account: Account, *, active: bool, by: Actor, expected: AccountChange | AccountRefusal
) -> None:
    assert _told(account.set_active(active=active, by=by, now=LATER)) is expected


@pytest.mark.parametrize(
    ("by", "expected"),
    [(SELF, AccountChange.DELETED), (ROOT, AccountChange.DELETED), (SOMEBODY, AccountRefusal.NOT_ADMIN)],
)
def test_an_account_is_deleted_by_its_owner_or_an_admin(
    by: Actor, expected: AccountChange | AccountRefusal
) -> None:
    assert _told(ACTIVE.delete(by, LATER)) is expected
    assert _told(DELETED.delete(by, LATER)) is AccountRefusal.DELETED


def test_deleting_forgets_the_person_and_ends_the_sessions() -> None:
    outcome = replace(ACTIVE, role=Role.ADMIN).delete(SELF, LATER)
    assert isinstance(outcome, Changed)
    gone = outcome.after
    assert (gone.personal, gone.role, gone.session_epoch) == (None, Role.CONTESTANT, 1)


def test_status_and_personal_data_cannot_disagree() -> None:
    with pytest.raises(BrokenInvariantError):
        replace(ACTIVE, personal=None)
    with pytest.raises(BrokenInvariantError):
        replace(ACTIVE, status=AccountStatus.DELETED)


def test_mail_address_and_password_hash_are_not_printed() -> None:
    assert "example.org" not in repr(ACTIVE)
    assert "argon2" not in repr(ACTIVE)


@pytest.mark.parametrize("text", ["al", "a" * 33, "-alice", "alice_", "al ice", "älice", "a\nb", "alice\n"])
def test_a_malformed_username_is_refused(text: str) -> None:
    with pytest.raises(InvalidValueError):
        username(text)


def test_a_mail_address_is_normalised() -> None:
    assert email_address(" Alice@Example.ORG ") == "alice@example.org"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "alice",
        "alice@localhost",
        "a b@example.org",
        "@example.org",
        "a@b@c.de",
        "a,b@c.de",
        "<a>@c.de",
        "a\n@c.de",
    ],
)
def test_a_malformed_mail_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidValueError):
        email_address(text)
