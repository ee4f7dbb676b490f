"""Operators take workers out of service, and put them back."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, WorkerId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import is_staff
from deepoj_record.commands.ports import Clock

_log = logging.getLogger(__name__)
_LONGEST: Final = timedelta(days=1)
_MOST_CHARACTERS: Final = 500


class DrainRefusal(StrEnum):
    NOT_ALLOWED = "not_allowed"
    NOT_DRAINED = "not_drained"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drain:
    name: WorkerId
    """Of a worker; or of a host, for all of its workers."""
    reason: str
    drained_by: AccountId
    drained_at: datetime
    hand_back_at: datetime
    """What is not finished by then is judged elsewhere."""


class Drains(Protocol):
    async def put(self, drain: Drain) -> Drain:
        """Store it. One of this name keeps the moment it began at; return it as it is then."""
        ...

    async def remove(self, name: WorkerId) -> bool:
        """Return whether it was there."""
        ...

    async def list(self) -> Sequence[Drain]: ...


class DrainWorker:
    def __init__(self, drains: Drains, clock: Clock) -> None:
        self._drains = drains
        self._clock = clock

    async def __call__(
        self, actor: Actor | None, name: WorkerId, reason: str, hand_back_after: timedelta
    ) -> Drain | Refused[DrainRefusal]:
        if actor is None or not actor.is_admin:
            return Refused(DrainRefusal.NOT_ALLOWED)
        if not timedelta(0) <= hand_back_after <= _LONGEST:
            raise InvalidValueError("hand_back_after_malformed", "what it judges is handed back within a day")
        if len(reason) > _MOST_CHARACTERS or not reason.isprintable():
            raise InvalidValueError(
                "reason_malformed", f"a reason is one line of {_MOST_CHARACTERS} characters at most"
            )
        now = self._clock()
        drain = Drain(
            name=name,
            reason=reason,
            drained_by=actor.account_id,
            drained_at=now,
            hand_back_at=now + hand_back_after,
        )
        _log.warning("%s takes %s out of service: %s", actor.account_id, name, reason)
        return await self._drains.put(drain)


class ResumeWorker:
    def __init__(self, drains: Drains) -> None:
        self._drains = drains

    async def __call__(self, actor: Actor | None, name: WorkerId) -> Refused[DrainRefusal] | None:
        if actor is None or not actor.is_admin:
            return Refused(DrainRefusal.NOT_ALLOWED)
        if not await self._drains.remove(name):
            return Refused(DrainRefusal.NOT_DRAINED, name)
        _log.warning("%s puts %s into service again", actor.account_id, name)
        return None


class ListDrains:
    def __init__(self, drains: Drains) -> None:
        self._drains = drains

    async def __call__(self, actor: Actor | None) -> Sequence[Drain] | Refused[DrainRefusal]:
        return await self._drains.list() if is_staff(actor) else Refused(DrainRefusal.NOT_ALLOWED)
