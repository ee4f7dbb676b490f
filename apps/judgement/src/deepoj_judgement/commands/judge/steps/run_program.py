"""One run of a program on one input, judged by time and memory but not yet by its answer."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.checkers.conventions import WORK
from deepoj_judgement.commands.judge.ports import Observer
from deepoj_judgement.commands.judge.program import Program
from deepoj_judgement.commands.judge.sandbox_port import Blob, Command, JudgeBox, Ran, RunLimits, RunReport
from deepoj_judgement.commands.judge.toolchain import MIB, Toolchain
from deepoj_languages.language import KnownExit

ERROR_BYTES = 1 * MIB
APP = "/app/"
_LINK = ("/bin/ln", "-s")
_BESIDE = "beside/"
# What a case has under the same name is there already, and stays.
_LINK_BESIDE = ("/bin/cp", "-rsn", f"{APP}{_BESIDE}.", WORK)
IDLE_MS = 1000
"""A program that only sleeps for so long is late, whatever its limit: it holds a core and does nothing."""
_TAIL_BYTES = 4096
_BAND_PERCENT = 10
_SMALLEST_BAND_MS = 20


def command_of(toolchain: Toolchain, program: Program, limits: Limits, *arguments: str) -> Command:
    language = toolchain.language
    run = (*toolchain.run_argv(program.main, limits.memory_kib, limits.stack_kib), *arguments)
    return Command(
        steps=(_LINK_BESIDE, run) if program.beside else (run,),
        environment=toolchain.environment(limits.memory_kib),
        limits=RunLimits(
            cpu_ms=limits.cpu_ms,
            wall_ms=limits.wall_ms,
            idle_ms=IDLE_MS,
            memory_bytes=limits.memory_kib * 1024,
            memory_slack_bytes=language.memory_slack_mib * MIB,
            output_bytes=limits.output_kib * 1024,
            error_bytes=ERROR_BYTES,
            processes=limits.processes + language.threads if limits.processes else language.processes,
            stack_bytes=limits.stack_kib * 1024,
        ),
    )


def linked(command: Command, links: Mapping[str, str]) -> Command:
    """Return the same with files under other names in the directory it starts in."""
    before = tuple((*_LINK, target, WORK + name) for name, target in links.items())
    return replace(command, steps=(*before, *command.steps)) if before else command


async def furnish(box: JudgeBox, program: Program) -> None:
    for name, content in program.files.items():
        await box.put(name, content, executable=True)
    for name, content in program.beside.items():
        await box.put(_BESIDE + name, content)


async def run_in_time(
    box: JudgeBox, command: Command, *, stdin: Blob | None = None, take: tuple[str, ...] = ()
) -> Ran:
    """Run a setter's program, and again alone if it ran out of time, which a busy machine alone can cause."""
    ran = await box.run(command, stdin=stdin, take=take)
    if ran.report.verdict is SandboxVerdict.TIME_LIMIT:
        ran = await box.run(replace(command, alone=True), stdin=stdin, take=take)
    return ran


@dataclass(frozen=True, slots=True)
class Runner:
    """A program with everything that is the same for all cases."""

    toolchain: Toolchain
    program: Program
    limits: Limits
    observer: Observer

    def within(self, limits: Limits | None) -> "Runner":
        """Return the same program under other limits; None keeps these."""
        return self if limits is None else replace(self, limits=limits)

    async def run(self, execute: Callable[[Command], Awaitable[Ran]], *, again: bool = True) -> Ran:
        """Run with a little more time than allowed; what ends inside that band gets a second try alone.

        CPU time is noisy on a busy machine, so only a result that is far off, or late twice, is late.
        Without `again` there is no second try: what came before cannot be had back.
        """
        command = command_of(self.toolchain, self.program, _stretched(self.limits))
        ran = await execute(command)
        self.observer.executed(ran.report)
        if again and _near_limit(ran.report, self.limits):
            ran = await execute(replace(command, alone=True))
            self.observer.executed(ran.report)
        return replace(ran, report=self._final(ran))

    def _final(self, ran: Ran) -> RunReport:
        report = ran.report
        full = self.toolchain.language.memory_exits
        if report.verdict is SandboxVerdict.RUNTIME_ERROR and ended_like(full, ran):
            return replace(report, verdict=SandboxVerdict.MEMORY_LIMIT)
        if report.time_ms > self.limits.cpu_ms and _ended_by_itself(report):
            return replace(report, verdict=SandboxVerdict.TIME_LIMIT)
        if report.verdict is SandboxVerdict.TIME_LIMIT:
            # Who slept was stopped early, and is late all the same.
            return replace(report, time_ms=max(report.time_ms, self.limits.cpu_ms))
        return report


def ended_like(rules: tuple[KnownExit, ...], ran: Ran) -> bool:
    if not rules:
        return False
    with ran.stderr.open() as errors:
        errors.seek(max(0, ran.stderr.size - _TAIL_BYTES))
        tail = errors.read()
    return any(rule.matches(ran.report.exit_code, ran.report.signal, tail) for rule in rules)


def _stretched(limits: Limits) -> Limits:
    band = max(_SMALLEST_BAND_MS, limits.cpu_ms * _BAND_PERCENT // 100)
    return replace(limits, cpu_ms=limits.cpu_ms + band)


def _near_limit(report: RunReport, limits: Limits) -> bool:
    return _ended_by_itself(report) and report.time_ms > limits.cpu_ms


def _ended_by_itself(report: RunReport) -> bool:
    return report.verdict in {SandboxVerdict.OK, SandboxVerdict.RUNTIME_ERROR}
