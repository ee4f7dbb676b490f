"""The judging pipeline around a runner that does nothing: every service a process, real stores.

    uv run python -m benchmarks.pipeline --jobs 2000

Prints submissions per second from the first Submit to the last terminal state, the same for Submit alone,
their ratio and the CPU time of each service per submission. Rates of a shared machine vary; ratios and CPU
time vary less. How long one submission takes on an idle system is for `benchmarks.http verdicts` to say.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import uvloop

from deepoj_bff.commands.submit import Draft
from deepoj_bff.outbound.grpc.submit_batches import SubmitBatches
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.embedded.process import RunningProcess
from deepoj_kit.embedded.service_environ import service_tuning
from deepoj_kit.grpc import Server, connect
from deepoj_kit.ids import Uuid7
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.settings import Secret
from deepoj_kit.testing import servers as embedded
from deepoj_kit.testing.services import TOKEN, ServiceStarter
from deepoj_migrations import upgrade
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import (
    QuestionServiceServicer,
    add_QuestionServiceServicer_to_server,
)
from deepoj_proto.record.v1 import record_pb2

QUESTION = str(UUID(int=5))
DRAFT = Draft(UUID(QUESTION), None, "python3", "print()")
PERSON = Actor(AccountId(UUID(int=7)), Role.CONTESTANT)
ACTOR = common_pb2.Actor(account_id=str(PERSON.account_id), role=common_pb2.ROLE_CONTESTANT)
DONE = "SELECT count(*) FROM record.submissions WHERE status = 'FINISHED'"
AT_ONCE = 32


class OneQuestion(QuestionServiceServicer):
    async def Get(self, request: object, context: object) -> question_pb2.GetResponse:  # noqa: ARG002, N802
        return question_pb2.GetResponse(question=question_pb2.Question(id=QUESTION, enabled=True, revision=1))


class Bench:
    def __init__(self, home: Path, stores: embedded.Servers, cleanup: ExitStack) -> None:
        self._starter = ServiceStarter(home, cleanup)
        self.record_address = f"unix:{home}/record.sock"
        self.question_address = f"unix:{home}/question.sock"
        self.database = stores.postgres_url
        self.redis_url = stores.redis_url
        self.home = home
        self._settings = {
            "env": f"bench-{uuid4().hex[:8]}", "postgres_url": stores.postgres_url,
            "redis_url": stores.redis_url, "s3_endpoint": stores.s3.endpoint,
            "s3_access_key": stores.s3.access_key, "s3_secret_key": stores.s3.secret_key,
            "s3_bucket": "bench", "record_address": self.record_address, "log_level": "warning",
            "question_address": self.question_address, "home": str(home / "judgement"), "trace_ratio": "0.01",
            "game_address": "unix:/nobody", "judgement_address": "unix:/nobody",
        }  # fmt: skip
        self.new_id = Uuid7()

    def start(self, module: str, **own: str) -> RunningProcess:
        settings = self._settings | own
        return self._starter(f"deepoj_{module}", settings, listen=settings.pop("listen", None)).process

    def request(self) -> record_pb2.SubmitRequest:
        number = str(self.new_id())
        return record_pb2.SubmitRequest(
            actor=ACTOR, submission_id=number, idempotency_key=number, question_id=QUESTION,
            language=DRAFT.language, source=DRAFT.source,
        )  # fmt: skip


async def submit_all(submit: SubmitBatches, bench: Bench, jobs: int) -> None:
    """As the front door does: what is ready at the same time travels together."""
    left = iter(range(jobs))

    async def one_after_the_other() -> None:
        for _ in left:
            number = bench.new_id()
            await submit.submit(number, PERSON, DRAFT, str(number))

    await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))


async def wait_finished(bench: Bench, count: int) -> None:
    async with await psycopg.AsyncConnection.connect(bench.database, autocommit=True) as connection:
        while True:
            row = await (await connection.execute(DONE)).fetchone()
            if row is not None and row[0] >= count:
                return
            # Counting takes time from what is measured.
            await asyncio.sleep(0.1)


def cpu_ms(process: RunningProcess) -> float:
    """CPU time so far, which a busy machine falsifies least."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


async def measure(bench: Bench, jobs: int) -> None:
    async with AsyncExitStack() as held:
        server = Server(bench.question_address, Secret(TOKEN), Readiness())
        question = OneQuestion()  # type: ignore[abstract]  # only Get is asked
        add_QuestionServiceServicer_to_server(question, server.registry)
        await held.enter_async_context(server)
        channel = await held.enter_async_context(connect(bench.record_address, Secret(TOKEN)))
        submit = SubmitBatches(channel)
        served = await asyncio.to_thread(bench.start, "record", listen=bench.record_address)
        begun = time.perf_counter()
        await submit_all(submit, bench, jobs)
        alone = jobs / (time.perf_counter() - begun)
        worker = await asyncio.to_thread(bench.start, "judgement", runner="noop")
        await wait_finished(bench, jobs)
        begun, used = time.perf_counter(), {each: cpu_ms(each) for each in (served, worker)}
        await submit_all(submit, bench, jobs)
        await wait_finished(bench, 2 * jobs)
        whole = jobs / (time.perf_counter() - begun)
        costs = [(each.spec.name, (cpu_ms(each) - before) / jobs) for each, before in used.items()]
    print(f"submit alone        {alone:8.0f} /s")
    print(f"submit to terminal  {whole:8.0f} /s")
    print(f"ratio               {whole / alone:8.2f}")
    for name, cost in costs:
        print(f"{name:18}  {cost:8.2f} ms CPU each")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=2000, help="submissions of each measurement")
    arguments = parser.parse_args()
    with ExitStack() as cleanup:
        home = Path(
            cleanup.enter_context(tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True))
        )
        stores = embedded.start(cleanup)
        for service in ("record", "judgement"):
            upgrade(stores.postgres_url, service)
        uvloop.run(measure(Bench(home, stores, cleanup), arguments.jobs))


if __name__ == "__main__":
    # It stands for the front door and for question, so it runs as they do.
    tuned = dict(os.environ) | service_tuning()
    if tuned != dict(os.environ):
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks.pipeline", *sys.argv[1:]], tuned)  # noqa: S606 — ourselves
    main()
