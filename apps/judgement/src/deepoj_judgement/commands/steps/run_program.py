"""One run of a program on one input, judged by time and memory but not yet by its answer."""

from dataclasses import dataclass, replace

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.language import MIB, Toolchain
from deepoj_judgement.commands.ports import Observer
from deepoj_judgement.commands.running import Blob, Box, Command, Ran, RunLimits, RunReport

ERROR_BYTES = 1 * MIB
_TAIL_BYTES = 4096
_BAND_PERCENT = 10
_SMALLEST_BAND_MS = 20


@dataclass(frozen=True, slots=True)
class Runner:
    """A program in its box with everything that is the same for all cases."""

    box: Box
    toolchain: Toolchain
    limits: Limits
    observer: Observer

    async def run(self, stdin: Blob | None) -> Ran:
        """Run with a little more time than allowed; what ends inside that band gets a second try alone.

        CPU time is noisy on a busy machine, so only a result that is far off, or late twice, is late.
        """
        command = self._command()
        ran = await self._run(command, stdin)
        if _near_limit(ran.report, self.limits):
            ran = await self._run(replace(command, alone=True), stdin)
        return replace(ran, report=self._final(ran))

    async def _run(self, command: Command, stdin: Blob | None) -> Ran:
        ran = await self.box.run(command, stdin=stdin)
        self.observer.executed(ran.report)
        return ran

    def _command(self) -> Command:
        language, limits = self.toolchain.language, self.limits
        return Command(
            steps=(self.toolchain.argv(language.run, limits.memory_kib),),
            environment=self.toolchain.environment(limits.memory_kib),
            limits=RunLimits(
                cpu_ms=limits.cpu_ms + _band_ms(limits),
                wall_ms=limits.wall_ms + _band_ms(limits),
                memory_bytes=limits.memory_kib * 1024,
                memory_slack_bytes=language.memory_slack_mib * MIB,
                output_bytes=min(limits.output_kib * 1024, language.output_mib * MIB),
                error_bytes=ERROR_BYTES,
                processes=language.processes,
            ),
        )

    def _final(self, ran: Ran) -> RunReport:
        report = ran.report
        if report.verdict is SandboxVerdict.RUNTIME_ERROR and self._heap_was_full(ran):
            return replace(report, verdict=SandboxVerdict.MEMORY_LIMIT)
        if report.time_ms > self.limits.cpu_ms and _ended_by_itself(report):
            return replace(report, verdict=SandboxVerdict.TIME_LIMIT)
        return report

    def _heap_was_full(self, ran: Ran) -> bool:
        rules = self.toolchain.language.memory_exits
        if not rules:
            return False
        with ran.stderr.open() as errors:
            errors.seek(max(0, ran.stderr.size - _TAIL_BYTES))
            tail = errors.read()
        return any(rule.matches(ran.report.exit_code, ran.report.signal, tail) for rule in rules)


def _band_ms(limits: Limits) -> int:
    return max(_SMALLEST_BAND_MS, limits.cpu_ms * _BAND_PERCENT // 100)


def _near_limit(report: RunReport, limits: Limits) -> bool:
    return _ended_by_itself(report) and report.time_ms > limits.cpu_ms


def _ended_by_itself(report: RunReport) -> bool:
    return report.verdict in {SandboxVerdict.OK, SandboxVerdict.RUNTIME_ERROR}
