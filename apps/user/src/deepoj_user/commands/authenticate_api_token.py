"""Whom a token speaks for, with the role they have now."""

from __future__ import annotations

from dataclasses import dataclass

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.api_token import ApiTokenRefusal, Scope
from deepoj_domain.account.session import digest_of
from deepoj_domain.kernel.ids import ApiTokenId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.commands.create_api_token import API_PREFIX
from deepoj_user.commands.ports import Clock, Directory
from deepoj_user.commands.token_text import decode_token


@dataclass(frozen=True, slots=True)
class Bearer:
    actor: Actor
    token_id: ApiTokenId
    scopes: frozenset[Scope]


class AuthenticateApiToken:
    """Guessing is hopeless against 256 random bits, so there is no throttle."""

    def __init__(self, directory: Directory, clock: Clock) -> None:
        self._directory = directory
        self._clock = clock

    async def __call__(self, text: str) -> Bearer | Refused[ApiTokenRefusal | AccountRefusal]:
        secret = decode_token(API_PREFIX, text)
        found = None if secret is None else await self._directory.owner_of(digest_of(secret))
        now = self._clock()
        if found is None or not found[0].is_valid(now):
            return Refused(ApiTokenRefusal.INVALID)
        token, account = found
        if refusal := account.why_no_log_in():
            return Refused(refusal)
        if token.wants_mark(now):
            await self._directory.mark_used(token.id, now)
        return Bearer(Actor(account.id, account.role), token.id, token.scopes)
