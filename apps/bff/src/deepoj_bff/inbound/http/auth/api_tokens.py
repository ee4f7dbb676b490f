"""API tokens: user knows them; an answer is believed for a few seconds, or until the account changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import msgspec
from cachetools import LRUCache

from deepoj_bff.inbound.http.auth.caller import Identity, Means
from deepoj_bff.queries.projections.revoked_credentials import RevokedCredentials
from deepoj_bff.queries.services import Call, Origin, Services
from deepoj_domain.kernel.role import Actor
from deepoj_kit.grpc import Kind, RemoteError

# A revoked token is refused at the latest after this time, if no event tells of it.
_BELIEVED_SECONDS: Final = 10.0
_KEPT: Final = 10_000
_REFUSALS: Final = frozenset({Kind.UNAUTHENTICATED, Kind.NOT_FOUND, Kind.FORBIDDEN, Kind.INVALID})


class TokenOwner(msgspec.Struct, frozen=True):
    actor: Actor
    scopes: list[str]


AUTHENTICATE: Final = Call("user", "AuthenticateApiToken", TokenOwner)


class ApiTokens:
    def __init__(
        self, services: Services, revoked: RevokedCredentials, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._services = services
        self._revoked = revoked
        self._now = now
        self._seen: LRUCache[str, tuple[Identity, float]] = LRUCache(_KEPT)

    async def identity(self, secret: str, origin: Origin) -> Identity | None:
        if (seen := self._believed(secret)) is not None:
            return seen
        # Noted before the question: an answer that an event overtakes must not be believed after it.
        as_of = self._revoked.number
        try:
            owner = await self._services.call(AUTHENTICATE, secret=secret, origin=origin)
        except RemoteError as error:
            if error.kind in _REFUSALS:
                self._seen.pop(secret, None)
                return None
            raise
        identity = Identity(owner.actor, Means.API_TOKEN, frozenset(owner.scopes), as_of)
        self._seen[secret] = (identity, self._now() + _BELIEVED_SECONDS)
        return identity

    def _believed(self, secret: str) -> Identity | None:
        identity, until = self._seen.get(secret, (None, 0.0))
        if identity is None or identity.actor is None or self._now() >= until:
            return None
        return identity if self._revoked.is_as_of(identity.actor.account_id, identity.as_of) else None
