"""Programs that sleep lend their core: real boxes, driven through the agent."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deepoj_sandbox.client import Agent, Outcome, RemoteBox, connect
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.request import RunRequest, SandboxLimits
from deepoj_sandbox.result import RunStatus

from .test_agent import TRUE, Running, descendants

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: boxes with users of their own")
IDLE_MS = 1000
LIMITS = SandboxLimits(cpu_ms=1000, wall_ms=60_000, idle_ms=IDLE_MS)
SHORT = SandboxLimits(cpu_ms=1000, wall_ms=5000, idle_ms=IDLE_MS)
BURN = """
def burn(milliseconds):
    end = time.process_time() + milliseconds / 1000
    while time.process_time() < end: pass
"""
WAKES = f"import time{BURN}\ntime.sleep(0.5)\nburn(300)\nprint('done')"
IN_PIECES = f"import time{BURN}\nfor _ in range(8):\n    time.sleep(0.06)\n    burn(20)\nprint('done')"
TRAPS = f"""
import signal, time{BURN}
for number in (signal.SIGCONT, signal.SIGCHLD): signal.signal(number, lambda *_: None)
time.sleep(0.5)
burn(300)
print('done')
"""
FORKS = f"""
import os, time{BURN}
children = [os.fork() for _ in range(2)]
time.sleep(0.5)
burn(100)
if all(children):
    for child in children: os.waitpid(child, 0)
    print('done')
"""
# Of two processes on two processors one may continue the other before it is stopped itself.
CONTINUES = """
#include <signal.h>
#include <unistd.h>
int main(void) {
    int other = fork() ?: getppid();
    usleep(500000);
    for (;;) kill(other, SIGCONT);
}
"""
STOPS_ITSELF = "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"


class Lent:
    """A core: it goes back to its program when the test says so."""

    def __init__(self) -> None:
        self.lent: list[int] = []
        self.wanted = asyncio.Event()
        self.free = asyncio.Event()

    def lend(self, memory_bytes: int) -> None:
        self.lent.append(memory_bytes)

    async def take_back(self) -> None:
        self.wanted.set()
        await self.free.wait()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("agent")) as started:
        yield started


@pytest.fixture
def continuing(tmp_path: Path) -> bytes:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc on PATH")
    source, program = tmp_path / "main.c", tmp_path / "main"
    source.write_text(CONTINUES)
    subprocess.run(["gcc", "-static", "-w", str(source), "-o", str(program)], check=True)
    return program.read_bytes()


@pytest.fixture
async def agent(running: Running) -> AsyncIterator[Agent]:
    async with await connect(running.socket) as connected:
        yield connected


@pytest.fixture
async def box(agent: Agent) -> AsyncIterator[RemoteBox]:
    async with await agent.open_box(wait_ms=20_000) as opened:
        yield opened


async def run(box: RemoteBox, source: str, core: Lent, limits: SandboxLimits = LIMITS) -> Outcome:
    request = RunRequest(argv=("/usr/bin/python3", "-"), limits=limits)
    return await box.run(request, stdin=source.encode(), core=core)


def processes(running: Running) -> Iterator[int]:
    """Find what runs in boxes; keepers have the agent's command line."""
    for process in descendants(running.process.pid):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{process}/cmdline").read_bytes()
            if words and b"deepoj_sandbox" not in words:
                yield process


def programs(running: Running) -> list[tuple[str, int]]:
    """Tell the state and the processor time, in ticks, of what runs in boxes."""
    found = []
    for process in processes(running):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            found.append((fields[0], int(fields[11]) + int(fields[12])))
    return found


def kill_programs(running: Running) -> None:
    for process in processes(running):
        os.kill(process, signal.SIGKILL)


def kill_keepers(running: Running) -> None:
    for process in processes(running):
        parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]
        os.kill(int(parent), signal.SIGKILL)


async def until_awake(
    start: Callable[[], Coroutine[object, object, Outcome]], core: Lent
) -> asyncio.Task[Outcome]:
    """Run a program that sleeps and wakes up; again when a busy machine did not look at it in its sleep."""
    wanted = asyncio.ensure_future(core.wanted.wait())
    while True:
        task = asyncio.create_task(start())
        await asyncio.wait({task, wanted}, return_when=asyncio.FIRST_COMPLETED)
        if wanted.done():
            return task
        assert core.lent == []


