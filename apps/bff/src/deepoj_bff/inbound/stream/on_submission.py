"""Something happened to a submission, or another of its cases was judged: whoever watches it is woken."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

import msgspec

from deepoj_bff.inbound.http.sse.submission_feed import Change, SubmissionFeed
from deepoj_bff.inbound.stream.event_reader import Fields
from deepoj_domain.judgement.progress import JudgeProgress
from deepoj_domain.submission.submission import Standing

_log = logging.getLogger(__name__)


class _Submission(msgspec.Struct):
    id: str
    account_id: str
    standing: str


# A candidate of a rejudge is nothing its owner knows of.
_SHOWN_TO_OWNER: Final = frozenset({Standing.HEAD, Standing.ARCHIVED})


class _Event(msgspec.Struct):
    submission: _Submission
    archived_id: str | None = None


_EVENT = msgspec.json.Decoder(_Event)


class OnSubmissionChanged:
    from_start = False

    def __init__(self, feed: SubmissionFeed, forget: Callable[[str], None]) -> None:
        self._feed = feed
        self._forget = forget

    def on_event(self, position: str, fields: Fields) -> None:
        try:
            event = _EVENT.decode(fields.get(b"data", b""))
        except msgspec.DecodeError as error:
            _log.warning("an event of record cannot be read: %s", error)
            return
        told = event.submission
        owner = (told.account_id,) if told.standing in _SHOWN_TO_OWNER else ()
        for submission_id in filter(None, (told.id, event.archived_id)):
            self._forget(submission_id)
            self._feed.publish(Change(position, submission_id, (submission_id, *owner)))

    def on_following(self, position: str) -> None:
        self._feed.begin_again(position)

    def on_lost(self) -> None:
        """The watchers look by themselves, and are told to begin again when events come back."""
        self._feed.following = False


_PROGRESS = msgspec.json.Decoder(JudgeProgress)


class OnProgress:
    """A worker has judged another case: whoever watches the submission may be told."""

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
