"""Access tokens, checked here without asking anybody: the keys come from user and are kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import jwt
import msgspec
from cachetools import LRUCache

from deepoj_bff.inbound.http.auth.caller import Identity, Means
from deepoj_bff.queries.projections.revoked_credentials import RevokedCredentials
from deepoj_bff.queries.services import Call, Services
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.batching import Batched

_KEPT: Final = 10_000
# A token with an unknown key makes us ask for the keys, but anybody can invent one: such tokens wait.
_PACE_SECONDS: Final = 0.25
_MOST_WAITING: Final = 100_000
_ASYMMETRIC: Final = frozenset({"EdDSA", "ES256", "RS256"})


class SigningKey(msgspec.Struct, frozen=True):
    id: str
    algorithm: str
    public_key: str


class SigningKeys(msgspec.Struct, frozen=True):
    keys: list[SigningKey]
    issuer: str


GET_SIGNING_KEYS: Final = Call("user", "GetSigningKeys", SigningKeys)


@dataclass(frozen=True, slots=True)
class _Seen:
    actor: Actor
    until: float
    as_of: int
    session_id: str


class AccessTokens:
    """A token seen before costs a look-up until it expires or its account changes; others a signature."""

    def __init__(
        self, services: Services, revoked: RevokedCredentials, now: Callable[[], float] = time.time
    ) -> None:
        self._services = services
        self._revoked = revoked
        self._now = now
        self._keys: dict[str, SigningKey] = {}
        self._issuer = ""
        self._asked = float("-inf")
        # Requests that come while the keys are asked for share the next question: this one may be too old.
        self._refreshed = Batched(self._refresh, most=_MOST_WAITING)
        self._seen: LRUCache[str, _Seen] = LRUCache(_KEPT)

    async def identity(self, token: str, means: Means) -> Identity | None:
        """Return who the token names; None when it is not good, or no longer."""
        seen = self._good(token) or await self._checked(token)
        if seen is None:
            return None
        expires_at = datetime.fromtimestamp(seen.until, UTC)
        return Identity(
            seen.actor, means, as_of=seen.as_of, session_id=seen.session_id, expires_at=expires_at
        )

    def seen(self, token: str) -> Actor | None:
        """Return whom a token names that was found good before, and still is."""
        seen = self._good(token)
        return None if seen is None else seen.actor

    def _good(self, token: str) -> _Seen | None:
        seen = self._seen.get(token)
        if seen is None or self._now() >= seen.until:
            return None
        return seen if self._revoked.is_as_of(seen.actor.account_id, seen.as_of) else None

    async def _checked(self, token: str) -> _Seen | None:
        key = await self._key_of(token)
        if key is None:
            return None
        try:
            claims = jwt.decode(
                token,
                key.public_key,
                algorithms=[key.algorithm],
                issuer=self._issuer,
                options={"require": ["exp", "sub", "iss"]},
            )
            actor = Actor(AccountId(UUID(claims["sub"])), Role(claims["role"]))
            epoch, session_id = int(claims["epoch"]), str(claims.get("sid", ""))
        except (jwt.InvalidTokenError, KeyError, ValueError):
            return None
        if epoch < self._revoked.least_epoch(actor.account_id):
            return None
        seen = self._seen[token] = _Seen(actor, float(claims["exp"]), self._revoked.number, session_id)
        return seen

    async def _key_of(self, token: str) -> SigningKey | None:
        try:
            key_id = jwt.get_unverified_header(token).get("kid", "")
        except jwt.InvalidTokenError:
            return None
        if key_id not in self._keys:
            await self._refreshed(None)
        return self._keys.get(key_id)

    async def _refresh(self, waiting: Sequence[None]) -> list[None]:
        await asyncio.sleep(self._asked + _PACE_SECONDS - time.monotonic())
        self._asked = time.monotonic()
        answer = await self._services.call(GET_SIGNING_KEYS)
        # The algorithm is the key's, never the token's; a symmetric one would make the key public.
        self._issuer = answer.issuer
        self._keys = {key.id: key for key in answer.keys if key.algorithm in _ASYMMETRIC}
        return [None for _ in waiting]
