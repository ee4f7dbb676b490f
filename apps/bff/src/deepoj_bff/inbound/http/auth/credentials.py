"""From the headers of a request to who sent it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from typing import Any, Final

from litestar.connection import ASGIConnection

from deepoj_bff.inbound.http.auth.access_tokens import AccessTokens
from deepoj_bff.inbound.http.auth.api_tokens import ApiTokens
from deepoj_bff.inbound.http.auth.caller import GUEST, Caller, Identity, Means
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.queries.projections.revoked_credentials import RevokedCredentials
from deepoj_bff.queries.services import Origin
from deepoj_domain.kernel.network import Network

Connection = ASGIConnection[Any, Any, Any, Any]
ACCESS_COOKIE: Final = "deepoj_access"
REFRESH_COOKIE: Final = "deepoj_refresh"
_JWT_DOTS: Final = 2
_USER_AGENT: Final = 300


@dataclass(frozen=True, slots=True)
class Credentials:
    access_tokens: AccessTokens
    api_tokens: ApiTokens
    revoked: RevokedCredentials
    trusted_proxies: tuple[Network, ...]

    async def caller_of(self, connection: Connection, *, lenient: bool) -> Caller:
        """Return the caller; `lenient` takes a cookie that is no longer good for a guest's."""
        origin = self._origin(connection)
        authorization = connection.headers.get("authorization")
        if authorization is not None:
            identity = await self._bearer(authorization, origin)
        elif cookie := connection.cookies.get(ACCESS_COOKIE):
            identity = await self.access_tokens.identity(cookie, Means.COOKIE)
            if identity is None and lenient:
                identity = GUEST
        else:
            identity = GUEST
        if identity is None:
            raise ApiError(
                ErrorType.UNAUTHENTICATED, "credential_refused", "the credential is not valid, or no longer"
            )
        return Caller(identity, origin, partial(self._is_current, identity))

    def _is_current(self, identity: Identity) -> bool:
        actor = identity.actor
        return actor is None or self.revoked.is_as_of(actor.account_id, identity.as_of)

    async def _bearer(self, authorization: str, origin: Origin) -> Identity | None:
        scheme, _, token = authorization.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token or not token.isascii():
            return None
        if token.count(".") == _JWT_DOTS:
            return await self.access_tokens.identity(token, Means.BEARER)
        return await self.api_tokens.identity(token, origin)

    def _origin(self, connection: Connection) -> Origin:
        client = connection.scope.get("client")
        agent = connection.headers.get("user-agent", "")[:_USER_AGENT]
        address = client[0] if client else ""
        if self.trusted_proxies and self._is_proxy(address):
            # Each proxy may have added to the line of the one before it, or sent a line of its own.
            lines = connection.headers.getall("x-forwarded-for", [])
            address = self._forwarded(",".join(lines)) or address
        return Origin(address if _is_address(address) else "", agent)

    def _forwarded(self, chain: str) -> str:
        """Return the last address that is not one of our proxies: those before it anybody can invent."""
        hops = [hop.strip() for hop in chain.split(",")]
        last = next((hop for hop in reversed(hops) if not self._is_proxy(hop)), "")
        return last if _is_address(last) else ""

    def _is_proxy(self, address: str) -> bool:
        return _is_address(address) and any(
            ip_address(address) in network for network in self.trusted_proxies
        )


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
