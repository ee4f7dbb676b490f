"""A worker has judged another case: whoever watches the submission may be told."""

from __future__ import annotations

import logging

import msgspec

from deepoj_bff.inbound.stream.event_reader import Fields
from deepoj_bff.queries.projections.submission_feed import SubmissionFeed
from deepoj_domain.judgement.progress import JudgeProgress

_log = logging.getLogger(__name__)
_PROGRESS = msgspec.json.Decoder(JudgeProgress)


class OnProgress:
    from_start = False

    def __init__(self, feed: SubmissionFeed) -> None:
        self._feed = feed

    def on_event(self, position: str, fields: Fields) -> None:  # noqa: ARG002 — the newest says all
        try:
            self._feed.tell(_PROGRESS.decode(fields.get(b"data", b"")))
        except msgspec.DecodeError as error:
            _log.warning("the progress of a judgement cannot be read: %s", error)

    def on_following(self, position: str) -> None:
        """What was missed is said again after the next case."""

    def on_lost(self) -> None:
        """The result will say it."""
