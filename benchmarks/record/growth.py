"""Whether a submission costs the same in a full table as in an empty one.

    uv run python -m benchmarks.record.growth --rows 1000000

The same submissions are submitted, claimed and finalized by record's commands over an empty table and over
one with so many judged submissions, in turns. Prints the ratio of the times, full to empty, and the plans of
the statements that were sent: nothing may be read from end to end.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import statistics
import sys
from collections.abc import Sequence
from uuid import uuid4

from apps.record.tests.fakes import MemoryCatalogue
from benchmarks.record.__main__ import by_commands
from benchmarks.record.stage import Call, Stage, in_process, stage
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.testing import QUESTION
from deepoj_kit.postgres import Database
from deepoj_record.commands.ports import QuestionFacts

STEPS = ("submit", "claim_and_finalize")
WIDTH, BATCH = 16, 16
WHOLE = re.compile(r"Seq Scan on (submissions|attempts|sources|outbox)")


async def cost(made: Stage, url: str, count: int) -> tuple[tuple[float, float], list[Call]]:
    facts = QuestionFacts(revision=RevisionRef(QUESTION, 1), languages=frozenset(), source_bytes=None)
    async with in_process(made, url, MemoryCatalogue({QUESTION: facts})) as (container, recorder):
        ids = [uuid4() for _ in range(count)]
        times, submits, judging = await by_commands(container, recorder, ids, WIDTH, BATCH)
    return times, [*submits, *judging]


async def plans(url: str, calls: Sequence[Call]) -> dict[str, str]:
    """Explain each statement once, with the parameters it was sent with."""
    found: dict[str, str] = {}
    async with Database(url) as database, database.transaction() as connection:
        for statement, parameters in calls:
            text = statement.decode() if isinstance(statement, bytes) else statement
            if text not in found:
                rows = await (await connection.execute(f"EXPLAIN {text}".encode(), parameters)).fetchall()
                found[text] = "\n".join(row[0] for row in rows)
    return found


async def measure(rows: int, count: int, turns: int) -> int:
    with stage() as made:
        empty, full = made.fresh("bench_empty"), made.fresh("bench_full", rows)
        calls: list[Call] = []
        ratios: dict[str, list[float]] = {step: [] for step in STEPS}
        for _ in range(turns):
            small, _ = await cost(made, empty, count)
            large, calls = await cost(made, full, count)
            for step, before, after in zip(STEPS, small, large, strict=True):
                ratios[step].append(after / before)
        explained = await plans(full, calls)
    for text, plan in explained.items():
        print(f"--- {' '.join(text.split())[:100]}\n{plan}\n")
    for step, values in ratios.items():
        print(f"{step}: {rows} rows to none, times {statistics.median(values):.2f} (of {turns} turns)")
    scans = [plan for plan in explained.values() if WHOLE.search(plan)]
    print(f"statements that read a table from end to end: {len(scans)} of {len(explained)}")
    return 1 if scans else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000, help="judged submissions (1000000)")
    parser.add_argument("--submissions", type=int, default=1000, help="submissions in a turn (1000)")
    parser.add_argument("--turns", type=int, default=5, help="how often each table has its turn (5)")
    arguments = parser.parse_args()
    logging.disable(logging.INFO)
    return asyncio.run(measure(arguments.rows, arguments.submissions, arguments.turns))


if __name__ == "__main__":
    sys.exit(main())
