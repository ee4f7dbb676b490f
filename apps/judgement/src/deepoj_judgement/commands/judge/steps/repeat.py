"""A solution run again and again on one case, on what the checker wrote, until that wants no more."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from deepoj_domain.question.limits import MOST_DATA_BYTES
from deepoj_judgement.commands.judge.checkers.outcome import broken
from deepoj_judgement.commands.judge.sandbox_port import Blob, RunReport
from deepoj_judgement.commands.judge.steps.check import Task
from deepoj_judgement.commands.judge.steps.judge_case import CaseJudge, CaseJudged

Keep = Callable[[str, bytes], Awaitable[Blob]]


@dataclass(frozen=True, slots=True)
class Repeated:
    once: CaseJudge
    passes: int
    keep: Keep
    """Makes a file that the next run does not overwrite."""

    async def judge(self, task: Task) -> CaseJudged:
        """Limits hold for each run; the largest of what the runs used is what the case used."""
        reports: list[RunReport] = []
        asked = 0
        while True:
            judged = await self.once.judge(task)
            reports.append(judged.ran.report)
            wanted = judged.checked.next_input if judged.checked else None
            if wanted is None:
                return used_by_all(judged, reports)
            asked += wanted.size
            if task.run == self.passes or asked > MOST_DATA_BYTES:
                bound = f"{self.passes} runs of {MOST_DATA_BYTES} bytes in all"
                reason = broken(f"the checker asks for more than {bound}", judged.checker_log)
                return used_by_all(replace(judged, checked=reason), reports)
            with wanted.open() as stream:
                given = await self.keep(f"next-{task.run % 2}", stream.read())
            task = replace(task, given=given, run=task.run + 1)


def used_by_all(judged: CaseJudged, reports: list[RunReport]) -> CaseJudged:
    report = replace(
        judged.ran.report,
        time_ms=max(each.time_ms for each in reports),
        memory_kib=max(each.memory_kib for each in reports),
    )
    return replace(judged, ran=replace(judged.ran, report=report))
