"""A result near the limit gets a second, lonely run in the real sandbox."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.program import Program
from deepoj_judgement.commands.judge.sandbox_port import Command, Ran, RunRef
from deepoj_judgement.commands.judge.steps.run_program import Runner, furnish
from deepoj_judgement.commands.judge.testing import Notebook

if TYPE_CHECKING:
    from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
    from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains

# No interpreter starts in a millisecond of CPU time, however fast the machine.
TIGHT = Limits(cpu_ms=1, memory_kib=256 * 1024, output_kib=64)


async def test_what_ends_late_by_itself_is_run_again_alone_and_late_twice_is_too_late(
    agent_sandbox: AgentSandbox, toolchains: InstalledToolchains
) -> None:
    toolchain = toolchains.find(language_slug("python3"))
    notebook = Notebook()
    commands: list[Command] = []
    async with agent_sandbox.workspace(RunRef("job", 1)) as workspace, workspace.box() as box:
        program = Program({"main.py": b"print(1)"}, "main.py")
        await furnish(box, program)

        async def execute(command: Command) -> Ran:
            commands.append(command)
            # More time than the band around the limit, so that the program ends by itself.
            return await box.run(
                replace(command, limits=replace(command.limits, cpu_ms=60_000, wall_ms=60_000))
            )

        ran = await Runner(toolchain, program, TIGHT, notebook).run(execute)
    assert [command.alone for command in commands] == [False, True]
    assert ran.report.verdict is SandboxVerdict.TIME_LIMIT
    assert notebook.notes == [("executed", "OK"), ("executed", "OK")]
