"""Times of a host that is faster or slower than the reference, told in those of the reference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.program import Program
from deepoj_judgement.commands.judge.sandbox_port import Command, Ran, RunLimits, RunRef, RunReport, Talkers
from deepoj_judgement.commands.judge.steps.run_program import Runner, command_of, furnish
from deepoj_judgement.commands.judge.testing import Notebook, TextBlob
from deepoj_judgement.commands.worker.measure_speed import MeasureSpeed, Speed
from deepoj_judgement.outbound.sandbox.reference_time import AS_REFERENCE, InReferenceTime, Pace

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from deepoj_judgement.commands.judge.sandbox_port import JudgeBox
    from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
    from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains

REF = RunRef("job", 1)
BUSY = b"import time\nwhile time.process_time() < 0.2: pass\n"
LIMITS = Limits(cpu_ms=150, memory_kib=256 * 1024, output_kib=64)
COMMAND = Command(
    steps=(("/bin/true",),),
    limits=RunLimits(cpu_ms=1000, wall_ms=3000, memory_bytes=1, output_bytes=1, error_bytes=1, processes=1),
)


async def test_the_speed_of_this_host_is_measured_in_a_box(
    agent_sandbox: AgentSandbox, toolchains: InstalledToolchains
) -> None:
    speed = await MeasureSpeed(toolchains, agent_sandbox)(times=2)
    assert 0 < speed.fastest_ms <= speed.median_ms
    assert speed.percent_of(2 * speed.fastest_ms) == 50


@pytest.mark.parametrize(
    ("fastest", "percent"), [(160, 100), (156, 100), (164, 100), (165, 105), (240, 150), (80, 50), (1, 5)]
)
def test_noise_of_a_measurement_does_not_make_two_hosts_of_one(fastest: int, percent: int) -> None:
    assert Speed(fastest, fastest).percent_of(160) == percent


async def test_on_the_reference_host_nothing_is_changed(agent_sandbox: AgentSandbox) -> None:
    async with InReferenceTime(agent_sandbox, Pace()).workspace(REF) as workspace:
        assert type(workspace).__module__.endswith("sandbox.agent")


@given(percent=st.integers(100, 1000), used=st.integers(0, 10**6), limit=st.integers(1, 10**6))
def test_what_is_within_a_stretched_limit_is_told_to_be_within_the_limit(
    percent: int, used: int, limit: int
) -> None:
    pace = Pace(percent)
    here = pace.here(replace(COMMAND, limits=replace(COMMAND.limits, cpu_ms=limit))).limits.cpu_ms
    told = pace.there(ran(used)).report.time_ms
    assert told <= limit if used <= here else told >= limit
    if percent == AS_REFERENCE:
        assert (here, told) == (limit, used)


def ran(time_ms: int) -> Ran:
    blob = TextBlob(Path("/dev/null"))
    return Ran(RunReport(verdict=SandboxVerdict.OK, time_ms=time_ms, memory_kib=1), blob, blob, {})


@pytest.mark.parametrize(("percent", "verdict"), [(100, "TLE"), (200, "OK")])
async def test_a_slow_host_gives_more_time_and_tells_less(
    agent_sandbox: AgentSandbox, toolchains: InstalledToolchains, percent: int, verdict: str
) -> None:
    toolchain = toolchains.find(language_slug("python3"))
    program = Program({"main.py": BUSY}, "main.py")
    async with (
        InReferenceTime(agent_sandbox, Pace(percent)).workspace(REF) as workspace,
        workspace.box() as box,
    ):
        await furnish(box, program)
        found = await Runner(toolchain, program, LIMITS, Notebook()).run(box.run)
    assert found.report.verdict == verdict
    if verdict == "OK":
        assert 100 <= found.report.time_ms <= LIMITS.cpu_ms


def unhurried(box: JudgeBox) -> Callable[[Command], Awaitable[Ran]]:
    """However long this machine, which has other work, lets a program wait."""

    async def run(command: Command) -> Ran:
        return await box.run(replace(command, limits=replace(command.limits, wall_ms=60_000)))

    return run


@pytest.mark.parametrize(("of_limit", "verdict"), [(0.9, "OK"), (1.1, "TLE")])
async def test_hosts_that_need_longer_or_shorter_for_the_same_agree_near_the_limit(
    agent_sandbox: AgentSandbox, toolchains: InstalledToolchains, of_limit: float, verdict: str
) -> None:
    """Such a host is this one, with a program that computes for as much longer."""
    limits = replace(LIMITS, cpu_ms=600)
    told = {}
    for percent in (80, 100, 150):
        seconds = limits.cpu_ms / 1000 * of_limit * percent / 100
        program = Program(
            {"main.py": f"import time\nwhile time.process_time() < {seconds}: pass\n".encode()}, "main.py"
        )
        async with (
            InReferenceTime(agent_sandbox, Pace(percent)).workspace(REF) as workspace,
            workspace.box() as box,
        ):
            await furnish(box, program)
            toolchain = toolchains.find(language_slug("python3"))
            found = await Runner(toolchain, program, limits, Notebook()).run(unhurried(box))
        assert found.report.verdict == verdict
        told[percent] = found.report.time_ms
    if verdict == "OK":
        assert max(told.values()) - min(told.values()) <= limits.cpu_ms * 0.05, told


async def test_programs_that_talk_are_paced_alike(
    agent_sandbox: AgentSandbox, toolchains: InstalledToolchains
) -> None:
    toolchain = toolchains.find(language_slug("python3"))
    program = Program({"main.py": BUSY}, "main.py")
    command = command_of(toolchain, program, replace(LIMITS, cpu_ms=3000))
    async with (
        InReferenceTime(agent_sandbox, Pace(200)).workspace(REF) as workspace,
        workspace.company(1) as company,
    ):
        for box in (company.leader, *company.members):
            await furnish(box, program)
        leader, [member] = await company.run(Talkers(command, (command,)))
    assert all(100 <= each.report.time_ms < 200 for each in (leader, member))
