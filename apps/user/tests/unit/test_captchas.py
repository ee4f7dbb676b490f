from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from dependency_injector import providers

from apps.user.tests.fakes import MemoryMailer, MemoryStore, MemoryThrottle, PlainPasswords
from deepoj_domain.account.account import Account
from deepoj_domain.account.audit import NOWHERE, AuditEvent, origin
from deepoj_domain.account.captcha import CaptchaPurpose, CaptchaRefusal
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Role
from deepoj_domain.testing import ALICE
from deepoj_kit.testing.conditions import ManualClock
from deepoj_user.commands.captcha_check import CodeRefusal
from deepoj_user.commands.change_password import ChangePasswordRequest
from deepoj_user.commands.ports import Delivery, Mail, MailUnavailableError, Taken, Throttled
from deepoj_user.commands.register import RegisterOutcome, RegisterRequest
from deepoj_user.container import Container
from deepoj_user.inbound.grpc.session_calls import SessionUseCases
from deepoj_user.outbound.mail.mailer import TransportMailer

CODE = "100001"
NEW = "carol@example.org"
KNOWN = "alice@example.org"
HERE = origin("2001:db8::1", "")
Posted = Callable[[], Awaitable[list[Mail]]]
REFUSED = Refused(CodeRefusal.REFUSED)
REGISTER, CHANGE = CaptchaPurpose.REGISTER, CaptchaPurpose.CHANGE_PASSWORD


@pytest.fixture
def sessions(container: Container) -> SessionUseCases:
    return container.session_use_cases()


@pytest.fixture
def posted(container: Container, mailer: MemoryMailer) -> Posted:
    """Give a function that mails whatever is due and returns all that was mailed."""

    async def posted() -> list[Mail]:
        while await container.mail_captcha()():
            pass
        return mailer.mails

    return posted


async def register(
    sessions: SessionUseCases, *, name: str = "carol", email: str = NEW, code: str = CODE
) -> RegisterOutcome:
    return await sessions.register(
        RegisterRequest(
            account_id=AccountId(uuid4()),
            name=name,
            email=email,
            password="a fine password",
            captcha=code,
            origin=NOWHERE,
        )
    )


async def test_a_mailed_code_makes_an_account_once(
    sessions: SessionUseCases, posted: Posted, store: MemoryStore
) -> None:
    await sessions.send_captcha(REGISTER, f" {NEW.upper()}", NOWHERE)
    (mail,) = await posted()
    assert (mail.to, CODE in mail.text) == (NEW, True)
    assert CODE not in repr(mail)
    account = await register(sessions)
    assert isinstance(account, Account)
    assert (account.role, store.rows.accounts[account.id]) == (Role.CONTESTANT, account)
    assert await register(sessions, name="carol2") == REFUSED
    assert why(store) == [CaptchaRefusal.ALREADY_USED]
    assert store.events() == [AuditEvent.CAPTCHA_SENT, AuditEvent.REGISTERED, AuditEvent.CAPTCHA_FAILED]


@pytest.mark.parametrize("purpose", CaptchaPurpose)
async def test_whether_an_address_is_known_only_its_reader_learns(
    sessions: SessionUseCases, posted: Posted, clock: ManualClock, purpose: CaptchaPurpose
) -> None:
    known = await sessions.send_captcha(purpose, KNOWN, HERE)
    unknown = await sessions.send_captcha(purpose, NEW, HERE)
    assert known == unknown == clock.now + timedelta(seconds=60)
    first, second = await posted()
    has_code = ["100001" in first.text, "100002" in second.text]
    assert has_code == [purpose is CHANGE, purpose is REGISTER]
    again = [await sessions.send_captcha(purpose, email, HERE) for email in (KNOWN, NEW)]
    assert again == [Throttled(CaptchaRefusal.SENT_TOO_RECENTLY, timedelta(seconds=60))] * 2
    outcomes = [await change(sessions, email, "999999") for email in (KNOWN, NEW)]
    assert outcomes[0] == outcomes[1]
    outcomes2 = [await register(sessions, email=email, code="999999") for email in (KNOWN, NEW)]
    assert outcomes2[0] == outcomes2[1]


async def test_what_became_of_a_code_is_told_to_nobody_but_the_audit_log(
    sessions: SessionUseCases, store: MemoryStore, clock: ManualClock
) -> None:
    await sessions.send_captcha(REGISTER, NEW, NOWHERE)
    await register(sessions)
    await sessions.send_captcha(CHANGE, NEW, NOWHERE)
    await change(sessions, NEW, "100002")
    await sessions.send_captcha(CHANGE, KNOWN, NOWHERE)
    answers: list[object] = [await register(sessions, name="dave", email=email) for email in (NEW, KNOWN)]
    answers += [await change(sessions, email, "999999") for email in (NEW, KNOWN, "nobody@example.org")]
    clock.advance(hours=1)
    answers += [await change(sessions, KNOWN, "100003")]
    assert answers == [REFUSED] * 6
    assert why(store) == [
        CaptchaRefusal.ALREADY_USED, CaptchaRefusal.NOT_FOUND, CaptchaRefusal.ALREADY_USED,
        CaptchaRefusal.WRONG_CODE, CaptchaRefusal.NOT_FOUND, CaptchaRefusal.EXPIRED,
    ]  # fmt: skip


