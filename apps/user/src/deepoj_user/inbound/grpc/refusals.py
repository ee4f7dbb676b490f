"""Refusals and failures as one status code each, with a machine-readable reason."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Final, NoReturn

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.api_token import MOST_TOKENS, ApiTokenRefusal
from deepoj_domain.account.captcha import CaptchaRefusal
from deepoj_domain.account.invitation import MOST_INVITATIONS, InvitationRefusal
from deepoj_domain.account.registration import RegistrationRefusal
from deepoj_domain.account.session import SessionRefusal
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_kit.grpc import Kind, Refusal, Translation, refuse
from deepoj_kit.telemetry import counter
from deepoj_user.commands.captcha_check import CodeRefusal
from deepoj_user.commands.end_session import EndSessionRefusal
from deepoj_user.commands.log_in import LogInRefusal
from deepoj_user.commands.ports import BusyError, MailUnavailableError, Taken, Throttled
from deepoj_user.queries.access import QueryRefusal

_REFUSALS = counter("user_refusals", "Calls refused", ("reason",))
# By reason: the same word means the same whichever command says it.
_MESSAGES: Final[Mapping[str, tuple[Kind, str]]] = {
    Taken.ACCOUNT_ID: (Kind.CONFLICT, "the account id is taken"),
    Taken.NAME: (Kind.CONFLICT, "the username is taken: choose another"),
    Taken.EMAIL: (Kind.CONFLICT, "the address has an account: log in or change the password"),
    LogInRefusal.BAD_CREDENTIALS: (Kind.UNAUTHENTICATED, "the name or the password is wrong"),
    AccountRefusal.NOT_FOUND: (Kind.NOT_FOUND, "there is no such account"),
    AccountRefusal.SUSPENDED: (Kind.FORBIDDEN, "the account is suspended: ask an admin"),
    AccountRefusal.DELETED: (Kind.PRECONDITION, "the account is deleted"),
    AccountRefusal.NOT_ADMIN: (Kind.FORBIDDEN, "this is not for you"),
    AccountRefusal.OWN_ACCOUNT: (Kind.FORBIDDEN, "an admin cannot do this to their own account"),
    AccountRefusal.LAST_ADMIN: (Kind.PRECONDITION, "nobody would be left to administer: appoint another"),
    AccountRefusal.UNCHANGED: (Kind.PRECONDITION, "it is so already"),
    SessionRefusal.INVALID: (Kind.UNAUTHENTICATED, "the session is over: log in again"),
    SessionRefusal.REUSED: (Kind.UNAUTHENTICATED, "the token was used before; log in again"),
    CaptchaRefusal.SENT_TOO_RECENTLY: (Kind.EXHAUSTED, "a code was sent a moment ago: look for it"),
    CodeRefusal.REFUSED: (
        Kind.INVALID,
        "the code is wrong, or no longer good: look again, or ask for a new one",
    ),
    RegistrationRefusal.CLOSED: (Kind.FORBIDDEN, "accounts are made by admins here: ask one"),
    RegistrationRefusal.NO_GUESTS: (Kind.FORBIDDEN, "there are no guest accounts here: register"),
    InvitationRefusal.REFUSED: (
        Kind.INVALID,
        "the invitation is unknown, used up or expired: ask for another",
    ),
    InvitationRefusal.NOT_FOUND: (Kind.NOT_FOUND, "there is no such invitation"),
    InvitationRefusal.TOO_MANY: (
        Kind.PRECONDITION,
        f"revoke some first: {MOST_INVITATIONS} invitations are enough",
    ),
    InvitationRefusal.ID_TAKEN: (Kind.CONFLICT, "the invitation id is taken"),
    EndSessionRefusal.NOT_FOUND: (Kind.NOT_FOUND, "there is no such session of yours"),
    ApiTokenRefusal.INVALID: (Kind.UNAUTHENTICATED, "the token is unknown, expired or revoked"),
    ApiTokenRefusal.NOT_FOUND: (Kind.NOT_FOUND, "there is no such token"),
    ApiTokenRefusal.TOO_MANY: (Kind.PRECONDITION, f"revoke one first: {MOST_TOKENS} tokens are enough"),
    ApiTokenRefusal.ID_TAKEN: (Kind.CONFLICT, "the token id is taken"),
    QueryRefusal.SIGN_IN_REQUIRED: (Kind.FORBIDDEN, "guests may not see this"),
    QueryRefusal.NOT_ALLOWED: (Kind.FORBIDDEN, "this is not for you"),
}
_SOON: Final = timedelta(seconds=1)


def raise_refusal(refused: Refused[StrEnum]) -> NoReturn:
    kind, message = _MESSAGES[refused.reason]
    _REFUSALS.add(reason=refused.reason)
    refuse(kind, refused.reason, message)


def raise_throttled(throttled: Throttled) -> NoReturn:
    _REFUSALS.add(reason=throttled.reason)
    _, message = _MESSAGES.get(throttled.reason, (Kind.EXHAUSTED, "too many tries: wait, then try again"))
    refuse(Kind.EXHAUSTED, throttled.reason, message, retry_after=throttled.retry_after)


translate: Final = Translation(
    InvalidValueError,
    {
        BusyError: Refusal(Kind.EXHAUSTED, "busy", "too many log in at once: try again", _SOON),
        MailUnavailableError: Refusal(
            Kind.UNAVAILABLE, "mail_unavailable", "mail cannot be sent now: try again later"
        ),
    },
)
