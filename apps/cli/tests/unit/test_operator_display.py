"""What operators are shown: every trouble, and no text that speaks to the terminal."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta

import pytest
from rich.console import RenderableType

from deepoj.client.now_display import picture as picture_of_now
from deepoj.client.operator_wire import (
    Attempt,
    DeadGroup,
    Depth,
    Explanation,
    Job,
    Now,
    ProcessNow,
    Rates,
    Stores,
    Stuck,
    TracedDetail,
    TracedSubmission,
    Worker,
)
from deepoj.client.trace import picture, steps_of
from deepoj.client.words import length
from deepoj.console import QuietConsole

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)
HOSTILE = "[red]judge\x1b[2J[/red]"


def shown(renderable: RenderableType) -> str:
    file = io.StringIO()
    QuietConsole(file=file, width=200, highlight=False, emoji=False).print(renderable)
    return file.getvalue()


def test_every_trouble_is_on_the_screen() -> None:
    now = Now(
        sentence="Nobody judges.",
        sentence_code="no_worker",
        stuck=(Stuck(cause="no_worker", count=3, hint="Start a worker."),),
        queues=(Depth(lane="heavy", band="contest", waiting=7, oldest_wait_ms=65_000),),
        rates=Rates(per_minute=2.5, wait_p50_ms=40, wait_p95_ms=7_200_000),
        stores=Stores(postgres=True, redis=False, s3=None, outbox=12),
        processes=(ProcessNow(name="game", ok=False, why="refused"), ProcessNow(name="user", ok=True)),
        dead_groups=(DeadGroup(reason="attempts_exhausted", last_error=HOSTILE, submissions=4),),
    )
    text = shown(picture_of_now(now, AT))
    for part in (
        "Nobody judges.",
        "no_worker: 3. Start a worker.",
        "1 min 5 s",
        "2.5",
        "p50 40 ms, p95 2 h 0 min",
    ):
        assert part in text
    for part in ("outbox 12", "game is away: refused", "attempts_exhausted", "none"):
        assert part in text
    assert "user is away" not in text
    assert "\x1b" not in text
    assert "[red]judge" in text


def test_workers_are_shown_with_what_they_run_and_no_more_than_fit() -> None:
    job = Job(submission_id="0123", language="cpp", since=AT - timedelta(seconds=3))
    workers = tuple(Worker(name=f"{HOSTILE}-{n}", running=1, capacity=2, jobs=(job,)) for n in range(25))
    text = shown(picture_of_now(Now(sentence="Well.", workers=workers), AT))
    assert text.count("1/2") == 20
    assert "0123 cpp 3.0 s" in text
    assert "… 5 more" in text
    assert "\x1b" not in text


def test_what_canaries_say_against_a_worker_is_shown_beside_it() -> None:
    workers = (
        Worker(name="a", running=0, capacity=2, trouble=f"python3: {HOSTILE}", held_back=True),
        Worker(name="b", running=1, capacity=2, trouble="c11 takes 300 ms"),
    )
    text = shown(picture_of_now(Now(sentence="Well.", workers=workers), AT))
    assert "takes no jobs: python3: [red]judge" in text
    assert "c11 takes 300 ms" in text
    assert text.count("takes no jobs") == 1
    assert "\x1b" not in text


def traced() -> TracedDetail:
    submission = TracedSubmission(
        id="s", problem_id="p", language="cpp", status="running", problem_revision=2, origin_id="o",
        is_head=False, source_bytes=10, rejudge_of="first", submitted_at=AT,
    )  # fmt: skip
    second = AT + timedelta(seconds=2)
    attempts = (
        Attempt(attempt=2, worker="b", started_at=second + timedelta(minutes=2)),
        Attempt(attempt=1, worker=HOSTILE, started_at=AT + timedelta(milliseconds=250), ended_at=second,
                outcome="failed", reason="sandbox_away", toolchain="g++ 12"),
    )  # fmt: skip
    return TracedDetail(submission=submission, attempts=attempts)


def test_a_story_is_told_in_order_with_each_failure_and_its_reason() -> None:
    why = Explanation(lane="light", band="bulk", summary="It is being judged.", cause="running")
    steps = steps_of(traced(), why)
    assert [step.what for step in steps] == ["submitted", "attempt 1", "attempt 1", "attempt 2"]
    text = shown(picture(traced(), why))
    for part in (
        "light lane, bulk band, judged again in the place of first",
        "+250 ms",
        "failed: sandbox_away",
    ):
        assert part in text
    for part in ("with g++ 12", "+2 min 0 s", "claimed by b", "It is being judged.", "It does not count"):
        assert part in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0 ms"), (0.9994, "999 ms"), (59, "59.0 s"), (61, "1 min 1 s"), (7260, "2 h 1 min")],
)
def test_lengths_are_told_in_words(seconds: float, told: str) -> None:
    assert length(seconds) == told
