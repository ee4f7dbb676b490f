"""The agent and the one-shot command behind one port: one suite for both (INV-7)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.errors import PolicyViolationError, SandboxFailedError
from deepoj_judgement.commands.judge.sandbox_port import (
    Command,
    Ran,
    RunLimits,
    RunRef,
    RunReport,
    Sandbox,
    Talkers,
)
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.sandbox.agent_process import AgentProcess
from deepoj_judgement.outbound.sandbox.fallback import FallingBackSandbox
from deepoj_judgement.outbound.sandbox.one_shot import OneShotSandbox
from deepoj_kit.testing.conditions import eventually, running

REF = RunRef("job", 3)
# Far more time than anything here needs, for a machine that is slow or busy.
LIMITS = RunLimits(
    cpu_ms=20_000,
    wall_ms=60_000,
    memory_bytes=64 << 20,
    output_bytes=64 << 10,
    error_bytes=64 << 10,
    processes=8,
)
PYTHON = ("/usr/bin/python3", "-I", "-S", "/app/main.py")
KINDS = ("agent", "one_shot")


def jobs_in(home: Path, rest: str = "") -> list[Path]:
    return list(home.glob(f"job-*{rest}"))


def one_shot_in(home: Path, errors: list[str] | None = None) -> OneShotSandbox:
    reasons = errors if errors is not None else []
    return OneShotSandbox(home, ("--state", str(home / "one-shot")), reasons.append)


@pytest.fixture(params=KINDS)
def sandbox(request: pytest.FixtureRequest, private_home: Path, sandbox_works: None) -> Sandbox:  # noqa: ARG001
    if request.param == "one_shot":
        return one_shot_in(private_home)
    agent: AgentSandbox = request.getfixturevalue("agent_sandbox")
    return agent


@dataclass(frozen=True)
class Finished:
    report: RunReport
    stdout: bytes


async def run(sandbox: Sandbox, program: str, given: bytes = b"", limits: RunLimits = LIMITS) -> Finished:
    async with sandbox.workspace(REF) as workspace, workspace.box() as box:
        await box.put("main.py", program.encode())
        ran = await box.run(Command(steps=(PYTHON,), limits=limits), stdin=await workspace.file("in", given))
        with ran.stdout.open() as output:
            return Finished(ran.report, output.read())


async def test_a_program_reads_writes_and_ends(sandbox: Sandbox) -> None:
    ran = await run(sandbox, "print(input()[::-1])", b"abc\n")
    assert (ran.report.verdict, ran.report.exit_code, ran.report.signal) == (SandboxVerdict.OK, 0, 0)
    assert ran.stdout == b"cba\n"
    assert ran.report.memory_kib > 0


async def test_exit_code_and_signal_are_told_apart(sandbox: Sandbox) -> None:
    left = await run(sandbox, "raise SystemExit(7)")
    killed = await run(sandbox, "import os; os.abort()")
    assert (left.report.verdict, left.report.exit_code, left.report.signal) == ("RE", 7, 0)
    assert (killed.report.verdict, killed.report.exit_code, killed.report.signal) == ("RE", 134, 6)


async def test_dual_timeouts_wall_and_cpu(sandbox: Sandbox) -> None:
    busy = await run(sandbox, "while True: pass", limits=replace(LIMITS, cpu_ms=500))
    asleep = await run(sandbox, "import time; time.sleep(600)", limits=replace(LIMITS, wall_ms=1500))
    assert busy.report.verdict is SandboxVerdict.TIME_LIMIT
    assert busy.report.time_ms >= 500
    assert asleep.report.verdict is SandboxVerdict.TIME_LIMIT
    assert asleep.report.wall_ms >= 1500


async def test_output_cap_prevents_oom(sandbox: Sandbox) -> None:
    ran = await run(sandbox, "while True: print('x' * 1000)")
    assert ran.report.verdict is SandboxVerdict.OUTPUT_LIMIT
    assert ran.report.stdout_truncated
    assert len(ran.stdout) <= LIMITS.output_bytes
    again = await run(sandbox, "print(1)")
    assert again.report.verdict is SandboxVerdict.OK, "the worker goes on"


async def test_memory_is_limited(sandbox: Sandbox) -> None:
    ran = await run(sandbox, "x = bytearray(200 << 20)")
    assert ran.report.verdict is SandboxVerdict.MEMORY_LIMIT


@pytest.mark.parametrize(
    "argv", [("/bin/sh", "-c", "a; b"), ("main",), ("/app/../etc/passwd",), ("/bin/cat", "../../etc/passwd")]
)
async def test_sandbox_blocks_argv_injection_and_path_traversal(
    sandbox: Sandbox, argv: tuple[str, ...]
) -> None:
    async with sandbox.workspace(REF) as workspace, workspace.box() as box:
        with pytest.raises(PolicyViolationError):
            await box.run(Command(steps=(argv,), limits=LIMITS))


async def test_a_file_outside_the_box_cannot_be_named(sandbox: Sandbox) -> None:
    async def plant() -> None:
        async with sandbox.workspace(REF) as workspace, workspace.box() as box:
            await box.put("../main.py", b"")
            await box.run(Command(steps=(PYTHON,), limits=LIMITS))

    with pytest.raises(PolicyViolationError):
        await plant()


async def test_steps_share_a_box_and_the_first_failure_is_the_last(sandbox: Sandbox) -> None:
    copy = ("/bin/cp", "/app/main.py", "copied")
    missing = ("/bin/cat", "nowhere")
    async with sandbox.workspace(REF) as workspace:
        async with workspace.box() as box:
            await box.put("main.py", b"print(1)")
            command = Command(steps=(copy, ("/bin/ls",)), limits=LIMITS)
            ran = await box.run(command, take=("copied",))
            assert ran.stdout.path.read_bytes() == b"copied\n"
            taken = ran.taken["copied"]
        assert taken.path.read_bytes() == b"print(1)", "what was taken outlives its box"
        async with workspace.box() as box:
            ran = await box.run(Command(steps=(missing, ("/bin/ls",)), limits=LIMITS), take=("copied",))
            assert (ran.report.verdict, ran.taken) == ("RE", {})


async def test_output_is_that_of_the_last_run_and_can_be_read_many_times(sandbox: Sandbox) -> None:
    async with sandbox.workspace(REF) as workspace, workspace.box() as box:
        await box.put("main.py", b"print(input())")
        for given in (b"a long first line\n", b"short\n"):
            ran = await box.run(
                Command(steps=(PYTHON,), limits=LIMITS), stdin=await workspace.file("in", given)
            )
            assert ran.stdout.size == len(given)
            for _ in range(2):
                with ran.stdout.open() as output, ran.stdout.open() as again:
                    assert output.read(3) + output.read() == again.read() == given
            assert ran.stdout.path.read_bytes() == given


async def test_inv_10_a_cancelled_run_is_killed_and_leaves_nothing(
    sandbox: Sandbox, private_home: Path
) -> None:
    slow = replace(LIMITS, cpu_ms=60_000)
    for _ in range(2):
        running = asyncio.create_task(run(sandbox, "while True: pass", limits=slow))
        await eventually(lambda: bool(jobs_in(private_home, "/1")))
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert jobs_in(private_home) == []
    assert (await run(sandbox, "print(1)")).report.verdict is SandboxVerdict.OK


def process_of(*argv: str) -> int | None:
    """A process by its command line; the host sees into boxes."""
    wanted = "".join(f"{word}\0" for word in argv).encode()
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if entry.joinpath("cmdline").read_bytes() == wanted:
                return int(entry.name)
    return None


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


async def test_a_box_that_a_run_has_spoiled_costs_the_box_and_not_the_next_run(
    agent_sandbox: AgentSandbox,
) -> None:
    sleeper = ("/bin/sleep", "59.8125")
    async with agent_sandbox.workspace(REF) as workspace, workspace.box() as box:
        await box.put("main.py", b"print('sound')")
        asleep = asyncio.create_task(box.run(Command(steps=(sleeper,), limits=LIMITS)))
        await eventually(lambda: process_of(*sleeper) is not None)
        program = process_of(*sleeper)
        assert program is not None
        keeper = parent_of(program)
        os.kill(program, signal.SIGKILL)
        assert (await asleep).report.verdict is SandboxVerdict.RUNTIME_ERROR
        os.kill(keeper, signal.SIGKILL)
        ran = await box.run(Command(steps=(PYTHON,), limits=LIMITS))
        assert ran.report.verdict is SandboxVerdict.OK
        assert ran.stdout.path.read_bytes() == b"sound\n"


async def test_inv_7_the_one_shot_command_stands_in_while_the_agent_is_away(
    agent_sandbox: AgentSandbox, private_home: Path
) -> None:
    used: list[str] = []
    both = FallingBackSandbox(agent_sandbox, one_shot_in(private_home), lambda: used.append("one shot"))
    assert (await run(both, "print(1)")).report.verdict is SandboxVerdict.OK
    assert used == []
    away = AgentSandbox(private_home / "nobody.sock", private_home)
    both = FallingBackSandbox(away, one_shot_in(private_home), lambda: used.append("one shot"))
    assert (await run(both, "print(1)")).report.verdict is SandboxVerdict.OK
    assert used == ["one shot"]


def a_line(**changed: object) -> bytes:
    line = {"schema_version": 1, "job_id": "job", "attempt_id": 3, "verdict": "OK", "time_ms": 1, "mem_kb": 1}
    return json.dumps(line | {"exit_signal": 0, "sandbox_error": ""} | changed).encode()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "not_json"),
        (b"Segmentation fault", "not_json"),
        (b"{}", "bad_field"),
        (a_line(schema_version=2), "schema_version"),
        (a_line(job_id="other"), "job_id"),
        (a_line(attempt_id=2), "attempt_id"),
        (a_line(verdict="AC"), "bad_field"),
    ],
)
async def test_an_answer_that_breaks_the_protocol_is_counted_and_never_believed(
    private_home: Path, monkeypatch: pytest.MonkeyPatch, line: bytes, reason: str
) -> None:
    reasons: list[str] = []
    sandbox = one_shot_in(private_home, reasons)

    async def answer(*_: object) -> bytes:
        return line

    monkeypatch.setattr(sandbox, "execute", answer)
    async with sandbox.workspace(REF) as workspace, workspace.box() as box:
        with pytest.raises(SandboxFailedError):
            await box.run(Command(steps=(PYTHON,), limits=LIMITS))
    assert reasons == [reason]


async def test_an_agent_that_isolates_less_is_known_to(sandbox_works: None, private_home: Path) -> None:  # noqa: ARG001
    options = ("--state", str(private_home / "state"), "--cgroup", "none")
    agent = AgentProcess(private_home / "agent.sock", private_home / "agent.log", 1, options)
    await agent.start()
    async with running(agent):
        assert any("no cgroup" in reason for reason in agent.degraded)
        assert [f"degraded: {reason}" for reason in agent.degraded] == list(
            agent.layers[-len(agent.degraded) :]
        )
        assert "cgroup-none" in agent.layers


async def test_an_agent_that_cannot_make_boxes_says_why(private_home: Path) -> None:
    state = private_home / "state"
    state.mkdir()
    state.chmod(0o777)
    agent = AgentProcess(private_home / "agent.sock", private_home / "agent.log", 1, ("--state", str(state)))
    await agent.start()
    async with running(agent):
        (reason,) = agent.degraded
        assert reason.startswith(
            "the sandbox agent does not start: failed: prepare host: Operation not permitted"
        )
        assert agent.layers == (f"degraded: {reason}",)


async def test_a_dead_agent_is_started_again(sandbox_works: None, private_home: Path) -> None:  # noqa: ARG001
    options = ("--state", str(private_home / "state"))
    agent = AgentProcess(private_home / "agent.sock", private_home / "agent.log", 2, options)
    sandbox = AgentSandbox(private_home / "agent.sock", private_home)
    await agent.start()
    assert "seccomp" in agent.layers
    async with running(agent):
        first = agent.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await eventually(lambda: agent.pid != first)
        await eventually(lambda: answers(sandbox))
        assert (await run(sandbox, "print(1)")).report.verdict is SandboxVerdict.OK


async def test_inv_7_a_frozen_agent_is_noticed_and_replaced_and_holds_nobody_up(
    sandbox_works: None,  # noqa: ARG001
    private_home: Path,
) -> None:
    options = ("--state", str(private_home / "state"))
    agent = AgentProcess(private_home / "agent.sock", private_home / "agent.log", 2, options)
    sandbox = AgentSandbox(private_home / "agent.sock", private_home)
    await agent.start()
    async with running(agent):
        first = agent.pid
        assert first is not None
        in_flight = asyncio.create_task(run(sandbox, "while True: pass"))
        await eventually(lambda: bool(jobs_in(private_home, "/1")))
        os.kill(first, signal.SIGSTOP)
        used: list[str] = []
        both = FallingBackSandbox(sandbox, one_shot_in(private_home), lambda: used.append("one shot"))
        assert (await run(both, "print(1)")).report.verdict is SandboxVerdict.OK
        assert used == ["one shot"]
        with pytest.raises(SandboxFailedError):
            await in_flight
        await eventually(lambda: agent.pid != first)
        await eventually(lambda: answers(sandbox))
        assert (await run(sandbox, "print(1)")).report.verdict is SandboxVerdict.OK


async def test_inv_7_two_programs_that_talk_wait_for_the_agent_to_come_back(
    sandbox_works: None,  # noqa: ARG001
    private_home: Path,
) -> None:
    used = asyncio.Event()
    late = AgentSandbox(private_home / "agent.sock", private_home)
    both = FallingBackSandbox(late, one_shot_in(private_home), used.set)
    command = Command(steps=(PYTHON,), limits=LIMITS)

    async def talk() -> list[Ran]:
        async with both.workspace(REF) as workspace:
            question = await workspace.file("question.py", b"print(6, flush=True)\nassert input() == '36'")
            async with workspace.company(1) as company:
                await company.members[0].put("main.py", b"print(int(input()) ** 2)")
                await company.leader.put("main.py", question)
                leader, members = await company.run(Talkers(command, (command,)))
                return [leader, *members]

    talking = asyncio.create_task(talk())
    await used.wait()
    options = ("--state", str(private_home / "state"))
    agent = AgentProcess(private_home / "agent.sock", private_home / "agent.log", 2, options)
    await agent.start()
    async with running(agent):
        verdicts = [ran.report.verdict for ran in await talking]
    assert verdicts == [SandboxVerdict.OK, SandboxVerdict.OK]


async def answers(sandbox: AgentSandbox) -> bool:
    try:
        await sandbox.status()
    except SandboxFailedError:
        return False
    return True
