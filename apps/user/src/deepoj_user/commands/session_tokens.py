"""A session and the tokens that stand for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from deepoj_domain.account.account import Account
from deepoj_domain.account.audit import Origin
from deepoj_domain.account.session import TOKEN_BYTES, SessionTerms, issue
from deepoj_domain.kernel.ids import FamilyId
from deepoj_user.commands.ports import AccessToken, AccessTokens, NewId, RandomBytes, Transaction
from deepoj_user.commands.token_text import encode_token

REFRESH_PREFIX: Final = "doj_refresh_"


@dataclass(frozen=True, slots=True)
class Opened:
    """A session in the database; its access token is signed after the transaction."""

    account: Account
    family: FamilyId
    refresh_token: bytes = field(repr=False)
    refresh_expires_at: datetime


@dataclass(frozen=True, slots=True)
class Tokens:
    account: Account
    access: AccessToken
    refresh_token: str = field(repr=False)
    refresh_expires_at: datetime


class SessionTokens:
    def __init__(
        self, access_tokens: AccessTokens, terms: SessionTerms, new_id: NewId, random_bytes: RandomBytes
    ) -> None:
        self._access_tokens = access_tokens
        self._new_id = new_id
        self._random_bytes = random_bytes
        self.terms = terms

    def new_token(self) -> bytes:
        return self._random_bytes(TOKEN_BYTES)

    async def open(self, transaction: Transaction, account: Account, origin: Origin, now: datetime) -> Opened:
        token, family = self.new_token(), FamilyId(self._new_id())
        stored = issue(token, family, account, self.terms, now, origin)
        await transaction.sessions.add(stored)
        return Opened(account, family, token, stored.expires_at)

    async def sign(self, opened: Opened) -> Tokens:
        access = await self._access_tokens.sign(opened.account, opened.family)
        text = encode_token(REFRESH_PREFIX, opened.refresh_token)
        return Tokens(opened.account, access, text, opened.refresh_expires_at)
