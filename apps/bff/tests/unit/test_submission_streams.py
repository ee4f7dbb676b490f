"""The submission streams: what a watcher is sent, and what it is spared."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping

import msgspec
import pytest

from apps.bff.tests.fakes import ToldServices, a_detail, a_submission, unnamed
from deepoj_bff.container import STATUS
from deepoj_bff.inbound.http.auth.caller import Caller, Identity, Means
from deepoj_bff.inbound.http.errors import ApiError
from deepoj_bff.inbound.http.sse.open_streams import OpenStreams, StreamTerms
from deepoj_bff.inbound.http.sse.submission_feed import SubmissionFeed
from deepoj_bff.inbound.http.sse.submission_streams import SubmissionStreams
from deepoj_bff.inbound.stream.on_submission import OnProgress, OnSubmissionChanged
from deepoj_bff.outbound.answer_cache import AnswerCache, Lifetimes
from deepoj_bff.queries.services import Origin
from deepoj_bff.queries.submissions import ReadSubmissions
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.submission import Status, Submission, Submissions
from deepoj_domain.judgement.progress import progress_of
from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.submission import Standing
from deepoj_domain.testing import ALICE
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.testing.conditions import eventually

ADA = Caller(Identity(Actor(ALICE, Role.CONTESTANT), Means.BEARER), Origin("192.0.2.1", ""))
GET, LIST = ("record", "Get"), ("record", "List")
HIDDEN = RemoteError(Kind.NOT_FOUND, "not_found", "there is no such submission")


def a_list(*submissions: Submission) -> Submissions:
    return Submissions(submissions=list(submissions), page=PageInfo(next_cursor=None))


class Stage:
    """A door of its own for each test; events arrive when the test says so."""

    def __init__(self, heartbeat: float = 30.0, lifetime: float = 600.0, look: float = 600.0) -> None:
        self.services = ToldServices()
        self.services.answers[LIST] = a_list()
        self.feed = SubmissionFeed(bound=2)
        self.dropped: list[str] = []
        submissions = ReadSubmissions(
            self.services,
            AnswerCache(Lifetimes(fresh=0.0, stale=0.0, negative=0.0), None, lambda _: None),
            unnamed,
        )
        terms = StreamTerms(
            heartbeat=heartbeat, lifetime=lifetime, most=10, most_of_one=5, most_of_guests=5, look=look
        )
        self.open = OpenStreams(terms, lambda _kind, _number: None)
        self.live = SubmissionStreams(submissions, self.feed, self.open, self.dropped.append)
        self.listener = OnSubmissionChanged(self.feed, submissions.forget)
        self.listener.on_following("0-0")

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
    assert await named(mine) == ("snapshot", "0-0")
    stage.happens("1-0", "candidate", Standing.CANDIDATE)
    stage.services.answers[GET] = a_detail("applied", Status.FINISHED)
    stage.happens("2-0", "applied")
    assert await named(mine) == ("submission", "2-0")
    assert await named(stage.live.of_account(ADA, "0-0")) == ("submission", "2-0")
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


AWAY = RemoteError(Kind.UNAVAILABLE, "unavailable", "record is away")


async def test_a_verdict_whose_event_was_lost_reaches_both_streams_all_the_same() -> None:
    stage = Stage(look=0.01)
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)
    stage.services.answers[LIST] = a_list(a_submission("s1", Status.RUNNING), a_submission("s0", Status.DEAD))
    one, mine = stage.live.of_one("s1", ADA, ""), stage.live.of_account(ADA, "")
    assert [(await named(one))[0], (await named(mine))[0]] == ["submission", "snapshot"]
    stage.services.answers[GET] = a_detail("s1", Status.FINISHED)
    assert [(await named(one))[0], (await named(one))[0]] == ["submission", "end"]
    name, _, data = parsed(await anext(mine))
    assert (name, data["submission"]["status"]) == ("submission", "finished")  # type: ignore[index]


async def test_an_end_that_was_found_by_looking_is_not_told_again_by_its_event() -> None:
    stage = Stage(look=0.01)
    stage.services.answers[LIST] = a_list(a_submission("s1", Status.RUNNING))
    stage.services.answers[GET] = a_detail("s1", Status.FINISHED)
    mine = stage.live.of_account(ADA, "")
    assert [(await named(mine))[0] for _ in range(2)] == ["snapshot", "submission"]
    stage.happens("1-0", "s1")
    stage.happens("2-0", "s2")
    assert await named(mine) == ("submission", "2-0")


async def test_what_a_look_found_and_kept_to_itself_is_told_by_its_event() -> None:
    stage = Stage(look=0.01)
    stage.services.answers[LIST] = a_list(a_submission("s1", Status.RUNNING))
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)
    mine = stage.live.of_account(ADA, "")
    assert (await named(mine))[0] == "snapshot"
    asked = len(stage.services.asked)
    waiting = asyncio.create_task(named(mine))
    await eventually(lambda: len(stage.services.asked) > asked + 1)
    stage.happens("1-0", "s1")
    assert await waiting == ("submission", "1-0")


async def test_a_resumed_stream_waits_for_what_was_unfinished_before() -> None:
    stage = Stage(look=0.01)
    stage.services.answers[LIST] = a_list(a_submission("s1", Status.RUNNING))
    stage.services.answers[GET] = a_detail("s1", Status.FINISHED)
    name, _, data = parsed(await anext(stage.live.of_account(ADA, "0-0")))
    assert (name, data["submission"]["status"]) == ("submission", "finished")  # type: ignore[index]


async def test_whoever_waits_for_no_verdict_asks_nobody_while_events_arrive() -> None:
    stage = Stage(look=0.01, heartbeat=0.1)
    stage.services.answers[LIST] = a_list(a_submission("s0", Status.FINISHED))
    mine = stage.live.of_account(ADA, "")
    assert [parsed(await anext(mine))[0] for _ in range(3)] == ["snapshot", "", ""]
    assert len(stage.services.asked) == 1


async def test_while_events_do_not_arrive_new_submissions_are_found_by_looking() -> None:
    stage = Stage(look=0.01)
    mine = stage.live.of_account(ADA, "")
    await anext(mine)
    stage.listener.on_lost()
    stage.services.answers[LIST] = a_list(a_submission("s1", Status.PENDING))
    name, _, data = parsed(await anext(mine))
    assert (name, data["items"][0]["id"]) == ("snapshot", "s1")  # type: ignore[index]


async def test_a_look_that_nobody_answers_is_repeated_and_a_refusal_ends_the_stream() -> None:
    stage = Stage(look=0.01, heartbeat=0.05)
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)
    stage.services.answers[LIST] = a_list(a_submission("s1", Status.RUNNING))
    one, mine = stage.live.of_one("s1", ADA, ""), stage.live.of_account(ADA, "")
    await anext(one)
    await anext(mine)
    stage.services.answers[GET] = AWAY
    assert [parsed(await anext(frames))[0] for frames in (one, mine)] == ["", ""]
    stage.services.answers[GET] = HIDDEN
    while (name := parsed(await anext(one))[0]) == "":
        pass
    assert name == "error"


def test_with_the_age_of_a_view_a_lost_event_is_noticed_within_five_seconds() -> None:
    terms = StreamTerms(heartbeat=15, lifetime=60, most=1, most_of_one=1, most_of_guests=1)
    assert terms.look + STATUS.fresh + STATUS.stale <= 5


async def test_a_reader_too_slow_for_its_changes_is_dropped_and_counted(stage: Stage) -> None:
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)
    mine = stage.live.of_account(ADA, "")
    await anext(mine)
    for number in range(3):
        stage.happens(f"{number + 1}-0", f"s{number}")
    assert [each async for each in mine] == []
    assert stage.dropped == ["my_submissions"]


async def test_a_reader_that_is_cut_off_in_the_midst_of_a_change_is_counted_too(stage: Stage) -> None:
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)
    mine = stage.live.of_account(ADA, "")
    await anext(mine)
    stage.happens("1-0", "s1")
    await anext(mine)
    for number in range(3):
        stage.happens(f"{number + 2}-0", f"s{number}")
    await mine.aclose()  # type: ignore[attr-defined]  # it is a generator
    assert stage.dropped == ["my_submissions"]


@pytest.mark.parametrize("kind", ["one", "mine"])
async def test_a_stream_ends_after_its_lifetime_and_leaves_its_place(kind: str) -> None:
    stage = Stage(heartbeat=0.02, lifetime=0.1)
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)

    def opened() -> AsyncIterator[bytes]:
        return stage.live.of_one("s1", ADA, "") if kind == "one" else stage.live.of_account(ADA, "")

    first, *signs = [parsed(each)[0] async for each in opened()]
    assert first == ("submission" if kind == "one" else "snapshot")
    assert set(signs) == {""}, "and before that signs of life"
    kept = [opened() for _ in range(stage.open.terms.most_of_one)]
    assert stage.dropped == []
    with pytest.raises(ApiError, match="5 event streams open"):
        opened()
    assert len(kept) == 5


async def test_both_streams_end_with_the_process(stage: Stage) -> None:
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)
    one, mine = stage.live.of_one("s1", ADA, ""), stage.live.of_account(ADA, "")
    await anext(one)
    await anext(mine)
    stage.feed.close()
    assert [each async for each in one] == [each async for each in mine] == []


async def test_who_comes_from_a_quicker_front_door_is_told_neither_twice_nor_less(stage: Stage) -> None:
    stage.happens("4-0", "s1")
    stage.services.answers[GET] = a_detail("s2", Status.RUNNING)
    frames = stage.live.of_account(ADA, "5-0")
    coming = asyncio.ensure_future(named(frames))
    await asyncio.sleep(0)
    for position, submission_id in (("5-0", "s1"), ("6-0", "s2")):
        stage.happens(position, submission_id)
    assert await coming == ("submission", "6-0")
    invented = stage.live.of_account(ADA, "7-0")
    assert await named(invented) == ("snapshot", "6-0")


async def test_whoever_has_seen_a_state_is_not_sent_it_again(stage: Stage) -> None:
    stage.services.answers[GET] = a_detail("s1", Status.FINISHED)
    _, tag, _ = parsed(await anext(stage.live.of_one("s1", ADA, "")))
    assert [parsed(each)[0] async for each in stage.live.of_one("s1", ADA, tag)] == ["end"]


def some_progress(done: int, attempt_id: int = 1) -> Mapping[bytes, bytes]:
    results = [CaseResult.accepted(str(number)) for number in range(1, done + 1)]
    return {b"data": msgspec.json.encode(progress_of("s1", attempt_id, results, 3))}


async def test_whoever_is_shown_the_cases_is_told_of_each_while_it_is_judged(stage: Stage) -> None:
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)
    frames, worker = stage.live.of_one("s1", ADA, ""), OnProgress(stage.feed)
    assert (await named(frames))[0] == "submission"
    worker.on_event("1-0", some_progress(2))
    name, event_id, told = parsed(await anext(frames))
    case = {"verdict": "AC", "time_ms": 0, "memory_bytes": 0}
    assert (name, event_id) == ("progress", "")
    assert told == {
        "submission_id": "s1",
        "attempt": 1,
        "done": 2,
        "total": 3,
        "verdict": "AC",
        "cases": [{"number": 1, **case}, {"number": 2, **case}],
    }


async def test_progress_of_an_attempt_that_was_replaced_and_what_is_no_progress_are_passed_over(
    stage: Stage,
) -> None:
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)
    frames, worker = stage.live.of_one("s1", ADA, ""), OnProgress(stage.feed)
    assert (await named(frames))[0] == "submission"
    worker.on_event("1-0", some_progress(2, attempt_id=0))
    worker.on_event("2-0", {b"data": b"{}"})
    worker.on_event("3-0", some_progress(1))
    _, _, told = parsed(await anext(frames))
    assert isinstance(told, dict)
    assert (told["attempt"], told["done"]) == (1, 1)


async def test_the_owners_stream_tells_of_each_case_too_until_the_verdict(stage: Stage) -> None:
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)
    mine, worker = stage.live.of_account(ADA, ""), OnProgress(stage.feed)
    assert await named(mine) == ("snapshot", "0-0")
    worker.on_event("1-0", some_progress(1))
    stage.happens("1-0", "s1")
    assert await named(mine) == ("submission", "1-0")
    worker.on_event("2-0", some_progress(1))
    worker.on_event("3-0", some_progress(2))
    name, event_id, told = parsed(await anext(mine))
    assert isinstance(told, dict)
    assert (name, event_id, told["submission_id"], told["done"]) == ("progress", "", "s1", 2)
    stage.services.answers[GET] = a_detail("s1", Status.FINISHED)
    worker.on_event("4-0", some_progress(3))
    assert (await named(mine))[0] == "submission"
    stage.happens("2-0", "s2")
    worker.on_event("5-0", some_progress(3))
    assert await named(mine) == ("submission", "2-0")


async def test_the_owner_who_is_not_shown_the_cases_is_told_nothing_either_and_not_woken(
    stage: Stage,
) -> None:
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING, shows_cases=False)
    mine, worker = stage.live.of_account(ADA, ""), OnProgress(stage.feed)
    assert await named(mine) == ("snapshot", "0-0")
    stage.happens("1-0", "s1")
    assert await named(mine) == ("submission", "1-0")
    waiting = asyncio.ensure_future(anext(mine))
    await asyncio.sleep(0)
    asked = len(stage.services.asked)
    worker.on_event("1-0", some_progress(1))
    stage.services.answers[GET] = a_detail("s1", Status.FINISHED, shows_cases=False)
    stage.happens("2-0", "s1")
    assert parsed(await waiting)[:2] == ("submission", "2-0")
    assert len(stage.services.asked) == asked + 1


async def test_a_submission_that_was_there_before_the_stream_is_told_of_after_a_look() -> None:
    stage = Stage(look=0.01, heartbeat=0.05)
    stage.services.answers[LIST] = a_list(a_submission("s1", Status.RUNNING))
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING)
    mine, worker = stage.live.of_account(ADA, ""), OnProgress(stage.feed)
    assert [await named(mine), await named(mine)] == [("snapshot", "0-0"), ("", "")]
    worker.on_event("1-0", some_progress(1))
    assert await named(mine) == ("progress", "")


async def test_whoever_is_not_shown_the_cases_is_told_nothing_and_not_even_woken(stage: Stage) -> None:
    stage.services.answers[GET] = a_detail("s1", Status.RUNNING, shows_cases=False)
    frames, worker = stage.live.of_one("s1", ADA, ""), OnProgress(stage.feed)
    assert (await named(frames))[0] == "submission"
    waiting = asyncio.ensure_future(anext(frames))
    asked = len(stage.services.asked)
    worker.on_event("1-0", some_progress(1))
    stage.services.answers[GET] = a_detail("s1", Status.FINISHED, shows_cases=False)
    stage.happens("2-0", "s1")
    assert parsed(await waiting)[0] == "submission"
    assert len(stage.services.asked) == asked + 1
