"""Whether a submission may come in now."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from deepoj_bff.commands.entrance import Entrance
from deepoj_bff.commands.ports import ADMITTED, AccountLoad, Accounts, Observe
from deepoj_domain.admission.decide import AdmissionRefusal, TurnedAway
from deepoj_domain.kernel.ids import AccountId

_PERSONAL: Final = frozenset({AdmissionRefusal.DAILY_QUOTA_SPENT, AdmissionRefusal.TOO_MANY_IN_FLIGHT})

_NOTHING: Final = AccountLoad(0, 0)


@dataclass(slots=True)
class _Believed:
    """What record said, and how many it has been given since it was asked."""

    said: AccountLoad | None = None
    until: float = float("inf")
    given: int = 0
    asking: asyncio.Task[None] | None = None

    def load(self, inside: int) -> AccountLoad:
        said, more = self.said or _NOTHING, self.given + inside
        return AccountLoad(said.in_flight + more, said.submitted_today + more)


@dataclass(slots=True)
class AdmitSubmission:
    """An account's load is believed for a second, counting what came in here meanwhile.

    So a burst costs one question to record. What several front doors admit within that second may exceed the
    in-flight cap by as many; a refusal is only ever given on fresh numbers.
    """

    entrance: Entrance
    accounts: Accounts
    observe: Observe
    monotonic: Callable[[], float] = time.monotonic
    believe_seconds: float = 1.0
    most_believed: int = 10_000
    _believed: OrderedDict[AccountId, _Believed] = field(default_factory=OrderedDict)

    async def begin(self, account_id: AccountId) -> TurnedAway | None:
        """Return why not; None when it may come in and has cost a token: then `end` must follow."""
        believed, fresh = await self._load(account_id)
        refused = await self.entrance.enter(account_id, believed.load)
        # What record was given while it counted may be counted twice.
        doubtful = not fresh or believed.given > 0
        if refused is not None and refused.reason in _PERSONAL and doubtful:
            if self._believed.get(account_id) is believed:
                del self._believed[account_id]
            believed, _ = await self._load(account_id)
            refused = await self.entrance.enter(account_id, believed.load)
        self.observe(ADMITTED if refused is None else refused.reason)
        return refused

    def end(self, account_id: AccountId) -> None:
        """Record has it, or has refused it: from now on record counts it."""
        self.entrance.leave(account_id)
        if (believed := self._believed.get(account_id)) is not None:
            believed.given += 1

    async def _load(self, account_id: AccountId) -> tuple[_Believed, bool]:
        """Return the load, and whether it was asked for just now; those who come together ask once."""
        known = self._believed.get(account_id)
        if known is None or self.monotonic() >= known.until:
            known = self._believed[account_id] = _Believed()
            known.asking = asyncio.create_task(self._ask(account_id, known))
            self._believed.move_to_end(account_id)
            if len(self._believed) > self.most_believed:
                self._believed.popitem(last=False)
        if known.said is not None or known.asking is None:
            return known, False
        # One of those who wait may give up; the others still want the answer.
        await asyncio.shield(known.asking)
        return known, True

    async def _ask(self, account_id: AccountId, known: _Believed) -> None:
        try:
            known.said = await self.accounts.load(account_id)
        finally:
            if known.said is None and self._believed.get(account_id) is known:
                del self._believed[account_id]
        known.until = self.monotonic() + self.believe_seconds
