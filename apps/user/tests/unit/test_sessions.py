from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from apps.user.tests.fakes import MemoryStore, MemoryThrottle, PlainPasswords
from deepoj_domain.account.account import AccountRefusal, AccountStatus
from deepoj_domain.account.audit import NOWHERE, AuditEvent, Origin, origin
from deepoj_domain.account.session import SessionRefusal
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.testing import ALICE
from deepoj_kit.testing.conditions import ManualClock
from deepoj_user.commands.log_in import LogInOutcome, LogInRefusal, LogInRequest
from deepoj_user.commands.ports import Throttled
from deepoj_user.commands.session_tokens import Tokens
from deepoj_user.container import Container
from deepoj_user.inbound.grpc.session_calls import SessionUseCases

RIGHT = "password of alice"
HERE = origin("192.0.2.1", "curl")
THERE = origin("198.51.100.1", "")


@pytest.fixture
def sessions(container: Container) -> SessionUseCases:
    return container.session_use_cases()


async def log_in(
    sessions: SessionUseCases, login: str = "alice", password: str = RIGHT, where: Origin = NOWHERE
) -> LogInOutcome:
    return await sessions.log_in(LogInRequest(login=login, password=password, origin=where))


async def opened(sessions: SessionUseCases) -> Tokens:
    tokens = await log_in(sessions)
    assert isinstance(tokens, Tokens)
    return tokens


@pytest.mark.parametrize("login", ["alice", " ALICE ", "alice@example.org", "Alice@Example.org"])
async def test_a_name_or_an_address_with_the_right_password_opens_a_session(
    sessions: SessionUseCases, store: MemoryStore, login: str
) -> None:
    tokens = await log_in(sessions, login)
    assert isinstance(tokens, Tokens)
    assert tokens.access.text.startswith(f"{ALICE} contestant ")
    assert store.events() == [AuditEvent.LOGGED_IN]
    assert tokens.refresh_token not in repr(tokens)


async def test_a_stranger_and_a_wrong_password_get_the_same_answer_for_the_same_work(
    sessions: SessionUseCases, passwords: PlainPasswords, store: MemoryStore
) -> None:
    stranger = await log_in(sessions, "nobody", "wrong")
    wrong = await log_in(sessions, "alice", "wrong")
    assert stranger == wrong == Refused(LogInRefusal.BAD_CREDENTIALS)
    assert len(passwords.verified) == 2
    assert store.events() == [AuditEvent.LOG_IN_FAILED] * 2


async def test_only_the_right_password_learns_that_an_account_is_suspended(
    sessions: SessionUseCases, store: MemoryStore
) -> None:
    store.rows.accounts[ALICE] = replace(store.rows.accounts[ALICE], status=AccountStatus.SUSPENDED)
    assert await log_in(sessions, password="wrong") == Refused(LogInRefusal.BAD_CREDENTIALS)
    assert await log_in(sessions) == Refused(AccountRefusal.SUSPENDED)
    assert store.rows.sessions == {}


async def test_a_log_in_renews_an_outdated_hash_and_ends_no_session(
    sessions: SessionUseCases, passwords: PlainPasswords, store: MemoryStore
) -> None:
    first = await opened(sessions)
    passwords.generation = 2
    await opened(sessions)
    person = store.rows.accounts[ALICE].personal
    assert person is not None
    assert person.password == f"2:{RIGHT}"
    assert isinstance(await sessions.refresh(first.refresh_token, NOWHERE), Tokens)


async def test_guessing_is_slowed_per_account_and_address_and_a_stranger_is_no_exception(
    sessions: SessionUseCases, clock: ManualClock, passwords: PlainPasswords
) -> None:
    for login in ("alice", "nobody"):
        for _ in range(10):
            assert await log_in(sessions, login, "wrong", HERE) == Refused(LogInRefusal.BAD_CREDENTIALS)
        hashed = len(passwords.verified)
        assert await log_in(sessions, login, "wrong", HERE) == Throttled(
            "too_many_tries", timedelta(seconds=60)
        )
        assert len(passwords.verified) == hashed
    assert isinstance(await log_in(sessions, where=THERE), Tokens)
    clock.advance(seconds=60)
    assert isinstance(await log_in(sessions, where=HERE), Tokens)


async def test_used_up_tries_of_a_name_do_not_tell_which_address_belongs_to_it(
    sessions: SessionUseCases,
) -> None:
    for _ in range(11):
        await log_in(sessions, "alice", "wrong", HERE)
    answers = [await log_in(sessions, f"{who}@example.org", "wrong", HERE) for who in ("alice", "nobody")]
    assert answers == [Refused(LogInRefusal.BAD_CREDENTIALS)] * 2


