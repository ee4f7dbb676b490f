"""A problem has changed: its cache keys get a new revision."""

from __future__ import annotations

import logging

import msgspec

from deepoj_bff.inbound.stream.event_reader import Fields
from deepoj_bff.queries.projections.revisions import Revisions

_log = logging.getLogger(__name__)


class _Revision(msgspec.Struct):
    question_id: str


class _Event(msgspec.Struct):
    revision: _Revision


_EVENT = msgspec.json.Decoder(_Event)


class OnQuestionChanged:
    from_start = True

    def __init__(self, revisions: Revisions) -> None:
        self._revisions = revisions

    def on_event(self, position: str, fields: Fields) -> None:
        try:
            event = _EVENT.decode(fields.get(b"data", b""))
        except msgspec.DecodeError as error:
            _log.warning("an event of question cannot be read: %s", error)
            return
        self._revisions.bump(event.revision.question_id, position)

    def on_following(self, position: str) -> None:  # noqa: ARG002 — events have told all
        self._revisions.following = True

    def on_lost(self) -> None:
        self._revisions.following = False
