"""The submission streams: what a watcher is sent, and what it is spared."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import datetime

import msgspec
import pytest

from deepoj_bff.inbound.http.caller import Caller, Identity, Means, Origin
from deepoj_bff.inbound.http.live import OpenStreams, StreamTerms
from deepoj_bff.inbound.http.live_submissions import LiveSubmissions
from deepoj_bff.inbound.http.submission_views import SubmissionViews
from deepoj_bff.inbound.http.testing import ToldServices
from deepoj_bff.inbound.http.wire.base import PageInfo
from deepoj_bff.inbound.http.wire.submission import Status, Submission, SubmissionDetail, Submissions
from deepoj_bff.inbound.stream.on_submission_changed import OnSubmissionChanged
from deepoj_bff.queries.cache import Cache, Lifetimes
from deepoj_bff.queries.feed import Feed
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.submission import Standing
from deepoj_domain.testing import ALICE
from deepoj_kit.grpc import Kind, RemoteError

ADA = Caller(Identity(Actor(ALICE, Role.CONTESTANT), Means.BEARER), Origin("192.0.2.1", ""))
GET, LIST = ("record", "Get"), ("record", "List")
HIDDEN = RemoteError(Kind.NOT_FOUND, "not_found", "there is no such submission")


def a_submission(submission_id: str, status: Status) -> Submission:
    return Submission(
        id=submission_id,
        account_id=ADA.account_id,
        question_id="q",
        question_revision=1,
        game_id=None,
        language="cpp17",
        status=status,
        attempt_id=1,
        result=None,
        submitted_at=datetime.fromisoformat("2026-01-01T12:00:00Z"),
        finished_at=None,
        origin_id=submission_id,
        rejudge_of=None,
        is_head=True,
        source_bytes=1,
        reason=None,
    )


def a_detail(submission_id: str, status: Status) -> SubmissionDetail:
    return SubmissionDetail(submission=a_submission(submission_id, status), attempts=[])


def a_list(*submissions: Submission) -> Submissions:
    return Submissions(submissions=list(submissions), page=PageInfo(next_cursor=None))


class Stage:
    """A door of its own for each test; events arrive when the test says so."""

    def __init__(self, heartbeat: float = 30.0, lifetime: float = 600.0) -> None:
        self.services = ToldServices()
        self.services.answers[LIST] = a_list()
        self.feed = Feed(bound=2)
        self.dropped: list[str] = []
        views = SubmissionViews(
            self.services, Cache(Lifetimes(fresh=0.0, stale=0.0, negative=0.0), None, lambda _: None)
        )
        terms = StreamTerms(heartbeat=heartbeat, lifetime=lifetime, most=10, most_of_one=5)
        self.open = OpenStreams(terms, lambda _kind, _number: None)
        self.live = LiveSubmissions(self.services, views, self.feed, self.open, self.dropped.append)
        self.listener = OnSubmissionChanged(self.feed, views.forget)

    def happens(self, position: str, submission_id: str, standing: Standing = Standing.HEAD) -> None:
        facts = {"id": submission_id, "account_id": ADA.account_id, "standing": standing}
        self.listener.on_event(position, {b"data": msgspec.json.encode({"submission": facts})})


@pytest.fixture
def stage() -> Stage:
    return Stage()


def parsed(frame: bytes) -> tuple[str, str, object]:
    """Return name, id and data of an event; a sign of life has none."""
    fields = dict(line.split(": ", 1) for line in frame.decode().strip().splitlines())
    return fields.get("event", ""), fields.get("id", ""), json.loads(fields.get("data", "null"))


async def named(frames: AsyncIterator[bytes]) -> tuple[str, str]:
    name, event_id, _ = parsed(await anext(frames))
    return name, event_id


async def test_the_owners_stream_outlives_a_rejudge_and_tells_when_it_is_applied(stage: Stage) -> None:
    stage.services.answers[GET] = HIDDEN
    mine = stage.live.of_account(ADA, "")
    assert await named(mine) == ("snapshot", "")
    stage.happens("1-0", "candidate", Standing.CANDIDATE)
    stage.services.answers[GET] = a_detail("applied", Status.FINISHED)
    stage.happens("2-0", "applied")
    assert await named(mine) == ("submission", "2-0")
    assert await named(stage.live.of_account(ADA, "1-0")) == ("submission", "2-0")
    asked = [fields["submission_id"] for _, method, fields in stage.services.asked if method == "Get"]
    assert asked == ["applied", "applied"]


async def test_what_the_caller_may_no_longer_know_of_is_passed_over(stage: Stage) -> None:
    stage.services.answers[GET] = HIDDEN
    mine = stage.live.of_account(ADA, "")
    await anext(mine)
    stage.happens("1-0", "vanished")
    stage.feed.begin_again("2-0")
    assert await named(mine) == ("snapshot", "2-0")


async def test_a_candidate_is_shown_live_to_those_who_ask_for_it_by_its_id(stage: Stage) -> None:
    stage.services.answers[GET] = a_detail("candidate", Status.RUNNING)
    frames = stage.live.of_one("candidate", ADA, "")
    assert (await named(frames))[0] == "submission"
    stage.services.answers[GET] = a_detail("candidate", Status.FINISHED)
    stage.happens("1-0", "candidate", Standing.CANDIDATE)
    assert [(await named(frames))[0], (await named(frames))[0]] == ["submission", "end"]
