"""The stream of how the system is, when a part of the system refuses to say."""

from __future__ import annotations

import json
from typing import cast

import pytest

from deepoj_bff.inbound.http.auth.caller import Caller, Identity, Means
from deepoj_bff.inbound.http.sse.now_streams import NowStreams
from deepoj_bff.inbound.http.sse.open_streams import OpenStreams, StreamTerms
from deepoj_bff.inbound.http.sse.submission_feed import SubmissionFeed
from deepoj_bff.queries.now import ReadNow
from deepoj_bff.queries.services import Origin
from deepoj_domain.kernel.role import Actor
from deepoj_domain.testing import ROOT
from deepoj_kit.grpc import Kind, RemoteError

TERMS = StreamTerms(heartbeat=600.0, lifetime=600.0, most=1, most_of_one=1, most_of_guests=1, look=600.0)
ADMIN = Caller(Identity(ROOT, Means.COOKIE), Origin("192.0.2.1", ""))


async def refusing(actor: Actor | None) -> None:
    raise RemoteError(Kind.UNAVAILABLE, "store_unavailable", f"the database is away from {actor}")


@pytest.mark.parametrize("turn", [1, 2])
async def test_a_refusal_is_told_as_the_last_event_and_its_place_is_free_again(turn: int) -> None:
    opened = OpenStreams(TERMS, lambda _kind, _number: None)
    streams = NowStreams(cast("ReadNow", refusing), SubmissionFeed(bound=2), opened)
    for _ in range(turn):
        frames = [each.decode() async for each in streams.watch(ADMIN, "")]
        assert len(frames) == 1
        event, data = frames[0].strip().splitlines()
        assert event == "event: error"
        assert json.loads(data.removeprefix("data: "))["reason"] == "store_unavailable"
