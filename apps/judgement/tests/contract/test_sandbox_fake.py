"""The sandbox in memory behaves like the real ones, as far as the judging steps can tell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.sandbox_port import Command, Ran, RunLimits, RunRef, RunReport, Sandbox
from deepoj_judgement.commands.judge.testing import OK, MemorySandbox, Program
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.sandbox.one_shot import OneShotSandbox

REF = RunRef("job", 1)
LIMITS = RunLimits(
    cpu_ms=20_000, wall_ms=60_000, memory_bytes=64 << 20, output_bytes=64 << 10, error_bytes=64 << 10,
    processes=8,
)  # fmt: skip
COMMAND = Command(steps=(("/usr/bin/python3", "-I", "-S", "/app/main.py"),), limits=LIMITS)
FAILED = RunReport(verdict=SandboxVerdict.RUNTIME_ERROR, time_ms=5, memory_kib=1024, exit_code=7)


@dataclass(frozen=True)
class Twin:
    """The same program twice: as a text for a real box, and as the function that stands for it."""

    text: str
    function: Program


def reverses(command: Command, given: bytes) -> tuple[RunReport, bytes]:
    del command
    return OK, given.strip()[::-1] + b"\n"


def complains(command: Command, given: bytes) -> tuple[RunReport, bytes]:
    del command, given
    return FAILED, b"no"


REVERSING = Twin("open('kept', 'w').write('made'); print(input()[::-1])", reverses)
COMPLAINING = Twin(
    "import sys; print('no', end=''); print('no', end='', file=sys.stderr); sys.exit(7)",
    complains,
)


@pytest.fixture(params=["memory", "agent", "one_shot"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make_sandbox(kind: str, request: pytest.FixtureRequest, private_home: Path) -> MakeSandbox:
    return MakeSandbox(kind, request, private_home)


@dataclass(frozen=True)
class MakeSandbox:
    kind: str
    request: pytest.FixtureRequest
    home: Path

    def __call__(self, twin: Twin) -> Sandbox:
        if self.kind == "memory":
            return MemorySandbox(twin.function)
        self.request.getfixturevalue("sandbox_works")
        if self.kind == "one_shot":
            return OneShotSandbox(self.home, ("--state", str(self.home / "one-shot")), print)
        agent: AgentSandbox = self.request.getfixturevalue("agent_sandbox")
        return agent


@dataclass(frozen=True)
class Seen:
    report: RunReport
    stdout: bytes
    stderr: bytes
    taken: dict[str, bytes]


def seen(ran: Ran) -> Seen:
    taken = {name: blob.path.read_bytes() for name, blob in ran.taken.items()}
    return Seen(ran.report, ran.stdout.path.read_bytes(), ran.stderr.path.read_bytes(), taken)


async def run(sandbox: Sandbox, twin: Twin, given: bytes, take: tuple[str, ...] = ()) -> Seen:
    async with sandbox.workspace(REF) as workspace, workspace.box() as box:
        await box.put("main.py", twin.text.encode())
        return seen(await box.run(COMMAND, stdin=await workspace.file("in", given), take=take))


async def test_a_program_reads_its_input_and_its_output_is_read(make_sandbox: MakeSandbox) -> None:
    ran = await run(make_sandbox(REVERSING), REVERSING, b"abc\n")
    assert (ran.report.verdict, ran.report.exit_code, ran.report.signal) == (SandboxVerdict.OK, 0, 0)
    assert (ran.stdout, ran.stderr, ran.taken) == (b"cba\n", b"", {})
    assert ran.report.memory_kib > 0


async def test_a_failure_is_a_report_with_what_the_program_said(make_sandbox: MakeSandbox) -> None:
    ran = await run(make_sandbox(COMPLAINING), COMPLAINING, b"")
    assert (ran.report.verdict, ran.report.exit_code) == (SandboxVerdict.RUNTIME_ERROR, 7)
    assert (ran.stdout, ran.stderr) == (b"no", b"no")


async def test_what_was_asked_for_and_is_there_is_taken(make_sandbox: MakeSandbox) -> None:
    passed = await run(make_sandbox(REVERSING), REVERSING, b"abc\n", take=("kept",))
    failed = await run(make_sandbox(COMPLAINING), COMPLAINING, b"", take=("kept",))
    assert (passed.taken, failed.taken) == ({"kept": b"made"}, {})


async def test_a_box_serves_several_runs_and_no_input_is_an_empty_one(make_sandbox: MakeSandbox) -> None:
    sandbox = make_sandbox(COMPLAINING)
    async with sandbox.workspace(REF) as workspace, workspace.box() as box:
        await box.put("main.py", COMPLAINING.text.encode())
        for alone in (False, True):
            ran = await box.run(replace(COMMAND, alone=alone))
            assert ran.report.exit_code == 7
