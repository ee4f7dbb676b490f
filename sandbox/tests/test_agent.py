"""The agent and its client: a real process, a real socket."""

import asyncio
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Self

import pytest

from deepoj_sandbox.agent import messages
from deepoj_sandbox.client import Agent, connect
from deepoj_sandbox.errors import BadRequest, Busy, SandboxError
from deepoj_sandbox.host.streams import SHORT_BYTES
from deepoj_sandbox.kernel import descriptors
from deepoj_sandbox.request import BoxSpec, RunRequest, SandboxLimits
from deepoj_sandbox.result import RunStatus

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: boxes with users of their own")
SLEEP = RunRequest(argv=("/bin/sleep", "60"), limits=SandboxLimits(cpu_ms=1000, wall_ms=60_000))
TRUE = RunRequest(argv=("/bin/true",))


class Running:
    """An agent process; whatever a test did to it, it is ended and what it left is removed."""

    def __init__(self, state: Path) -> None:
        self.state = state
        command = [sys.executable, "-m", "deepoj_sandbox", "agent", "--state", str(state), "--boxes", "2"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr or ():
            if json.loads(line)["event"] == "listening":
                return
        raise AssertionError("the agent did not start")

    @property
    def socket(self) -> str:
        return str(self.state / "agent.sock")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=60)


def descendants(process: int) -> set[int]:
    """Every process below this one, boxes included: the host sees into their pid namespaces."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parent = int(entry.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found: set[int] = set()
    pending = [process]
    while pending:
        below = children.get(pending.pop(), [])
        found.update(below)
        pending += below
    return found


def our_cgroups(state: Path) -> list[Path]:
    recorded = [json.loads(path.read_text() or "[]") for path in state.glob("slot-*.lock")]
    return [Path(name) for names in recorded for name in names if Path(name).exists()]


@pytest.fixture(scope="module")
def agent_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    state = tmp_path_factory.mktemp("agent")
    with Running(state) as running:
        yield state
    assert running.process.returncode == 0


@pytest.fixture
async def agent(agent_state: Path) -> AsyncIterator[Agent]:
    async with await connect(str(agent_state / "agent.sock")) as connected:
        yield connected


async def test_a_submission_is_judged_through_the_agent(agent: Agent) -> None:
    async with await agent.open_box(wait_ms=20_000) as box:
        await box.put("main.py", b"print(sum(map(int, input().split())))")
        request = RunRequest(argv=("/usr/bin/python3", "/app/main.py"))
        for first in range(5):
            outcome = await box.run(request, stdin=f"{first} 2".encode())
            assert (outcome.result.status, outcome.stdout) == (RunStatus.OK, f"{first + 2}\n".encode())


async def test_large_input_and_output_come_through_whole(agent: Agent, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.write_bytes(os.urandom(3_000_000))
    async with await agent.open_box(wait_ms=20_000) as box:
        request = RunRequest(argv=("/bin/cat",))
        with data.open("rb") as given:
            outcome = await box.run(request, stdin=given.fileno())
        assert outcome.stdout == data.read_bytes()
        assert outcome.output.size == outcome.result.stdout_bytes == 3_000_000
        assert outcome.output.path.read_bytes() == data.read_bytes()
        assert (await box.run(request, stdin=data.read_bytes())).stdout == data.read_bytes()
        assert (await box.run(request)).stdout == b""


@pytest.mark.parametrize("size", [SHORT_BYTES - 1, SHORT_BYTES, SHORT_BYTES + 1])
async def test_what_is_just_short_or_just_long_is_the_same(agent: Agent, size: int) -> None:
    text = b"x\n{" + bytes(size - 3)
    async with await agent.open_box(wait_ms=20_000) as box:
        outcome = await box.run(RunRequest(argv=("/bin/cat",)), stdin=text)
        assert outcome.stdout == outcome.output.path.read_bytes() == text


async def test_runs_asked_for_ahead_are_answered_in_order(agent: Agent) -> None:
    async with await agent.open_box(wait_ms=20_000) as box:
        request = RunRequest(argv=("/bin/cat",))
        asked = [box.run(request, stdin=b"%d" % number * 5000) for number in range(8)]
        outcomes = await asyncio.gather(*asked)
        assert [outcome.stdout for outcome in outcomes] == [b"%d" % number * 5000 for number in range(8)]


async def test_a_caller_that_asks_faster_than_the_agent_answers_waits_for_room(agent: Agent) -> None:
    async with await agent.open_box(wait_ms=20_000) as box:
        request = RunRequest(argv=("/bin/cat",))
        text = bytes(SHORT_BYTES)
        outcomes = await asyncio.gather(*(box.run(request, stdin=text) for _ in range(60)))
        assert all(outcome.stdout == text for outcome in outcomes)


async def test_files_go_in_and_come_out(agent: Agent) -> None:
    async with await agent.open_box(wait_ms=20_000) as box:
        await box.put("in/data", b"x" * 500_000)
        await box.run(RunRequest(argv=("/bin/cp", "/app/in/data", "out")))
        assert await box.names() == ["out"]
        assert await box.take("out") == b"x" * 500_000
        await box.reset()
        with pytest.raises(BadRequest):
            await box.take("out")


async def test_two_talk_through_the_agent(agent: Agent) -> None:
    first, second = await agent.open_boxes(2, wait_ms=20_000)
    await first.put("p.py", b"print('ping', flush=True)\nassert input() == 'pong'\n")
    await second.put("p.py", b"assert input() == 'ping'\nprint('pong', flush=True)\n")
    request = RunRequest(argv=("/usr/bin/python3", "/app/p.py"))
    outcomes = await agent.run_talk((first, second), (request, request))
    assert [outcome.result.status for outcome in outcomes] == [RunStatus.OK, RunStatus.OK]
    await first.close()
    await second.close()


async def test_a_leader_that_opens_its_channels_by_name_is_heard_through_the_agent(agent: Agent) -> None:
    boxes = await agent.open_boxes(2, wait_ms=20_000)
    leader = b"""
