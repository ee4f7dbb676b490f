"""Judge hosts elsewhere: invite one, take its credential back, know it when it calls."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NewType, Protocol

from deepoj_domain.judgement.host_credential import PREFIX, is_host_credential
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_record.commands.ports import Clock

HostName = NewType("HostName", str)
# No point in it: what comes after one tells the workers of a host apart.
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,62}")


@dataclass(frozen=True, slots=True)
class JudgeHost:
    name: HostName
    credential_sha256: bytes = field(repr=False)
    invited_at: datetime
    revoked_at: datetime | None = None


class JudgeHosts(Protocol):
    async def put(self, host: JudgeHost) -> None:
        """Store a host; one of this name is replaced."""
        ...

    async def revoke(self, name: HostName, now: datetime) -> bool:
        """Return whether there is such a host; one revoked before stays as it is."""
        ...

    async def by_credential(self, sha256: bytes) -> HostName | None:
        """Return whose credential this is, unless it is revoked."""
        ...

    async def list(self) -> Sequence[JudgeHost]: ...


class HostUsersError(Exception):
    """Redis did not do what was asked; says why."""


class HostUsers(Protocol):
    """Users of hosts in Redis; both raise HostUsersError."""

    async def put(self, name: HostName, credential: str) -> None:
        """Make the user, or give it the password of a new credential."""
        ...

    async def remove(self, name: HostName) -> None: ...


class SharedUser:
    """All hosts have one, which the operator made."""

    async def put(self, name: HostName, credential: str) -> None: ...

    async def remove(self, name: HostName) -> None: ...


_SHARED: Final = SharedUser()


class InviteHost:
    def __init__(self, hosts: JudgeHosts, clock: Clock, users: HostUsers = _SHARED) -> None:
        self._hosts = hosts
        self._clock = clock
        self._users = users

    async def __call__(self, name: str) -> str:
        """Return a new credential, which nobody can be told again; an older one of this name ends."""
        credential = PREFIX + secrets.token_urlsafe(32)
        host = JudgeHost(host_name(name), _sha256(credential), self._clock())
        await self._users.put(host.name, credential)
        await self._hosts.put(host)
        return credential


class RevokeHost:
    def __init__(self, hosts: JudgeHosts, clock: Clock, users: HostUsers = _SHARED) -> None:
        self._hosts = hosts
        self._clock = clock
        self._users = users

    async def __call__(self, name: str) -> bool:
        """Raise HostUsersError when its calls are refused from now on, and its user is still there."""
        found = await self._hosts.revoke(host_name(name), self._clock())
        if found:
            await self._users.remove(host_name(name))
        return found


class IdentifyHost:
    def __init__(self, hosts: JudgeHosts) -> None:
        self._hosts = hosts

    async def __call__(self, credential: str) -> HostName | None:
        """What does not look like a credential costs no question to the database."""
        if not is_host_credential(credential):
            return None
        return await self._hosts.by_credential(_sha256(credential))


def host_name(text: str) -> HostName:
    if not _NAME.fullmatch(text):
        raise InvalidValueError("host_malformed", "a host's name is 1 to 63 letters, digits and hyphens")
    return HostName(text)


def is_worker_of(worker: str, host: str) -> bool:
    """A host may have several workers: `host`, and `host.` with anything after it."""
    return worker == host or worker.startswith(f"{host}.")


def _sha256(credential: str) -> bytes:
    """Random enough that no slow hash is needed."""
    return hashlib.sha256(credential.encode()).digest()
