"""Events of accounts: of one that is deleted the name is forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deepoj_domain.account.events import AccountChange, AccountChanged
from deepoj_game.commands.anonymise_participant import AnonymiseParticipant
from deepoj_kit.streams import Delivery, Done, EventCodec, Outcome
from deepoj_kit.streams.outcomes import failure

ACCOUNT_CODEC: Final[EventCodec[AccountChanged]] = EventCodec({AccountChanged.name: AccountChanged})


class OnAccount:
    def __init__(self, anonymise: AnonymiseParticipant) -> None:
        self._anonymise = anonymise

    async def __call__(self, batch: Sequence[Delivery[AccountChanged]]) -> Sequence[Outcome]:
        return [await self._outcome(each) for each in batch]

    async def _outcome(self, delivery: Delivery[AccountChanged]) -> Outcome:
        if delivery.message.change is AccountChange.DELETED:
            try:
                await self._anonymise(delivery.message.account_id)
            except Exception as error:  # noqa: BLE001 — whatever it is, this entry has to stay pending
                return failure(error, delivery.stream)
        return Done()
