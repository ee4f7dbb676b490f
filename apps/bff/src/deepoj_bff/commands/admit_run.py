"""A run of one's own input has no record: it is limited by rate and by how many run at once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from deepoj_bff.commands.admission_gate import ADMITTED, AdmissionGate, Observe
from deepoj_domain.admission.decide import AccountLoad, TurnedAway
from deepoj_domain.kernel.ids import AccountId


@dataclass(frozen=True, slots=True)
class Running:
    """Nobody but the front doors knows of runs: those who are inside are all there are."""

    asked_at: datetime
    given: Final = 0

    def with_more(self, more: int) -> AccountLoad:
        return AccountLoad(more, 0)

    def doubt(self) -> None:
        """A run that has ended is counted nowhere."""


@dataclass(slots=True)
class AdmitRun:
    gate: AdmissionGate
    observe: Observe

    async def begin(self, account_id: AccountId) -> TurnedAway | None:
        """Return why not; after None, `end` must follow."""
        refused = await self.gate.enter(account_id, Running(self.gate.clock()))
        self.observe(ADMITTED if refused is None else refused.reason)
        return refused

    def end(self, account_id: AccountId) -> None:
        self.gate.leave(account_id)
