"""How fast this host is: one fixed program, compiled and run alone in a box, several times."""

from dataclasses import dataclass
from statistics import median
from typing import Final

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.errors import SandboxFailedError
from deepoj_judgement.commands.judge.ports import Toolchains
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.sandbox_port import RunRef, Sandbox
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.run_program import command_of, furnish

LANGUAGE: Final = LanguageSlug("c11")
"""Of all languages the one whose speed depends least on its version."""
_LIMITS: Final = Limits(cpu_ms=60_000, memory_kib=256 * 1024, output_kib=64)
_STEP_PERCENT: Final = 5
# Arithmetic in registers, divisions, branches that cannot be guessed, and jumps through 8 MiB: what programs
# of contestants are made of. Never changed: what it takes would be another number.
PROGRAM: Final = rb"""#include <stdint.h>
#include <stdio.h>
#define N (1u << 21)
static uint32_t next[N];
int main(void) {
    uint64_t s = 88172645463325252u, sum = 0;
    for (uint32_t i = 0; i < N; i++) next[i] = i;
    for (uint32_t i = N - 1; i > 0; i--) {
        s ^= s << 13; s ^= s >> 7; s ^= s << 17;
        uint32_t j = s % i, t = next[i];
        next[i] = next[j]; next[j] = t;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < 2 * N; i++) { at = next[at]; sum += at; }
    for (uint32_t i = 1; i < 24000000; i++) {
        s ^= s << 13; s ^= s >> 7; s ^= s << 17;
        sum += s & 1 ? s / i : s * i;
    }
    printf("%llu\n", (unsigned long long)sum);
}
"""


@dataclass(frozen=True, slots=True)
class Speed:
    fastest_ms: int
    """Whatever else a host does makes a run longer, and none shorter: this says most about the host."""
    median_ms: int

    def percent_of(self, reference_ms: int) -> int:
        """How long this host takes for what the reference does in 100, in steps: noise shall not decide."""
        return max(_STEP_PERCENT, _STEP_PERCENT * round(100 * self.fastest_ms / reference_ms / _STEP_PERCENT))


@dataclass(frozen=True, slots=True)
class MeasureSpeed:
    toolchains: Toolchains
    sandbox: Sandbox

    async def __call__(self, times: int = 9) -> Speed:
        """Raise a JudgingFailedError when there is no compiler, or nothing can be run."""
        toolchain = self.toolchains.find(LANGUAGE)
        async with self.sandbox.workspace(RunRef("speed", 0)) as workspace:
            program = await compile_source(workspace, toolchain, {toolchain.language.source_name: PROGRAM})
            if isinstance(program, CompileFailed):
                raise SandboxFailedError(f"the program that measures does not compile: {program.log[:200]!r}")
            took: list[int] = []
            async with workspace.box() as box:
                await furnish(box, program)
                command = command_of(toolchain, program, _LIMITS)
                # The first one only warms up.
                for _ in range(1 + times):
                    ran = await box.run(command)
                    if ran.report.verdict is not SandboxVerdict.OK:
                        raise SandboxFailedError(f"the program that measures ended with {ran.report.verdict}")
                    took.append(ran.report.time_ms)
        return Speed(min(took[1:]), round(median(took[1:])))
