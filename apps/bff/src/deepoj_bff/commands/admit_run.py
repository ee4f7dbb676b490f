"""A run of one's own input has no record: it is limited by rate and by how many run at once."""

from __future__ import annotations

from dataclasses import dataclass

from deepoj_bff.commands.admission_gate import AdmissionGate
from deepoj_bff.commands.ports import ADMITTED, Observe
from deepoj_domain.admission.decide import TurnedAway
from deepoj_domain.admission.facts import AccountLoad
from deepoj_domain.kernel.ids import AccountId


@dataclass(slots=True)
class AdmitRun:
    gate: AdmissionGate
    observe: Observe

    async def begin(self, account_id: AccountId) -> TurnedAway | None:
        """Return why not; after None, `end` must follow."""
        refused = await self.gate.enter(account_id, lambda running: AccountLoad(running, 0))
        self.observe(ADMITTED if refused is None else refused.reason)
        return refused

    def end(self, account_id: AccountId) -> None:
        self.gate.leave(account_id)
