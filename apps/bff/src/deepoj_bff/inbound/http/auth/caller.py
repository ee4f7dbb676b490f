"""Who calls, and what a route asks of callers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from deepoj_bff.queries.services import Origin
from deepoj_domain.kernel.role import Actor, Role


class Scope(StrEnum):
    """What an API token was made for. A session may do all that its account may."""

    READ = "read"
    SUBMIT = "submit"
    MANAGE = "manage"
    ADMIN = "admin"
    ACCOUNT = "account"
    """Never given to a token: sessions, passwords and tokens themselves."""


class Access(StrEnum):
    """The least a caller must be. What they then see is decided by the service that owns it."""

    PUBLIC = "public"
    SIGNED_IN = "signed_in"
    SETTER = "setter"
    JUDGE = "judge"
    ADMIN = "admin"


ROLES: Final = {
    Access.SIGNED_IN: frozenset(Role),
    Access.SETTER: frozenset({Role.SETTER, Role.JUDGE, Role.ADMIN}),
    Access.JUDGE: frozenset({Role.JUDGE, Role.ADMIN}),
    Access.ADMIN: frozenset({Role.ADMIN}),
}


class Means(StrEnum):
    """How a caller proved who they are."""

    NOTHING = "nothing"
    BEARER = "bearer"
    COOKIE = "cookie"
    API_TOKEN = "api_token"  # noqa: S105 — the name of a kind of credential


@dataclass(frozen=True, slots=True)
class Identity:
    actor: Actor | None
    means: Means
    scopes: frozenset[str] | None = None
    """None: not restricted."""
    as_of: int = 0
    """The number of changes of accounts heard of before this was found out."""
    session_id: str = ""
    """Empty: no session proved it."""
    expires_at: datetime | None = None
    """When the credential has to be renewed; None: it is not known to end."""


GUEST: Final = Identity(None, Means.NOTHING)


@dataclass(frozen=True, slots=True)
class Caller:
    identity: Identity
    origin: Origin
    is_current: Callable[[], bool] = lambda: True
    """Whether nothing happened to the account since: a long answer asks before each of its parts."""

    @property
    def actor(self) -> Actor | None:
        return self.identity.actor

    @property
    def account_id(self) -> str:
        """Empty for a guest."""
        return str(self.identity.actor.account_id) if self.identity.actor else ""


def by(caller: Caller) -> dict[str, object]:
    """Return who did it and from where, for calls that are written into the audit log."""
    return {"actor": caller.actor, "origin": caller.origin}
