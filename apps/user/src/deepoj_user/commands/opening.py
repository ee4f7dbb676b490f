"""A session and the tokens that stand for it."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from deepoj_domain.account.account import Account
from deepoj_domain.account.session import TOKEN_BYTES, SessionTerms, issue
from deepoj_domain.kernel.ids import FamilyId
from deepoj_user.commands.ports import AccessToken, AccessTokens, NewId, RandomBytes, Transaction

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


class Opening:
    def __init__(
        self, access_tokens: AccessTokens, terms: SessionTerms, new_id: NewId, random_bytes: RandomBytes
    ) -> None:
        self._access_tokens = access_tokens
        self._new_id = new_id
        self._random_bytes = random_bytes
        self.terms = terms

    def new_token(self) -> bytes:
        return self._random_bytes(TOKEN_BYTES)

    async def open(self, transaction: Transaction, account: Account, now: datetime) -> Opened:
        token, family = self.new_token(), FamilyId(self._new_id())
        stored = issue(token, family, account, self.terms, now)
        await transaction.sessions.add(stored)
        return Opened(account, family, token, stored.expires_at)

    async def sign(self, opened: Opened) -> Tokens:
        access = await self._access_tokens.sign(opened.account, opened.family)
        text = encode_token(REFRESH_PREFIX, opened.refresh_token)
        return Tokens(opened.account, access, text, opened.refresh_expires_at)


def encode_token(prefix: str, token: bytes) -> str:
    """With a prefix by which secret scanners know it."""
    return prefix + urlsafe_b64encode(token).rstrip(b"=").decode()


def decode_token(prefix: str, text: str) -> bytes | None:
    """Return None for what was never given out."""
    body = text.removeprefix(prefix)
    if body == text or not body.isascii():
        return None
    try:
        token = urlsafe_b64decode(body + "=" * (-len(body) % 4))
    except Base64Error:
        return None
    return token if len(token) == TOKEN_BYTES else None
