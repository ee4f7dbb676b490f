"""A run of one's own input has no record: it is limited by rate and by how many run at once."""

from __future__ import annotations

from dataclasses import dataclass

from deepoj_bff.commands.entrance import Entrance
from deepoj_bff.commands.ports import ADMITTED, AccountLoad, Observe
from deepoj_domain.admission.decide import TurnedAway
from deepoj_domain.kernel.ids import AccountId


@dataclass(slots=True)
class AdmitRun:
    entrance: Entrance
    observe: Observe

    async def begin(self, account_id: AccountId) -> TurnedAway | None:
        """Return why not; after None, `end` must follow."""
        refused = await self.entrance.enter(account_id, lambda running: AccountLoad(running, 0))
        self.observe(ADMITTED if refused is None else refused.reason)
        return refused

    def end(self, account_id: AccountId) -> None:
        self.entrance.leave(account_id)
