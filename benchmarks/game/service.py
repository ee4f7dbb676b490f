"""What the game service costs at full size: `python -m benchmarks.game.service` from the repository's root.

One judged event is applied through the use case, in a transaction of its own, as the consumer does when
nothing else waits. A page is read through the query that gRPC calls, from the read model. Throw-away
PostgreSQL; nothing is counted while it is filled. The design asks for 5 ms an event and 20 ms a page (p99).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

import psycopg

from benchmarks.game.crowd import Crowd
from deepoj_domain.game.format import Format
from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.touched import Touched
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, SubmissionId
from deepoj_domain.kernel.paging import PageRequest
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import a_game, uuid
from deepoj_game.commands.apply_submission_events import Known
from deepoj_game.commands.ports import GameWrite, Log
from deepoj_game.commands.rescore import rescored
from deepoj_game.container import Container
from deepoj_game.outbound.postgres.board_rows import write_rows
from deepoj_game.outbound.postgres.game_lock import read_counter
from deepoj_game.settings import GameSettings
from deepoj_kit.embedded.postgres import postgres
from deepoj_kit.embedded.process import RunningProcess
from deepoj_kit.lifecycle import Process
from deepoj_kit.settings import Secret
from deepoj_migrations import upgrade

PASSWORD = "throw-away"  # noqa: S105 — guards a server that lives as long as the benchmark
PARTICIPANTS = """
INSERT INTO game.participants (game_id, account_id, display_name, kind, signed_up_at)
SELECT %s, account_id, 'team', 'official', now() FROM unnest(%s::uuid[]) AS account_id
"""
WARM_UP = 20
PAGE = 50
Report = dict[str, dict[str, float]]


@contextmanager
def database() -> Iterator[str]:
    with ExitStack() as cleanup:
        home = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="deepoj-bench-")))
        (home / "run").mkdir(mode=0o700)
        spec, url = postgres(home / "postgres", home / "run", PASSWORD)
        process = RunningProcess(spec, home / "postgres.log")
        cleanup.callback(process.kill)
        process.wait_ready()
        upgrade(url, "game")
        yield url


@asynccontextmanager
async def service(url: str) -> AsyncIterator[Container]:
    settings = GameSettings(
        listen="unix:/nobody",
        service_token=Secret(PASSWORD),
        postgres_url=Secret(url),
        redis_url=Secret("redis://nobody"),
        record_address="unix:/nobody",
        question_address="unix:/nobody",
    )
    made = Container(settings=settings, process=Process())
    async with made.database():
        yield made


async def fill(container: Container, crowd: Crowd, game: Game) -> float:
    """Return how many submissions a second a rebuild writes and scores, scoring and storing together."""
    await container.games().add(game, password_hash=None)
    people = list(crowd.people())
    accounts = [participant.account_id for participant, _ in people]
    rules = crowd.rules(game.plan.format)
    async with container.database().connection() as connection:
        await connection.execute(PARTICIPANTS, (game.id, accounts))
        counter = await read_counter(connection, game.id)
        if counter is None:
            raise LookupError("the game was not added")
        started = time.perf_counter()
        for start in range(0, len(people), 100):
            facts = [(fact, 0) for _, sent in people[start : start + 100] for fact in sent]
            await write_rows(connection, counter.board, rules, (), facts=facts)
    async with container.games().open(game.id) as opened:
        for start in range(0, len(accounts), 200):
            chosen = Touched(accounts=frozenset(accounts[start : start + 200]))
            log = (await opened.log(chosen) if opened else None) or Log()
            write = GameWrite(at=datetime.now(UTC), rescored=await rescored(rules, log))
            if opened is not None:
                await opened.write(write)
    spent = time.perf_counter() - started
    return crowd.submissions / spent


async def apply_one_by_one(container: Container, crowd: Crowd, game: Game, count: int) -> list[float]:
    dice = random.Random(50)  # noqa: S311 — the same events every time
    first = next(crowd.people())[1][0]
    times = []
    for number in range(count + WARM_UP):
        known = Known(f"bench {number}", _judged(dice, crowd, first, number))
        started = time.perf_counter()
        await container.apply()(game.id, [known])
        times.append(1000 * (time.perf_counter() - started))
    return times[WARM_UP:]


def _judged(dice: random.Random, crowd: Crowd, example: Fact, number: int) -> Fact:
    made = SubmissionId(uuid(5_000_000_000 + number))
    return replace(
        example,
        submission_id=made,
        origin_id=made,
        account_id=AccountId(uuid(1_000_000_000 + dice.randrange(crowd.participants))),
        question_id=dice.choice(crowd.rules(Format.ICPC).problems).question_id,
        verdict=dice.choice([Verdict.ACCEPTED, Verdict.WRONG_ANSWER]),
    )


async def read_pages(container: Container, game: Game, view: BoardView, count: int) -> list[float]:
    """Turn pages from the first to the last, and begin again."""
    actor = Actor(game.owner, Role.ADMIN)
    if view is BoardView.OWN:
        actor = Actor(AccountId(uuid(1_000_000_000)), Role.CONTESTANT)
    times, after = [], None
    for _ in range(count + WARM_UP):
        started = time.perf_counter()
        page = await container.sights().page(actor, game.id, view, None, PageRequest(PAGE, after))
        times.append(1000 * (time.perf_counter() - started))
        after = getattr(page, "next", None)
    return times[WARM_UP:]


async def measure(crowd: Crowd, game_format: Format, count: int) -> Report:
    example = a_game(game_format)
    game = replace(example, plan=replace(example.plan, problems=crowd.rules(game_format).problems))
    with database() as url:
        async with service(url) as container:
            rate = await fill(container, crowd, game)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("VACUUM ANALYZE")
            report: Report = {"rebuild": {"submissions_a_second": round(rate)}}
            report["one event"] = _figures(await apply_one_by_one(container, crowd, game, count))
            for view in (BoardView.ADMIN, BoardView.FROZEN, BoardView.OWN):
                report[f"page, {view}"] = _figures(await read_pages(container, game, view, count))
    return report


def _figures(times: list[float]) -> dict[str, float]:
    return {"p50_ms": round(median(times), 2), "p99_ms": round(quantiles(times, n=100)[-1], 2)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.game.service", description=__doc__)
    parser.add_argument("--participants", type=int, default=10_000)
    parser.add_argument("--problems", type=int, default=15)
    parser.add_argument("--submissions", type=int, default=500_000)
    parser.add_argument("--count", type=int, default=1000, help="events and pages to measure")
    parser.add_argument("--format", choices=[str(each) for each in Format], default="icpc")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    crowd = Crowd(arguments.participants, arguments.problems, arguments.submissions)
    report = asyncio.run(measure(crowd, Format(arguments.format), arguments.count))
    if arguments.json:
        print(json.dumps(report))
        return 0
    for name, numbers in report.items():
        print(f"{name:16}", "  ".join(f"{key} {value}" for key, value in numbers.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
