"""Long work on a large contest, on the way an admin takes: `python -m benchmarks.game.work` from the root.

Every event of the contest was lost. Over gRPC, with game and record as processes of their own: a recompute,
the same again, an interval removed, a board of the past, and finalizing. While work is under way the board is
read again and again. `--full` is 10,000 participants with 15 problems and 500,000 submissions, one in ten of
them rejudged.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from statistics import median, quantiles
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import psycopg

from benchmarks.record.stage import Stage, stage
from deepoj_kit.grpc import Kind, RemoteError, connect
from deepoj_kit.grpc.mapping.values import timestamp
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.services import TOKEN
from deepoj_migrations import upgrade
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.game.v1.game_pb2_grpc import GameServiceStub

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub

FULL = (10_000, 15, 500_000)
LENGTH = timedelta(hours=5)
ADMIN = common_pb2.Actor(account_id=str(UUID(int=1)), role=common_pb2.ROLE_ADMIN)
# Accounts and questions are numbered; a rejudge is another member of its chain, the old one archived.
FILL = """
INSERT INTO record.rejudges (id, status, selection, reason, started_by, started_at, closed_at)
VALUES (%(rejudge)s, 'applied', '{}', 'bench', %(rejudge)s, %(start)s, %(end)s);
INSERT INTO record.submissions (
    id, account_id, question_id, question_revision, game_id, language, code_sha256, source_bytes, lane, band,
    status, attempt_id, verdict, score_micros, result, submitted_at, updated_at, finished_at, origin_id,
    standing, message_due)
SELECT id, account, question, 1, %(game)s, 'cpp17', sha256('x'), 1, 'heavy', 'contest', 'FINISHED', 1,
    verdict,
    CASE verdict WHEN 'AC' THEN 100000000 ELSE 0 END,
    jsonb_build_object('verdict', verdict, 'groups', jsonb_build_array(jsonb_build_object('group', 'all',
        'score', jsonb_build_object('micros', CASE verdict WHEN 'AC' THEN 100000000 ELSE 0 END)))),
    at, at, at + interval '5 seconds', id, CASE WHEN mod(n, 10) = 0 THEN 'archived' ELSE 'head' END, at
FROM (
    SELECT n, lpad(to_hex(n), 32, '0')::uuid AS id,
        lpad(to_hex(1000000000000 + mod(n::bigint * 7919, %(people)s)), 32, '0')::uuid AS account,
        lpad(to_hex(2000000000000 + mod(n::bigint * 104729 / 7, %(problems)s)), 32, '0')::uuid AS question,
        %(start)s + n * (%(end)s - %(start)s) / (%(submissions)s + 1) AS at,
        ('{WA,WA,WA,WA,WA,AC,AC,TLE,RE,CE}'::text[])[1 + mod(n::bigint * 31 / 3, 10)] AS verdict
    FROM generate_series(1, %(submissions)s) AS n
) AS made;
INSERT INTO record.submissions (
    id, account_id, question_id, question_revision, game_id, language, code_sha256, source_bytes, lane, band,
    status, attempt_id, verdict, score_micros, result, submitted_at, updated_at, finished_at, origin_id,
    rejudge_of, rejudge_id, standing, message_due)
SELECT lpad(to_hex(3000000000000 + ('x' || right(id::text, 8))::bit(32)::bigint), 32, '0')::uuid,
    account_id, question_id, 1,
    game_id, language, code_sha256, 1, lane, band, status, 1, verdict, score_micros, result, submitted_at,
    updated_at, finished_at, id, id, %(rejudge)s, 'head', message_due
