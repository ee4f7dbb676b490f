"""API tokens: user knows them; an answer is believed for a few seconds."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec

from deepoj_bff.inbound.http.caller import Identity, Means, Origin
from deepoj_bff.inbound.http.calls import Call, Services
from deepoj_domain.kernel.role import Actor
from deepoj_kit.grpc import Kind, RemoteError

# A revoked token is refused at the latest after this time.
_BELIEVED_SECONDS: Final = 10.0
_KEPT: Final = 10_000
_REFUSALS: Final = frozenset({Kind.UNAUTHENTICATED, Kind.NOT_FOUND, Kind.FORBIDDEN, Kind.INVALID})


class TokenOwner(msgspec.Struct, frozen=True):
    actor: Actor
    scopes: list[str]


AUTHENTICATE: Final = Call("user", "AuthenticateApiToken", TokenOwner)


class ApiTokens:
    def __init__(self, services: Services, now: Callable[[], float] = time.monotonic) -> None:
        self._services = services
        self._now = now
        self._seen: OrderedDict[str, tuple[Identity, float]] = OrderedDict()

    async def identity(self, secret: str, origin: Origin) -> Identity | None:
        seen = self._seen.get(secret)
        if seen is not None and self._now() < seen[1]:
            return seen[0]
        try:
            owner = await self._services.call(AUTHENTICATE, secret=secret, origin=origin)
        except RemoteError as error:
            if error.kind in _REFUSALS:
                self._seen.pop(secret, None)
                return None
            raise
        identity = Identity(owner.actor, Means.API_TOKEN, frozenset(owner.scopes))
        self._seen[secret] = (identity, self._now() + _BELIEVED_SECONDS)
        if len(self._seen) > _KEPT:
            self._seen.popitem(last=False)
        return identity