print(int(input()), file=open('/proc/self/fd/4', 'w'), flush=True)
print(open('/proc/self/fd/3').readline())
"""
    member = b"print(2 * int(input()), flush=True)\nimport sys\nprint('x' * 30_000, file=sys.stderr)"
    for box, source in zip(boxes, (leader, member), strict=True):
        await box.put("p.py", source)
    request = RunRequest(argv=("/usr/bin/python3", "/app/p.py"))
    first, other = await agent.run_talk(boxes, [request] * 2, stdin=b"5")
    assert (first.stdout, first.stderr) == (b"10\n\n", b"")
    assert (other.stdout, len(other.stderr)) == (b"", 30_001)
    for box in boxes:
        await box.close()


async def test_more_boxes_than_there_are_at_all_are_refused_at_once(agent: Agent) -> None:
    with pytest.raises(BadRequest, match="11 boxes are needed, and this host lends"):
        await agent.open_boxes(11, wait_ms=20_000)


async def test_our_failure_is_an_error_with_step_and_errno(agent: Agent) -> None:
    box = await agent.open_box(wait_ms=20_000)
    with pytest.raises(SandboxError) as caught:
        await box.run(RunRequest(argv=("/app/absent",)))
    assert (caught.value.step, caught.value.code) == ("spawn", 2)
    with pytest.raises(BadRequest, match="destroyed"):
        await box.run(TRUE)
    await box.close()


async def test_a_full_agent_says_so_and_recovers(agent_state: Path, agent: Agent) -> None:
    boxes = [await agent.open_box(wait_ms=20_000) for _ in range(2)]
    async with await connect(str(agent_state / "agent.sock")) as other:
        with pytest.raises(Busy):
            await other.open_box()
        waiting = asyncio.create_task(other.open_box(wait_ms=20_000))
        for box in boxes:
            await box.close()
        await waiting


async def test_boxes_of_a_talk_are_lent_all_at_once_or_not_at_all(agent_state: Path, agent: Agent) -> None:
    held = await agent.open_box(wait_ms=20_000)
    async with await connect(str(agent_state / "agent.sock")) as other:
        with pytest.raises(Busy):
            await other.open_boxes(2)
        rest = await agent.open_box(wait_ms=20_000)
        waiting = asyncio.create_task(other.open_boxes(2, wait_ms=20_000))
        await held.close()
        await rest.close()
        assert len(await waiting) == 2


async def test_hanging_up_kills_what_runs(agent_state: Path) -> None:
    connection = await connect(str(agent_state / "agent.sock"))
    box = await connection.open_box(wait_ms=20_000)
    running = asyncio.create_task(box.run(SLEEP))
    await asyncio.sleep(0)
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    async with await connect(str(agent_state / "agent.sock")) as other:
        # Both boxes are free again: the one that ran was destroyed.
        for _ in range(2):
            await other.open_box(wait_ms=20_000)


def until_runs(argv: tuple[str, ...]) -> None:
    """Wait for a program; the host sees into the pid namespaces of boxes."""
    wanted = "".join(f"{word}\0" for word in argv).encode()
    deadline = time.monotonic() + 60
    while not any(command_line(entry) == wanted for entry in Path("/proc").iterdir()):
        assert time.monotonic() < deadline, f"{argv} does not run"
        time.sleep(0.005)


def parent_of(argv: tuple[str, ...]) -> int:
    wanted = "".join(f"{word}\0" for word in argv).encode()
    [found] = [entry for entry in Path("/proc").iterdir() if command_line(entry) == wanted]
    return int(found.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1])


def command_line(process: Path) -> bytes:
    try:
        return process.joinpath("cmdline").read_bytes()
    except OSError:
        return b""


async def test_running_alone_waits_for_the_others_but_not_for_long(agent_state: Path, agent: Agent) -> None:
    long = RunRequest(argv=("/bin/sleep", "59.25"), limits=SLEEP.limits)
    async with await connect(str(agent_state / "agent.sock")) as other:
        first, second = await other.open_box(wait_ms=20_000), await agent.open_box(wait_ms=20_000)
        running = asyncio.create_task(first.run(long))
        await asyncio.to_thread(until_runs, long.argv)
        alone = asyncio.create_task(second.run(RunRequest(argv=("/bin/true",), alone=True)))
        assert (await alone).result.status is RunStatus.OK
        assert not running.done()
    with pytest.raises(SandboxError):
        await running


async def test_a_box_is_run_by_turns_from_here_and_by_the_agent(agent: Agent) -> None:
    async with await agent.open_box(wait_ms=20_000) as box:
        here = RunRequest(argv=("/bin/cat",))
        by_agent = RunRequest(argv=("/bin/cat",), alone=True)
        await box.run(RunRequest(argv=("/usr/bin/touch", "left"), alone=True))
        assert (await box.run(RunRequest(argv=("/bin/ls",)))).stdout == b""
        for request in (here, by_agent, here, by_agent, by_agent, here):
            for text in (b"short", bytes(100_000)):
                assert (await box.run(request, stdin=text)).stdout == text
        await box.run(RunRequest(argv=("/usr/bin/touch", "left")))
        assert (await box.run(RunRequest(argv=("/bin/ls",), alone=True))).stdout == b""
        await box.reset()
        assert (await box.run(here, stdin=b"x")).stdout == b"x"


async def test_limits_hold_for_runs_driven_from_here(agent: Agent) -> None:
    async with await agent.open_box(wait_ms=20_000) as box:
        limits = SandboxLimits(cpu_ms=5000, wall_ms=20_000, output_bytes=100_000, input_bytes=10)
        flood = await box.run(RunRequest(argv=("/usr/bin/yes",), limits=limits))
        assert (flood.result.status, flood.output.size) == (RunStatus.OLE, 100_000)
        asleep = RunRequest(argv=("/bin/sleep", "30"), limits=SandboxLimits(wall_ms=200))
        assert (await box.run(asleep)).result.status is RunStatus.WALL_TLE
        with pytest.raises(BadRequest, match="larger than 10 bytes"):
            await box.run(RunRequest(argv=("/bin/cat",), limits=limits), stdin=bytes(11))
        assert (await box.run(TRUE)).result.status is RunStatus.OK


async def test_a_keeper_that_dies_is_our_failure(agent_state: Path, agent: Agent) -> None:
    box = await agent.open_box(wait_ms=20_000)
    # A length of its own: other test processes of this machine have sleeping programs too.
    sleeping = RunRequest(argv=("/bin/sleep", f"59.{os.getpid()}"), limits=SLEEP.limits)
    running = asyncio.create_task(box.run(sleeping))
    await asyncio.to_thread(until_runs, sleeping.argv)
    os.kill(parent_of(sleeping.argv), signal.SIGKILL)
    with pytest.raises(SandboxError, match="keeper died"):
        await running
    async with await connect(str(agent_state / "agent.sock")) as other:
        assert (await other.status())["layers"]


async def test_an_agent_that_is_gone_is_our_failure(tmp_path: Path) -> None:
    with Running(tmp_path / "state") as running:
        agent = await connect(running.socket)
        box = await agent.open_box(wait_ms=20_000)
        sleeping = RunRequest(argv=("/bin/sleep", f"58.{os.getpid()}"), limits=SLEEP.limits)
        asleep = asyncio.create_task(box.run(sleeping))
        await asyncio.to_thread(until_runs, sleeping.argv)
        running.process.kill()
        with pytest.raises(SandboxError):
            await asleep
        with pytest.raises(SandboxError):
            await box.run(TRUE)


async def hold_lines(path: str, lines: contextlib.ExitStack) -> None:
    while True:
        lines.callback((await connect(path)).close)


async def test_a_frozen_agent_is_an_error_in_time_and_never_blocks_the_caller(tmp_path: Path) -> None:
    with Running(tmp_path / "state") as running, contextlib.ExitStack() as lines:
        lines.callback(running.process.send_signal, signal.SIGCONT)
        running.process.send_signal(signal.SIGSTOP)
        silent = await connect(running.socket)
        lines.callback(silent.close)
        with pytest.raises(SandboxError, match="no answer to status within"):
            await silent.status(seconds=0.05)
        # Nobody accepts: the queue of the socket fills, and then a call is refused at once.
        with pytest.raises(SandboxError, match="connect to agent"):
            await hold_lines(running.socket, lines)


async def test_status_names_the_layers(agent: Agent) -> None:
    status = await agent.status()
    assert isinstance(status["layers"], dict)
    assert status["layers"]["sufficient"] is True


@pytest.fixture
def raw(agent_state: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as channel:
        channel.settimeout(30)
        channel.connect(str(agent_state / "agent.sock"))
        yield channel


def ask(raw: socket.socket, packet: bytes, passed: tuple[int, ...] = ()) -> dict[str, object]:
    descriptors.send(raw, packet, passed)
    answer, received = descriptors.receive(raw, bytearray(messages.MAX_PACKET))
    descriptors.close_all(received)
    decoded: dict[str, object] = json.loads(answer.partition(b"\n")[0])
    return decoded


BAD_PACKETS = [
    b"not json",
    b"[]",
    b'"x"',
    b"{}",
    b'{"op": "explode"}',
    b'{"op": "open", "v": 99}',
    b'{"op": "open", "color": "red"}',
    b'{"op": "open", "spec": {"scratch_bytes": -5}}',
    b'{"op": "open", "wait_ms": -1}',
    b'{"op": "open", "wait_ms": 1e9}',
    b'{"op": "run", "box": 1, "request": {"argv": ["/bin/true"], "limits": {"cpu_ms": -1}}}',
    b'{"op": "run", "box": 1, "request": {"argv": ["/bin/true"], "limits": {"nope": 1}}}',
    b'{"op": "run", "box": 1, "request": {"argv": ["/bin/../true"]}}',
    b'{"op": "run", "box": 1, "request": {"argv": ["/bin/tr\\u0000ue"]}}',
    b'{"op": "run", "box": 1, "request": {"argv": ["/bin/true"]}, "stdin": true}',
    b'{"op": "run", "box": 7, "request": {"argv": ["/bin/true"]}}',
    b'{"op": "run", "box": true, "request": {"argv": ["/bin/true"]}}',
    b'{"op": "run", "box": 1}',
    json.dumps({"op": "run", "box": 1, "request": {"argv": ["/bin/true", "x" * 70_000]}}).encode(),
    json.dumps({"op": "run", "box": 1, "request": {"argv": ["/bin/true"] * 1000}}).encode(),
    b'{"op": "take", "box": 1, "name": "../../etc/passwd"}',
    b'{"op": "take", "box": 1, "name": "/etc/passwd"}',
    b'{"op": "take", "box": 1, "name": "a\\u0000b"}',
    b'{"op": "put", "box": 1, "name": "x"}',
    b'{"op": "open", "count": 0}',
    b'{"op": "open", "count": 12}',
    b'{"op": "talk", "boxes": [1, 1], "requests": [{"argv": ["/x"]}, {"argv": ["/x"]}]}',
    b'{"op": "talk", "boxes": [1], "requests": [{"argv": ["/x"]}]}',
    b'{"op": "talk", "boxes": [1, 2], "requests": [{"argv": ["/x"]}]}',
    b'{"op": "talk", "boxes": [1, 2, 3], "requests": [{"argv": ["/x"]}, {"argv": ["/x"]}, {"argv": ["/x"]}]}',
    b"[" * 100_000,
    b"x" * 190_000,
]


def test_bad_requests_get_a_clear_answer_and_change_nothing(raw: socket.socket) -> None:
    assert ask(raw, b'{"op": "open", "wait_ms": 20000}') == {"boxes": [1]}
    for packet in BAD_PACKETS:
        error = ask(raw, packet)["error"]
        assert isinstance(error, dict), packet[:100]
        assert error["kind"] == "bad_request", (packet[:100], error)
        assert error["reason"]
    good = ask(raw, b'{"op": "run", "box": 1, "request": {"argv": ["/bin/true"]}}')
    assert isinstance(good["result"], list)
    assert good["result"][0] == "OK"


def test_descriptors_of_the_wrong_kind_are_refused(raw: socket.socket, tmp_path: Path) -> None:
    assert "boxes" in ask(raw, b'{"op": "open", "wait_ms": 20000}')
    directory = os.open(tmp_path, os.O_RDONLY)
    try:
        run = b'{"op": "run", "box": 1, "request": {"argv": ["/bin/true"]}}'
        for passed in ((directory,), (directory, directory)):
            assert "error" in ask(raw, run, passed)
            assert "error" in ask(raw, b'{"op": "put", "box": 1, "name": "x"}', passed)
    finally:
        os.close(directory)


def wait_until_dead(processes: set[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            handle = os.pidfd_open(process)
            poller = select.poll()
            poller.register(handle, select.POLLIN)
            dead = poller.poll(20_000)
            os.close(handle)
            assert dead, f"process {process} is still there"


@contextlib.asynccontextmanager
async def two_endless_runs(running: Running) -> AsyncIterator[set[int]]:
    """Every process below the agent while programs run in two boxes; the runs must come to a bad end."""
    connections = [await connect(running.socket) for _ in range(2)]
    boxes = [await connection.open_box(wait_ms=20_000) for connection in connections]
    tasks = [asyncio.create_task(box.run(SLEEP)) for box in boxes]
    below: set[int] = set()
    while [command(each) for each in below].count("sleep") < 2:
        await asyncio.sleep(0.01)
        below = descendants(running.process.pid)
    yield below
    for task in tasks:
        with pytest.raises(SandboxError):
            await task
    for connection in connections:
        connection.close()


def command(process: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/comm").read_text().strip()
    return ""


def mounted(directory: Path) -> bool:
    return str(directory) in Path("/proc/self/mountinfo").read_text()


def parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


@pytest.mark.parametrize("victim", ["agent", "factory"])
async def test_inv_10_sigkill_leaves_no_process_and_a_restart_cleans_up(tmp_path: Path, victim: str) -> None:
    with Running(tmp_path) as running:
        agent = running.process.pid
        async with two_endless_runs(running) as below:
            assert len(below) >= 5, "a factory, two keepers, two programs"
            factory = next(each for each in below if parent(each) == agent)
            os.kill(agent if victim == "agent" else factory, signal.SIGKILL)
        wait_until_dead(below)
        running.process.wait(timeout=60)
    assert running.process.returncode == (-signal.SIGKILL if victim == "agent" else 3)
    assert not mounted(tmp_path)
    left = our_cgroups(tmp_path)
    assert bool(left) == (victim == "agent"), "what was killed cannot have cleaned up"
    marks = [root / "left-over" for root in left]
    for mark in marks:
        mark.mkdir()
    with Running(tmp_path) as running:
        assert not any(mark.exists() for mark in marks)
        async with await connect(running.socket) as again, await again.open_box(wait_ms=20_000) as box:
            assert (await box.run(TRUE)).result.status is RunStatus.OK
    assert not any(root.exists() for root in left)


async def test_sigterm_ends_runs_and_cleans_up(tmp_path: Path) -> None:
    with Running(tmp_path) as running:
        async with two_endless_runs(running) as below:
            roots = our_cgroups(tmp_path)
            running.process.terminate()
    assert running.process.returncode == 0
    wait_until_dead(below)
    assert roots
    assert not any(root.exists() for root in roots)
    assert not (tmp_path / "agent.sock").exists()


async def test_a_box_of_another_size_is_made_on_demand(agent: Agent) -> None:
    async with await agent.open_box(BoxSpec(scratch_bytes=1 << 20), wait_ms=20_000) as box:
        outcome = await box.run(RunRequest(argv=("/bin/df", "--output=size", "/box")))
        assert outcome.stdout.split()[-1] == b"1024"
