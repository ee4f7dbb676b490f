"""Taking in a submission: admit it, hand it to record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from deepoj_bff.commands.admit_submission import AdmitSubmission
from deepoj_bff.inbound.http.admission import turned_away
from deepoj_bff.inbound.http.calls import Call, ServicesPort
from deepoj_bff.inbound.http.wire.submission import NewSubmission, Submitted
from deepoj_domain.admission.decide import TurnedAway
from deepoj_domain.kernel.role import Actor
from deepoj_kit.grpc import RemoteError

SUBMIT: Final = Call("record", "Submit", Submitted)


@dataclass(frozen=True, slots=True)
class Submitting:
    """One dependency of its route: the framework starts a task for each as soon as there are two."""

    services: ServicesPort
    admit: AdmitSubmission
    new_id: Callable[[], UUID]

    async def __call__(self, actor: Actor, data: NewSubmission, key: str | None) -> Submitted:
        if refused := await self.admit.begin(actor.account_id):
            return await self._repeat(actor, data, key, refused)
        try:
            return await self._submit(actor, data, key)
        finally:
            self.admit.end(actor.account_id)

    async def _repeat(
        self, actor: Actor, data: NewSubmission, key: str | None, refused: TurnedAway
    ) -> Submitted:
        """Answer a retry of what is stored: that costs nothing, so there is nothing to turn away."""
        if key is None:
            raise turned_away(refused)
        try:
            return await self._submit(actor, data, key, only_repeat=True)
        except RemoteError as error:
            raise turned_away(refused) from error

    async def _submit(
        self, actor: Actor, data: NewSubmission, key: str | None, *, only_repeat: bool = False
    ) -> Submitted:
        submission_id = self.new_id()
        return await self.services.call(
            SUBMIT,
            data,
            actor=actor,
            submission_id=submission_id,
            idempotency_key=key or str(submission_id),
            only_repeat=only_repeat or None,
        )


FromSubmitting = NamedDependency[SkipValidation[Submitting]]