FROM record.submissions WHERE game_id = %(game)s AND standing = 'archived';
"""
PEOPLE = """
INSERT INTO game.participants (game_id, account_id, display_name, kind, signed_up_at)
SELECT %(game)s, lpad(to_hex(1000000000000 + n), 32, '0')::uuid, 'team ' || n, 'official', now()
FROM generate_series(0, %(people)s - 1) AS n;
"""
Report = dict[str, dict[str, float | str]]


async def contest(game: GameServiceAsyncStub, problems: int) -> tuple[str, datetime]:
    start = datetime.now(UTC) - LENGTH - timedelta(hours=1)
    draft = game_pb2.Draft(
        title="Large",
        format=game_pb2.FORMAT_ICPC,
        schedule=game_pb2.Schedule(starts_at=timestamp(start), ends_at=timestamp(start + LENGTH)),
        problems=[
            game_pb2.Problem(question_id=str(UUID(int=2 * 10**12 + number)), label=f"P{number}")
            for number in range(problems)
        ],
    )
    request = game_pb2.CreateRequest(actor=ADMIN, game_id=str(uuid4()), draft=draft)
    return (await game.Create(request)).game.id, start


def fill(url: str, game_id: str, start: datetime, people: int, problems: int, submissions: int) -> None:
    values = {
        "game": game_id, "people": people, "problems": problems, "submissions": submissions,
        "start": start, "end": start + LENGTH, "rejudge": uuid4(),
    }  # fmt: skip
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(FILL, values)
        connection.execute(PEOPLE, values)
        connection.execute("VACUUM ANALYZE record.submissions, game.participants")


async def timed(call: Awaitable[object]) -> dict[str, float | str]:
    started, answer = time.perf_counter(), "ok"
    try:
        await call
    except RemoteError as error:
        answer = error.reason
    return {"ms": round(1000 * (time.perf_counter() - started), 1), "answer": answer}


async def done(game: GameServiceAsyncStub, game_id: str) -> None:
    async def nothing_left() -> bool:
        shown = await game.Get(game_pb2.GetRequest(actor=ADMIN, game_id=game_id))
        return not shown.game.HasField("work")

    await eventually(nothing_left, within=600)


async def meanwhile(game: GameServiceAsyncStub, game_id: str, work: Awaitable[None]) -> list[float]:
    """Read the game for as long as the work lasts; return what each answer took, in milliseconds."""
    running, times = asyncio.ensure_future(work), []
    while not running.done():
        started = time.perf_counter()
        await game.GetScoreboard(
            game_pb2.GetScoreboardRequest(actor=ADMIN, game_id=game_id, view=game_pb2.BOARD_VIEW_ADMIN)
        )
        times.append(1000 * (time.perf_counter() - started))
        await asyncio.sleep(0.05)
    await running
    return times


async def carried_out(
    game: GameServiceAsyncStub, game_id: str, begin: Callable[[], Awaitable[object]], submissions: int
) -> dict[str, float | str]:
    started = time.perf_counter()
    answered = await timed(begin())
    times = await meanwhile(game, game_id, done(game, game_id))
    spent = time.perf_counter() - started
    return {
        "answer_ms": answered["ms"],
        "seconds": round(spent, 1),
        "submissions_a_second": round(submissions / spent),
        "page_meanwhile_p50_ms": round(median(times), 1) if times else 0,
        "page_meanwhile_p99_ms": round(quantiles(times, n=100)[-1], 1) if len(times) > 1 else 0,
    }


async def past(game: GameServiceAsyncStub, game_id: str, at: datetime) -> dict[str, float | str]:
    """Ask until there is an answer, as the refusal says one should."""
    request = game_pb2.GetScoreboardRequest(
        actor=ADMIN, game_id=game_id, view=game_pb2.BOARD_VIEW_ADMIN, at=timestamp(at)
    )
    started, longest, asked = time.perf_counter(), 0.0, 0
    while True:
        before, asked = time.perf_counter(), asked + 1
        try:
            await game.GetScoreboard(request)
        except RemoteError as error:
            if error.kind is not Kind.EXHAUSTED:
                raise
            await asyncio.sleep(0.2)
        else:
            return {
                "seconds": round(time.perf_counter() - started, 1),
                "longest_answer_ms": round(1000 * max(longest, time.perf_counter() - before)),
                "asked": asked,
            }
        finally:
            longest = max(longest, time.perf_counter() - before)


async def measure(made: Stage, people: int, problems: int, submissions: int) -> Report:
    url = made.fresh("bench")
    upgrade(url, "game")
    common = {
        "postgres_url": url,
        "redis_url": made.redis_url,
        "env": "bench",
        "game_address": "unix:/nobody",
    }
    away = {"question_address": "unix:/nobody", "judgement_address": "unix:/nobody"}
    nowhere = {"s3_endpoint": "http://127.0.0.1:1", "s3_bucket": "bench"}
    record = made.starter("deepoj_record", common | away | nowhere)
    service = made.starter("deepoj_game", common | away | {"record_address": record.address})
    async with connect(service.address, Secret(TOKEN), deadline=timedelta(minutes=10)) as channel:
        game = GameServiceStub(channel)
        game_id, start = await contest(game, problems)
        fill(url, game_id, start, people, problems, submissions)
        report: Report = {}

        async def recompute() -> None:
            await anext(
                aiter(game.RecomputeScores(game_pb2.RecomputeScoresRequest(actor=ADMIN, game_id=game_id)))
            )

        async def remove() -> None:
            cut = game_pb2.Interval(before=timestamp(start + LENGTH / 2))
            getattr(cut, "from").CopyFrom(timestamp(start + LENGTH / 4))
            await game.RemoveInterval(
                game_pb2.RemoveIntervalRequest(actor=ADMIN, game_id=game_id, interval=cut)
            )

        report["recompute, all lost"] = await carried_out(game, game_id, recompute, submissions)
        report["recompute, nothing lost"] = await carried_out(game, game_id, recompute, submissions)
        report["remove an interval"] = await carried_out(game, game_id, remove, submissions)
        report["board of the past"] = await past(game, game_id, start + LENGTH / 2)
        report["the same again"] = await past(game, game_id, start + LENGTH / 2)
        report["finalize"] = await timed(
            game.Finalize(game_pb2.FinalizeRequest(actor=ADMIN, game_id=game_id))
        )
        return report


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.game.work", description=__doc__)
    parser.add_argument("--participants", type=int, default=1000)
    parser.add_argument("--problems", type=int, default=15)
    parser.add_argument("--submissions", type=int, default=50_000)
    parser.add_argument("--full", action="store_true", help="10,000 participants, 500,000 submissions")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    size = FULL if arguments.full else (arguments.participants, arguments.problems, arguments.submissions)
    if min(size) < 1:
        parser.error("at least one participant, problem and submission")
    with stage() as made:
        report = asyncio.run(measure(made, *size))
    if arguments.json:
        print(json.dumps(report))
        return 0
    for name, numbers in report.items():
        print(f"{name:26}", "  ".join(f"{key} {value}" for key, value in numbers.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
