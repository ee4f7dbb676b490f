"""Run the cases in their one fixed order and check each; skip what can no longer change the score."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from deepoj_domain.judgement.case_verdict import CheckerWord, case_verdict
from deepoj_domain.judgement.result import CaseResult, Usage
from deepoj_domain.judgement.scoring import may_skip
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.score import EVERYTHING, NOTHING, ZERO, Share
from deepoj_domain.question.case import Case
from deepoj_domain.question.group import Group, GroupScoring
from deepoj_domain.question.suite import Suite, worth
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.ports import CaseLog
from deepoj_judgement.commands.judge.sandbox_port import Blob
from deepoj_judgement.commands.judge.steps.check import Task
from deepoj_judgement.commands.judge.steps.judge_case import CaseJudge, CaseJudged

LOGGED_CASES = 50
_LOG_BYTES = 64 * 1024
_MESSAGE_CHARACTERS = 500


Tell = Callable[[Sequence[CaseResult], int], None]
"""Told before the first case and after each: the results so far, and how many there will be."""


def untold(results: Sequence[CaseResult], total: int) -> None:
    del results, total


@dataclass(slots=True)
class CaseRun:
    """What the cases came to, in order."""

    results: list[CaseResult] = field(default_factory=list)
    logs: list[CaseLog] = field(default_factory=list)


async def run_cases(
    judge: CaseJudge,
    suite: Suite,
    data: Mapping[ContentHash, Blob],
    tell: Tell,
) -> CaseRun:
    done, total = CaseRun(), len(suite.cases)
    tell(done.results, total)
    for number, case in enumerate(suite.cases, start=1):
        if may_skip(suite, case, done.results):
            done.results.append(CaseResult.skipped(case.name))
            continue
        judged = await judge.judge(_task(suite.group_of(case), case, data))
        result = _result(case, judged)
        is_first_failure = not result.passed and all(each.passed for each in done.results)
        done.results.append(result)
        if len(done.logs) < LOGGED_CASES or is_first_failure:
            done.logs.append(_case_log(number, judged))
        tell(done.results, total)
    return done


def _task(group: Group, case: Case, data: Mapping[ContentHash, Blob]) -> Task:
    scored = group.scoring is not GroupScoring.ALL
    bounded = not group.unbounded and (scored or group.points != ZERO)
    most = worth(group, case) if bounded else None
    return Task(case, data[case.input], data[case.answer], most, scored)


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
