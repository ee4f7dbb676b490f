"""A real contest through the running service, beside the real record service.

The board must be the one its organisers published, however the events came, and after a recompute even if
they did not come at all.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import NAMESPACE_OID, uuid4, uuid5

import msgspec
import psycopg
import pytest
from redis.asyncio import Redis

from apps.game.tests.contests import ORGANISER, contestant
from apps.game.tests.events import Sent, publish
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.streams import Streams
from deepoj_domain.testing import a_result
from deepoj_kit.grpc import RemoteError, connect
from deepoj_kit.grpc.mapping.values import timestamp
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.services import TOKEN, ServiceStarter
from deepoj_kit.testing.streams import settled
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.game.v1.game_pb2_grpc import GameServiceStub

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub

DATA = Path(__file__).parents[1] / "data" / "regional-50"
EXPECTED = json.loads((DATA / "expected.json").read_text())
LABELS = "ABCDEFGHIJK"
VERDICTS = {"AC": Verdict.ACCEPTED, "REJ": Verdict.WRONG_ANSWER, "CE": Verdict.COMPILE_ERROR}
LENGTH = timedelta(milliseconds=EXPECTED["length_ms"])
START = datetime.now(UTC).replace(microsecond=0) - LENGTH - timedelta(minutes=1)


def account(team: str) -> str:
    return str(uuid5(NAMESPACE_OID, team))


def question(label: str) -> str:
    return str(uuid5(NAMESPACE_OID, f"problem {label}"))


def submissions(game_id: str) -> list[Sent]:
    lines = [json.loads(line) for line in (DATA / "log.jsonl").read_text().splitlines()]
    return [
        Sent(
            game_id=game_id,
            account_id=account(line["team"]),
            question_id=question(line["problem"]),
            at=START + timedelta(milliseconds=line["ms"]),
            verdict=VERDICTS[line["verdict"]],
            id=uuid5(NAMESPACE_OID, game_id + line["id"]),
        )
        for line in lines
    ]


def a_contest() -> game_pb2.CreateRequest:
    """Opened in time for everybody to sign up; the log begins when the schedule is moved to its start."""
    start = datetime.now(UTC) + timedelta(hours=1)
    draft = game_pb2.Draft(
        title="Regional final",
        format=game_pb2.FORMAT_ICPC,
        schedule=game_pb2.Schedule(starts_at=timestamp(start), ends_at=timestamp(start + LENGTH)),
        problems=[game_pb2.Problem(question_id=question(label), label=label) for label in LABELS],
    )
    return game_pb2.CreateRequest(actor=ORGANISER, game_id=str(uuid4()), draft=draft)


async def opened(game: GameServiceAsyncStub, frozen_for: timedelta = timedelta(0)) -> str:
    """Make the contest, sign all teams up, and move it to the past."""
    request = a_contest()
    made = (await game.Create(request)).game
    teams = [row["team"] for row in EXPECTED["rows"]]
    await asyncio.gather(
        *(
            game.SignUp(
                game_pb2.SignUpRequest(actor=contestant(account(team)), game_id=made.id, display_name=team)
            )
            for team in teams
        )
    )
    request.draft.schedule.CopyFrom(
        game_pb2.Schedule(
            starts_at=timestamp(START),
            ends_at=timestamp(START + LENGTH),
            freezes_at=timestamp(START + LENGTH - frozen_for) if frozen_for else None,
        )
    )
    await game.Update(
        game_pb2.UpdateRequest(actor=ORGANISER, game_id=made.id, version=made.version, draft=request.draft)
    )
    return made.id


async def whole_board(
    game: GameServiceAsyncStub, game_id: str, view: game_pb2.BoardView.ValueType = game_pb2.BOARD_VIEW_PUBLIC
) -> list[game_pb2.BoardRow]:
    rows: list[game_pb2.BoardRow] = []
    request = game_pb2.GetScoreboardRequest(actor=ORGANISER, game_id=game_id, view=view)
    while True:
        page = await game.GetScoreboard(request)
        rows += page.rows
        if not page.page.next_cursor:
            return rows
        request.page.cursor = page.page.next_cursor
        request.page.size = 20


def assert_official(rows: list[game_pb2.BoardRow]) -> None:
    found = {row.participant.display_name: row for row in rows}
    assert len(found) == len(rows) == len(EXPECTED["rows"])
    ranks = [row.rank for row in rows]
    assert ranks == sorted(ranks)
    for place, row in enumerate(EXPECTED["rows"], start=1):
        mine = found[row["team"]]
        assert (mine.solved, mine.penalty_minutes) == (row["solved"], row["penalty"]), row["team"]
        assert mine.rank <= place
        for cell in mine.cells:
            official = row["problems"][cell.label]
            assert cell.solved == official["accepted"], (row["team"], cell.label)
            assert cell.rejected + cell.solved == official["attempts"], (row["team"], cell.label)
            if cell.solved:
                assert cell.solved_after.ToMilliseconds() == official["time_ms"], (row["team"], cell.label)


@pytest.fixture(scope="module")
def record_address(start: ServiceStarter, shared_url: str, servers: Servers, shared_env: str) -> str:
    settings = {
        "postgres_url": shared_url,
        "redis_url": servers.redis_url,
        "question_address": "unix:/nobody",
        "game_address": "unix:/nobody",
        "judgement_address": "unix:/nobody",
        "env": shared_env,
    }
    return start(
        "deepoj_record", settings | {"s3_endpoint": "http://127.0.0.1:1", "s3_bucket": "nowhere"}
    ).address


def into_record(url: str, sent: list[Sent]) -> None:
    """Judged submissions as record would have them by now."""
    rows = [
        (
            each.id, each.account_id, each.question_id, each.game_id, hash_of(b"").encode()[:32], each.at,
            each.at, each.id, each.at, each.verdict, each.judged().outcome.score.micros,
            msgspec.json.encode(a_result(each.verdict)).decode(), each.judged().occurred_at,
        )
        for each in sent
    ]  # fmt: skip
    with psycopg.connect(url) as connection:
        connection.cursor().executemany(
            """INSERT INTO record.submissions (id, account_id, question_id, question_revision, game_id,
            language, lane, band, status, attempt_id, code_sha256, source_bytes, submitted_at, updated_at,
            origin_id, standing, message_due, verdict, score_micros, result, finished_at)
            VALUES (%s, %s, %s, 1, %s, 'cpp17', 'heavy', 'contest', 'FINISHED', 1, %s, 1, %s, %s, %s,
            'head', %s, %s, %s, %s, %s)""",
            rows,
        )


async def recompute(
    game: GameServiceAsyncStub, game_id: str, account_id: str = ""
) -> tuple[list[game_pb2.RecomputeProgress], game_pb2.RecomputeDone]:
    request = game_pb2.RecomputeScoresRequest(actor=ORGANISER, game_id=game_id, account_id=account_id)
    steps = [step async for step in game.RecomputeScores(request, timeout=100)]
    return [step.progress for step in steps[:-1]], steps[-1].done


async def test_the_board_equals_the_official_standings_whatever_order_the_events_came_in(
    game: GameServiceAsyncStub, redis: Redis, shared_env: str
) -> None:
    game_id = await opened(game)
    events = [event for sent in submissions(game_id) for event in sent.told()]
    # Some twice, and none in its order.
    events += events[::7]
    random.Random(50).shuffle(events)  # noqa: S311 — a fixed shuffle
    await publish(redis, shared_env, events)
    await eventually(partial(all_applied, redis, shared_env), within=90)
    assert_official(await whole_board(game, game_id))


async def all_applied(redis: Redis, env: str) -> bool:
    return await settled(redis, Streams(env).submission_events, "game")


async def test_a_recompute_repairs_a_board_whose_events_were_lost_and_changes_nothing_the_second_time(
    game: GameServiceAsyncStub, redis: Redis, shared_env: str, shared_url: str
) -> None:
    game_id = await opened(game)
    sent = submissions(game_id)
    into_record(shared_url, sent)
    events = [event for each in sent for event in each.told()]
    await publish(redis, shared_env, [event for place, event in enumerate(events) if place % 5])
    await eventually(partial(all_applied, redis, shared_env), within=90)
    before = await whole_board(game, game_id)
    snapshot = await game.GetScoreboard(game_pb2.GetScoreboardRequest(actor=ORGANISER, game_id=game_id))

    progress, done = await recompute(game, game_id)
    after = await whole_board(game, game_id)
    assert_official(after)
    assert progress[0].work.kind == "recompute"
    assert progress[-1].submissions_read in {0, len(sent)}, "read in one go, and seen now and then"
    assert done.submissions == len(sent)
    assert done.submissions_corrected > 100
    moved = {row.participant.account_id: row for row in after}
    for row in before:
        if row != moved[row.participant.account_id]:
            assert row.participant.account_id in {change.account_id for change in done.changes}
    assert all(change.reason for change in done.changes)

    _, again = await recompute(game, game_id)
    assert (again.submissions, again.rows_changed, again.submissions_corrected) == (len(sent), 0, 0)
    assert await whole_board(game, game_id) == after
    watch = game.WatchScoreboard(
        game_pb2.WatchScoreboardRequest(actor=ORGANISER, game_id=game_id, after_sequence=snapshot.sequence),
        timeout=60,
    )
    first = await anext(aiter(watch))
    assert (first.sequence, first.reload) == (snapshot.sequence + 1, True)
    with psycopg.connect(shared_url) as connection:
        audit = connection.execute(
            "SELECT actor_id::text, (details->>'rows_changed')::int FROM game.audit"
            " WHERE game_id = %s AND action = 'recompute' ORDER BY id", (game_id,),
        ).fetchall()  # fmt: skip
        boards = connection.execute("SELECT count(*) FROM game.boards WHERE game_id = %s", (game_id,))
        assert boards.fetchone() == (1,)
    assert audit == [(ORGANISER.account_id, done.rows_changed), (ORGANISER.account_id, 0)]


async def test_one_participant_is_recomputed_and_the_others_stay_as_they_are(
    game: GameServiceAsyncStub, shared_url: str
) -> None:
    game_id = await opened(game)
    sent = submissions(game_id)
    into_record(shared_url, sent)
    team = account("t001")
    _, done = await recompute(game, game_id, team)
    assert done.submissions == len([each for each in sent if each.account_id == team])
    rows = {row.participant.display_name: row for row in await whole_board(game, game_id)}
    official = EXPECTED["rows"][0]
    assert (rows["t001"].rank, rows["t001"].solved, rows["t001"].penalty_minutes) == (
        1,
        official["solved"],
        official["penalty"],
    )
    assert all(row.solved == 0 for name, row in rows.items() if name != "t001")
    _, again = await recompute(game, game_id, team)
    assert again.rows_changed == again.submissions_corrected == 0


async def test_a_recompute_goes_on_wherever_its_process_was_killed(
    game_url: str, shared_url: str, start: ServiceStarter, settings: dict[str, str]
) -> None:
    """Four processes in a row die at four points of the same work; the fifth finishes it."""
    own = settings | {"postgres_url": game_url}
    first = start("deepoj_game", own | {"fail_point": "work_reading"})
    async with connect(first.address, Secret(TOKEN)) as channel:
        game = GameServiceStub(channel)
        game_id = await opened(game)
        into_record(shared_url, submissions(game_id))
        with pytest.raises(RemoteError):
            await recompute(game, game_id)
    for point in ("work_scoring", "work_switching", "work_switched"):
        doomed = start("deepoj_game", own | {"fail_point": point}, wait=False)
        await eventually(lambda process=doomed.process: process.exit_code() is not None, within=60)
        assert doomed.process.exit_code() == -signal.SIGKILL
    last = start("deepoj_game", own)
    async with connect(last.address, Secret(TOKEN)) as channel:
        game = GameServiceStub(channel)
        assert_official(await whole_board(game, game_id))
        [work] = (await game.ListWork(game_pb2.ListWorkRequest(actor=ORGANISER, game_id=game_id))).work
        assert work.state == game_pb2.WORK_STATE_DONE
        assert work.result.submissions == len(submissions(game_id))

        def only_one_is_left() -> bool:
            with psycopg.connect(game_url) as connection:
                boards = connection.execute("SELECT count(*) FROM game.boards").fetchone()
                audit = connection.execute("SELECT count(*) FROM game.audit WHERE action = 'recompute'")
                return (boards, audit.fetchone()) == ((1,), (1,))

        await eventually(only_one_is_left, within=60)
        _, done = await recompute(game, game_id)
        assert (done.rows_changed, done.submissions_corrected) == (0, 0)
