"""What a judge host elsewhere is told when it shows its credential."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

from deepoj_domain.judgement.host_credential import redis_password, redis_user
from deepoj_domain.kernel.outcome import Refused

_OPTIONAL: Final = frozenset({"authorities", "reference_ms", "redis_own"})


class JoinRefusal(StrEnum):
    UNKNOWN_HOST = "unknown_judge_host"
    NOT_PREPARED = "judge_hosts_not_prepared"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSettings:
    """Of a worker, as the operator has prepared them for all judge hosts."""

    env: str
    record_address: str
    question_address: str
    redis_url: str = field(repr=False)
    redis_own: bool
    """Each has a user of its own, which the URL does not name."""
    s3_endpoint: str
    s3_bucket: str
    s3_access_key: str
    s3_secret_key: str = field(repr=False)
    tls: str
    authorities: str
    reference_ms: int
    """What their times are told in; 0: in their own."""

    @property
    def missing(self) -> list[str]:
        """Return what nobody has set. Authorities may be those of the system, times each host's own."""
        return [
            each.name for each in fields(self) if each.name not in _OPTIONAL and not getattr(self, each.name)
        ]


@dataclass(frozen=True, slots=True)
class Joined:
    name: str
    settings: HostSettings


class JoinHost:
    def __init__(
        self, identify: Callable[[str], Awaitable[str | None]], settings: Callable[[], HostSettings]
    ) -> None:
        self._identify = identify
        self._settings = settings

    async def __call__(self, credential: str) -> Joined | Refused[JoinRefusal]:
        name = await self._identify(credential)
        if name is None:
            return Refused(JoinRefusal.UNKNOWN_HOST)
        settings = self._settings()
        if settings.missing:
            return Refused(JoinRefusal.NOT_PREPARED, ", ".join(f"hosts_{each}" for each in settings.missing))
        if settings.redis_own:
            url = _as(settings.redis_url, redis_user(settings.env, name), redis_password(credential))
            settings = replace(settings, redis_url=url)
        return Joined(name, settings)


def _as(url: str, user: str, password: str) -> str:
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{quote(user, safe='')}:{password}@{place}"))
