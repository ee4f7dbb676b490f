"""The event stream of how the system is, for operators."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import Final

from deepoj_bff.inbound.http.auth.caller import Caller
from deepoj_bff.inbound.http.sse.frames import Event
from deepoj_bff.inbound.http.sse.open_streams import OpenStreams, Pulse, placed
from deepoj_bff.inbound.http.sse.submission_feed import SubmissionFeed
from deepoj_bff.queries.now import ReadNow

# No event bears this name: a watch on it only ends with the server.
_NOTHING: Final = "now"


@dataclass(frozen=True, slots=True)
class NowStreams:
    now: ReadNow
    feed: SubmissionFeed
    open_streams: OpenStreams

    def watch(self, caller: Caller, seen: str) -> AsyncIterator[bytes]:
        """Yield how it is, unless the client had that, and again when it is different."""
        return placed(self.open_streams.take("now", caller), self._events(caller, seen))

    async def _events(self, caller: Caller, seen: str) -> AsyncGenerator[Event | None]:
        pulse = Pulse(self.open_streams.terms)
        with self.feed.watch(_NOTHING) as watch:
            while not watch.closed and not pulse.over:
                found = await self.now(caller.actor)
                tag = found.etag.strip('"')
                if tag != seen:
                    seen = tag
                    pulse.spoke()
                    yield Event("now", found.body or b"{}", tag)
                elif pulse.due:
                    pulse.spoke()
                    yield None
                await watch.news(pulse.look)
