"""Run the cases in their one fixed order and check each; skip what can no longer change the score."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import groupby

from deepoj_domain.judgement.case_verdict import CheckerWord, case_verdict
from deepoj_domain.judgement.result import CaseResult, Usage
from deepoj_domain.judgement.scoring import Grades, may_skip
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.score import EVERYTHING, NOTHING, ZERO, Share
from deepoj_domain.question.case import Case
from deepoj_domain.question.suite import Group, GroupScoring, worth
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.ports import CaseLog
from deepoj_judgement.commands.judge.sandbox_port import Blob
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.steps.check import Task
from deepoj_judgement.commands.judge.steps.judge_case import CaseJudge, CaseJudged
from deepoj_languages.language import Language

LOGGED_CASES = 50
_LOG_BYTES = 64 * 1024
_MESSAGE_CHARACTERS = 500


Tell = Callable[[Sequence[CaseResult], int], None]
"""Told before the first case and after each: the results so far, and how many there will be."""
Part = Callable[[str, str], AbstractContextManager[object]]
"""Watches a part of the work, given its kind and its name."""


def untold(results: Sequence[CaseResult], total: int) -> None:
    del results, total


@dataclass(slots=True)
class CaseRun:
    """What the cases came to, in order."""

    results: list[CaseResult] = field(default_factory=list)
    logs: list[CaseLog] = field(default_factory=list)
    grades: Grades = field(default_factory=dict)

    def add(self, case: Case, judged: CaseJudged) -> None:
        """Take the next case; the logs of many are not kept, but for the first that failed."""
        result = _result(case, judged)
        is_first_failure = not result.passed and all(each.passed for each in self.results)
        self.results.append(result)
        if len(self.logs) < LOGGED_CASES or is_first_failure:
            self.logs.append(_case_log(len(self.results), judged))


async def run_cases(
    judge: CaseJudge,
    spec: JudgeSpec,
    language: Language,
    data: Mapping[ContentHash, Blob],
    tell: Tell,
    part: Part,
) -> CaseRun:
    suite = spec.suite
    done, total = CaseRun(), len(suite.cases)
    tell(done.results, total)
    for group, cases in groupby(suite.cases, key=lambda case: case.group):
        with part("group", group):
            for case in cases:
                if may_skip(suite, case, done.results):
                    done.results.append(CaseResult.skipped(case.name))
                    continue
                task = task_of(suite.group_of(case), case, data)
                judged = await judge.judge(replace(task, limits=spec.case_limits(language, case)))
                done.add(case, judged)
                tell(done.results, total)
    return done


def task_of(group: Group, case: Case, data: Mapping[ContentHash, Blob]) -> Task:
    scored = group.scoring is not GroupScoring.ALL
    bounded = not group.unbounded and (scored or group.points != ZERO)
    most = worth(group, case) if bounded else None
    files = {file.name: data[file.content] for file in case.files}
    return Task(case, data[case.input], data[case.answer], most, scored, files=files)


def _result(case: Case, judged: CaseJudged) -> CaseResult:
    report, checked = judged.ran.report, judged.checked
    return CaseResult(
        case=case.name,
        verdict=case_verdict(report.verdict, checked.word if checked else None),
        share=_share(checked),
        usage=Usage(report.time_ms, report.memory_kib),
        exit_code=report.exit_code,
        signal=report.signal,
        message=checked.message[:_MESSAGE_CHARACTERS] if checked else "",
        points=checked.points if checked else None,
    )


def _share(checked: Checked | None) -> Share:
    if checked is None:
        return NOTHING
    if checked.share is not None:
        return checked.share
    return EVERYTHING if checked.word is CheckerWord.RIGHT else NOTHING


def _case_log(number: int, judged: CaseJudged) -> CaseLog:
    ran = judged.ran
    with ran.stdout.open() as output, ran.stderr.open() as errors:
        return CaseLog(
            number, output.read(_LOG_BYTES), errors.read(_LOG_BYTES), ran.report, judged.checker_log
        )
