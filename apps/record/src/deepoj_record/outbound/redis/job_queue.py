"""Whether a message is still in the queue, without reading a single job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, cast

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_kit.streams.connection import translated
from deepoj_kit.unavailable import Unavailable
from deepoj_record.commands.redispatch import QueuedMessage

EntryId = tuple[int, int]
_GONE: Final = ("no such key", "NOGROUP")


@dataclass(frozen=True, slots=True)
class _Progress:
    first: EntryId
    """The oldest entry there is."""
    read_up_to: EntryId
    """The newest entry the group has given to a worker."""
    last: EntryId
    """The newest entry there has ever been, as far as the server remembers."""


class RedisQueue:
    def __init__(self, redis: Redis, group: str) -> None:
        self._redis = redis
        self._group = group

    async def missing(self, messages: Sequence[QueuedMessage]) -> set[SubmissionId]:
        by_stream: dict[str, list[QueuedMessage]] = {}
        lost: set[SubmissionId] = set()
        for message in messages:
            if message.stream is None or message.entry_id is None:
                lost.add(message.submission_id)
            else:
                by_stream.setdefault(message.stream, []).append(message)
        for stream, placed in by_stream.items():
            lost |= await self._missing_in(stream, placed)
        return lost

    async def _missing_in(self, stream: str, placed: Sequence[QueuedMessage]) -> set[SubmissionId]:
        progress = await self._progress(stream)
        if progress is None:
            return {message.submission_id for message in placed}
        read = [message for message in placed if _id(message) <= progress.read_up_to]
        pending = await self._pending(stream, read)
        unread = [message for message in placed if _id(message) > progress.read_up_to]
        gone = {
            message.submission_id for message in unread if not progress.first <= _id(message) <= progress.last
        }
        return gone | {message.submission_id for message in read if message.submission_id not in pending}

    async def _progress(self, stream: str) -> _Progress | None:
        """Return None when the stream is not there at all."""
        try:
            with _answered():
                info = await self._redis.xinfo_stream(stream)
                groups = await self._redis.xinfo_groups(stream)
        except _GoneError:
            return None
        first = info["first-entry"]
        if first is None:
            return None
        ours = [group for group in groups if group["name"] == self._group.encode()]
        read_up_to = _parse(cast("bytes", ours[0]["last-delivered-id"])) if ours else (0, 0)
        last = _parse(cast("bytes", info["last-generated-id"]))
        return _Progress(_parse(cast("bytes", first[0])), read_up_to, last)

    async def _pending(self, stream: str, read: Sequence[QueuedMessage]) -> set[SubmissionId]:
        """Those a worker has and has not acknowledged: it, or whoever takes them over, will come back.

        Redis may lose the stream or the group since the last question; then nobody has any.
        """
        pipeline = self._redis.pipeline(transaction=False)
        for message in read:
            entry = str(message.entry_id)
            _ = pipeline.xpending_range(stream, self._group, min=entry, max=entry, count=1)
        try:
            with _answered():
                replies = cast("list[list[Mapping[str, object]]]", await pipeline.execute())
        except _GoneError:
            return set()
        return {message.submission_id for message, reply in zip(read, replies, strict=True) if reply}


class _GoneError(Exception):
    """There is no such stream, or no such group of it."""


@contextmanager
def _answered() -> Iterator[None]:
    """Only a stream that is gone has lost its messages; a refusal for another reason says nothing of them."""
    try:
        with translated():
            yield
    except ResponseError as error:
        if any(sign in str(error) for sign in _GONE):
            raise _GoneError from error
        raise Unavailable(f"Redis does not tell about the job queues: {error}") from error


def _id(message: QueuedMessage) -> EntryId:
    return _parse((message.entry_id or "0-0").encode())


def _parse(text: bytes) -> EntryId:
    milliseconds, _, sequence = text.partition(b"-")
    return int(milliseconds), int(sequence or 0)