async def test_a_code_is_for_one_purpose_and_one_address(sessions: SessionUseCases) -> None:
    await sessions.send_captcha(CHANGE, KNOWN, NOWHERE)
    assert await register(sessions, email=KNOWN) == REFUSED
    assert await register(sessions) == REFUSED


async def test_wrong_codes_use_it_up_without_a_hash(sessions: SessionUseCases, store: MemoryStore) -> None:
    await sessions.send_captcha(REGISTER, NEW, NOWHERE)
    for _ in range(5):
        assert await register(sessions, code="000000") == REFUSED
    assert await register(sessions) == REFUSED
    assert why(store) == [CaptchaRefusal.WRONG_CODE] * 5 + [CaptchaRefusal.TOO_MANY_TRIES]
    assert len(store.rows.accounts) == 3


async def test_a_code_expires(sessions: SessionUseCases, clock: ManualClock) -> None:
    await sessions.send_captcha(REGISTER, NEW, NOWHERE)
    clock.advance(minutes=10)
    assert await register(sessions) == REFUSED


async def test_a_taken_name_costs_neither_the_code_nor_a_try(
    sessions: SessionUseCases, store: MemoryStore
) -> None:
    await sessions.send_captcha(REGISTER, NEW, NOWHERE)
    assert await register(sessions, name="ALICE") == Refused(Taken.NAME)
    assert [(captcha.tries_left, captcha.used) for captcha in store.rows.captchas.values()] == [(5, False)]
    assert isinstance(await register(sessions), Account)


async def test_a_letter_is_tried_again_until_it_is_out_or_expires(
    sessions: SessionUseCases, posted: Posted, mailer: MemoryMailer, clock: ManualClock
) -> None:
    began, tried = clock.now, list[float]()
    mailer.outcome = Delivery.FAILED
    await sessions.send_captcha(REGISTER, NEW, NOWHERE)
    for _ in range(11 * 60):
        if len(await posted()) > len(tried):
            tried.append((clock.now - began).total_seconds())
        clock.advance(seconds=1)
    assert tried == [0, 2, 4, 8, 16, 32, 64, *range(124, 600, 60)]


@pytest.mark.parametrize("outcome", [Delivery.DELIVERED, Delivery.REFUSED])
async def test_a_letter_that_is_out_or_that_nobody_takes_is_not_sent_again(
    sessions: SessionUseCases, posted: Posted, mailer: MemoryMailer, clock: ManualClock, outcome: Delivery
) -> None:
    mailer.outcome = outcome
    await sessions.send_captcha(REGISTER, NEW, NOWHERE)
    assert len(await posted()) == 1
    await register(sessions, code="000000")
    clock.advance(minutes=5)
    assert len(await posted()) == 1


async def test_a_code_that_could_not_be_sent_does_not_lock_its_address_out(
    container: Container, store: MemoryStore, throttle: MemoryThrottle
) -> None:
    container.mailer.override(providers.Object(TransportMailer(None)))
    with pytest.raises(MailUnavailableError):
        await container.session_use_cases().send_captcha(REGISTER, NEW, NOWHERE)
    assert (store.rows.captchas, throttle.kept) == ({}, {})


async def test_a_mailbox_and_an_address_are_sent_only_so_many(
    sessions: SessionUseCases, clock: ManualClock, posted: Posted
) -> None:
    for _ in range(5):
        await sessions.send_captcha(REGISTER, NEW, NOWHERE)
        await posted()
        clock.advance(seconds=60)
    refused = await sessions.send_captcha(CHANGE, NEW, NOWHERE)
    assert refused == Throttled("too_many_tries", timedelta(minutes=5))
    assert len(await posted()) == 5
    neighbour = origin("2001:db8::ffff", "")
    for number in range(10):
        await sessions.send_captcha(REGISTER, f"x{number}@example.org", HERE)
    assert isinstance(await sessions.send_captcha(REGISTER, "y@example.org", neighbour), Throttled)


async def test_a_changed_password_replaces_the_old_and_ends_everything(
    sessions: SessionUseCases, store: MemoryStore
) -> None:
    await sessions.send_captcha(CHANGE, KNOWN, NOWHERE)
    assert await change(sessions, KNOWN, CODE) is None
    person = store.rows.accounts[ALICE].personal
    assert person is not None
    assert person.password == "1:a newer password"
    assert store.rows.accounts[ALICE].session_epoch == 1
    assert await change(sessions, KNOWN, CODE) == REFUSED


@pytest.mark.parametrize(
    ("password", "code"),
    [("short", "password_length"), ("x" * 257, "password_length"), ("a" * 12, "password_too_weak"),
     ("carol@example.org", "password_too_weak"), ("Carol-the-first", "password_too_weak")],
)  # fmt: skip
async def test_a_password_that_is_guessed_first_is_refused(
    sessions: SessionUseCases, passwords: PlainPasswords, password: str, code: str
) -> None:
    request = RegisterRequest(
        account_id=ALICE, name="Carol-the-first", email=NEW, password=password, captcha=CODE, origin=NOWHERE
    )
    with pytest.raises(InvalidValueError) as refused:
        await sessions.register(request)
    assert refused.value.code == code
    assert passwords.verified == []


def why(store: MemoryStore) -> list[str]:
    return [detail for event, _, _, detail in store.rows.audit if event is AuditEvent.CAPTCHA_FAILED]


async def change(sessions: SessionUseCases, email: str, code: str) -> object:
    return await sessions.change_password(
        ChangePasswordRequest(email=email, captcha=code, password="a newer password", origin=NOWHERE)
    )