async def until_stopped(running: Running) -> None:
    async with asyncio.timeout(60):
        while True:
            if {state for state, _ in programs(running)} == {"T"}:
                return
            await asyncio.sleep(0.01)


async def test_a_sleeper_lends_its_core_and_is_ended_in_its_sleep(box: RemoteBox) -> None:
    core = Lent()
    core.free.set()
    for _ in range(2):
        outcome = await run(box, "import time; time.sleep(60)", core)
        assert outcome.result.status is RunStatus.WALL_TLE
        assert outcome.result.wall_ms >= IDLE_MS
    assert core.lent == [LIMITS.memory_bytes] * 2


@pytest.mark.parametrize("source", [WAKES, TRAPS, FORKS])
async def test_who_wakes_up_is_stopped_until_there_is_a_core_and_loses_no_time(
    running: Running, box: RemoteBox, source: str
) -> None:
    core = Lent()
    task = await until_awake(lambda: run(box, source, core, SHORT), core)
    await until_stopped(running)
    used = programs(running)
    # Longer than it may take.
    await asyncio.sleep(SHORT.wall_ms / 1000)
    assert programs(running) == used
    core.free.set()
    outcome = await task
    assert (outcome.result.status, outcome.stdout) == (RunStatus.OK, b"done\n")
    assert outcome.result.wall_ms < SHORT.wall_ms
    assert (await box.run(TRUE)).result.status is RunStatus.OK


async def test_a_program_that_sleeps_now_and_then_is_judged_as_if_alone(box: RemoteBox) -> None:
    core = Lent()
    core.free.set()
    outcome = await run(box, IN_PIECES, core)
    assert (outcome.result.status, outcome.stdout) == (RunStatus.OK, b"done\n")


async def test_processes_that_continue_each_other_are_stopped_again(
    running: Running, box: RemoteBox, continuing: bytes
) -> None:
    await box.put("main", continuing, executable=True)
    core = Lent()
    request = RunRequest(argv=("/app/main",), limits=LIMITS)
    task = await until_awake(lambda: box.run(request, core=core), core)
    await until_stopped(running)
    core.free.set()
    assert (await task).result.status is RunStatus.TLE


async def test_a_program_that_stops_itself_sleeps(box: RemoteBox) -> None:
    core = Lent()
    core.free.set()
    outcome = await run(box, STOPS_ITSELF, core)
    assert (outcome.result.status, len(core.lent)) == (RunStatus.WALL_TLE, 1)


async def test_a_program_that_uses_its_processors_lends_nothing(box: RemoteBox) -> None:
    core = Lent()
    outcome = await run(box, "while True: pass", core, replace(LIMITS, cpu_ms=300))
    assert (outcome.result.status, core.lent) == (RunStatus.TLE, [])


async def test_giving_up_a_stopped_program_frees_its_box(running: Running) -> None:
    core = Lent()
    async with await connect(running.socket) as connection:
        box = await connection.open_box(wait_ms=20_000)
        task = await until_awake(lambda: run(box, WAKES, core), core)
        await until_stopped(running)
        task.cancel()
        await asyncio.wait({task})
    async with await connect(running.socket) as other:
        for _ in range(2):
            await other.open_box(wait_ms=20_000)
        assert programs(running) == []


async def test_whoever_lost_the_box_of_a_sleeper_has_a_core_again(running: Running, agent: Agent) -> None:
    core = Lent()
    core.free.set()
    box = await agent.open_box(wait_ms=20_000)
    task = asyncio.create_task(run(box, WAKES.replace("0.5", "60"), core))
    async with asyncio.timeout(60):
        while True:
            if core.lent:
                break
            await asyncio.sleep(0.01)
    kill_keepers(running)
    with pytest.raises(SandboxError):
        await task
    assert core.wanted.is_set()


async def test_a_stopped_program_that_is_told_to_end_reports(running: Running, box: RemoteBox) -> None:
    """Its memory may be the reason, or what it wrote before."""
    core = Lent()
    task = await until_awake(lambda: run(box, WAKES, core), core)
    await until_stopped(running)
    kill_programs(running)
    core.free.set()
    assert (await task).result.status is RunStatus.RE
    assert (await box.run(TRUE)).result.status is RunStatus.OK