async def test_one_address_is_slowed_whomever_it_tries(sessions: SessionUseCases) -> None:
    for number in range(30):
        await log_in(sessions, f"somebody{number}", "wrong", HERE)
    assert isinstance(await log_in(sessions, where=HERE), Throttled)
    assert isinstance(await log_in(sessions, where=THERE), Tokens)


async def test_right_passwords_use_up_nothing(sessions: SessionUseCases, throttle: MemoryThrottle) -> None:
    for _ in range(40):
        assert isinstance(await log_in(sessions, where=HERE), Tokens)
    assert len(throttle.kept) == 3


@pytest.mark.parametrize(("login", "password"), [("a" * 257, "x"), ("alice", "x" * 257), ("a\0b", "x")])
async def test_absurd_credentials_are_refused_before_any_work(
    sessions: SessionUseCases, passwords: PlainPasswords, login: str, password: str
) -> None:
    with pytest.raises(InvalidValueError):
        await log_in(sessions, login, password)
    assert passwords.verified == []


async def test_a_refresh_token_is_good_once_and_its_reuse_ends_the_family(
    sessions: SessionUseCases, store: MemoryStore, clock: ManualClock
) -> None:
    first, other = await opened(sessions), await opened(sessions)
    second = await sessions.refresh(first.refresh_token, NOWHERE)
    assert isinstance(second, Tokens)
    assert second.refresh_token != first.refresh_token
    clock.advance(seconds=10)
    assert await sessions.refresh(first.refresh_token, HERE) == Refused(SessionRefusal.REUSED)
    assert store.events()[-1] is AuditEvent.REFRESH_REUSED
    assert await sessions.refresh(second.refresh_token, NOWHERE) == Refused(SessionRefusal.INVALID)
    assert isinstance(await sessions.refresh(other.refresh_token, NOWHERE), Tokens)


async def test_within_the_grace_a_used_token_gives_the_same_successor_and_nothing_forks(
    sessions: SessionUseCases, store: MemoryStore, clock: ManualClock
) -> None:
    first = await opened(sessions)
    second = await sessions.refresh(first.refresh_token, NOWHERE)
    clock.advance(seconds=9)
    again = await sessions.refresh(first.refresh_token, NOWHERE)
    assert isinstance(second, Tokens)
    assert isinstance(again, Tokens)
    assert again.refresh_token == second.refresh_token
    assert len(store.rows.sessions) == 2


async def test_the_grace_ends_as_soon_as_the_successor_is_used(
    sessions: SessionUseCases, store: MemoryStore
) -> None:
    first = await opened(sessions)
    second = await sessions.refresh(first.refresh_token, NOWHERE)
    assert isinstance(second, Tokens)
    await sessions.refresh(second.refresh_token, NOWHERE)
    assert await sessions.refresh(first.refresh_token, NOWHERE) == Refused(SessionRefusal.REUSED)
    assert store.rows.sessions == {}


async def test_a_session_lasts_as_long_as_it_is_used(sessions: SessionUseCases, clock: ManualClock) -> None:
    tokens = await opened(sessions)
    for _ in range(5):
        clock.advance(days=13)
        renewed = await sessions.refresh(tokens.refresh_token, NOWHERE)
        assert isinstance(renewed, Tokens)
        tokens = renewed
    clock.advance(days=14)
    assert await sessions.refresh(tokens.refresh_token, NOWHERE) == Refused(SessionRefusal.INVALID)


@pytest.mark.parametrize(
    "text", ["", "nonsense", "doj_refresh_", "doj_refresh_AAAA", "doj_refresh_ä", "doj_api_"]
)
async def test_what_was_never_given_out_opens_nothing(sessions: SessionUseCases, text: str) -> None:
    assert await sessions.refresh(text, NOWHERE) == Refused(SessionRefusal.INVALID)
    await sessions.log_out(text, NOWHERE)


async def test_logging_out_ends_one_session_or_all(sessions: SessionUseCases, store: MemoryStore) -> None:
    first, second, third = [await opened(sessions) for _ in range(3)]
    await sessions.log_out(first.refresh_token, NOWHERE)
    assert await sessions.refresh(first.refresh_token, NOWHERE) == Refused(SessionRefusal.INVALID)
    assert isinstance(await sessions.refresh(second.refresh_token, NOWHERE), Tokens)
    assert await sessions.log_out_everywhere(ALICE, NOWHERE) is None
    assert await sessions.refresh(third.refresh_token, NOWHERE) == Refused(SessionRefusal.INVALID)
    assert store.rows.accounts[ALICE].session_epoch == 1
    assert store.events()[-1] is AuditEvent.LOGGED_OUT_EVERYWHERE
