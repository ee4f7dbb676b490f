"""Submit a program: decide whether it may come in now, then hand it to record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from deepoj_bff.commands.admission_gate import ADMITTED, AccountLoads, AdmissionGate, Observe
from deepoj_domain.admission.decide import TurnedAway
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor


@dataclass(frozen=True, slots=True)
class Draft:
    question_id: UUID
    game_id: UUID | None
    language: str
    source: str


@dataclass(frozen=True, slots=True)
class Stored:
    submission_id: str
    repeated: bool
    """The same key and program had come before."""


class Record(Protocol):
    async def submit(self, submission_id: UUID, actor: Actor, draft: Draft, key: str) -> Stored:
        """Store a submission; a key that had come before gives the submission it came with."""
        ...

    async def find(self, submission_id: UUID, actor: Actor, draft: Draft, key: str) -> Stored | None:
        """Return what is stored under the key; None when nothing is, or record cannot tell."""
        ...


@dataclass(slots=True)
class Submit:
    gate: AdmissionGate
    loads: AccountLoads
    record: Record
    new_id: Callable[[], UUID]
    observe: Observe

    async def __call__(self, actor: Actor, draft: Draft, key: str | None) -> Stored | TurnedAway:
        submission_id = self.new_id()
        if refused := await self.admit(actor.account_id):
            # A retry of what is stored costs nothing, so there is nothing to turn away.
            stored = None if key is None else await self.record.find(submission_id, actor, draft, key)
            return stored or refused
        try:
            return await self.record.submit(submission_id, actor, draft, key or str(submission_id))
        finally:
            self.leave(actor.account_id)

    async def admit(self, account_id: AccountId) -> TurnedAway | None:
        """Return why not; None when a submission may come in and has cost a token: `leave` must follow."""
        load = await self.loads.recent(account_id)
        refused = await self.gate.enter(account_id, load)
        if refused is not None and refused.reason.is_of_account and load.is_doubtful:
            load = await self.loads.fresh(account_id, load)
            refused = await self.gate.enter(account_id, load)
        self.observe(ADMITTED if refused is None else refused.reason)
        return refused

    def leave(self, account_id: AccountId) -> None:
        """Record has the submission, or has refused it."""
        self.gate.leave(account_id)
        self.loads.given(account_id)
