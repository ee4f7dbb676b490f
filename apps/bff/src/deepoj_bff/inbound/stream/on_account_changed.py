"""An account has changed: its credentials are checked again."""

from __future__ import annotations

import logging
from typing import Final
from uuid import UUID

import msgspec

from deepoj_bff.inbound.stream.event_reader import Fields
from deepoj_bff.queries.projections.revoked_credentials import RevokedCredentials
from deepoj_domain.account.events import AccountChange
from deepoj_domain.kernel.ids import AccountId

_log = logging.getLogger(__name__)
# Every other change touches access, also one that is not known here yet.
_LEAVES_ACCESS: Final = frozenset({AccountChange.REGISTERED, AccountChange.INFO_UPDATED})


class _Event(msgspec.Struct):
    account_id: UUID
    change: str
    session_epoch: int


_EVENT = msgspec.json.Decoder(_Event)


class OnAccountChanged:
    # A token outlives a restart of the front door, and so must the news that it is void.
    from_start = True

    def __init__(self, revoked: RevokedCredentials) -> None:
        self._revoked = revoked

    def on_event(self, position: str, fields: Fields) -> None:  # noqa: ARG002 — epochs have an order already
        try:
            event = _EVENT.decode(fields.get(b"data", b""))
        except msgspec.DecodeError as error:
            _log.warning("an event of user cannot be read: %s", error)
            return
        if event.change not in _LEAVES_ACCESS:
            self._revoked.changed(AccountId(event.account_id), event.session_epoch)

    def on_following(self, position: str) -> None:
        """Events have told all."""

    def on_lost(self) -> None:
        """Access tokens end by themselves soon, and API tokens are asked about every few seconds."""
