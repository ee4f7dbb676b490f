"""Run the cases in their one fixed order and check each; skip what can no longer change the score."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from deepoj_domain.judgement.case_verdict import CheckerWord, case_verdict
from deepoj_domain.judgement.result import CaseResult, Usage
from deepoj_domain.judgement.scoring import may_skip
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.score import EVERYTHING, NOTHING, Share
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.suite import Suite
from deepoj_judgement.commands.checkers.outcome import Checked
from deepoj_judgement.commands.ports import CaseLog
from deepoj_judgement.commands.running import Blob, Ran
from deepoj_judgement.commands.steps.check import CaseChecker
from deepoj_judgement.commands.steps.run_program import Runner

LOGGED_CASES = 50
_LOG_BYTES = 64 * 1024
_MESSAGE_CHARACTERS = 500


@dataclass(slots=True)
class CaseRun:
    """What the cases came to, in order."""

    results: list[CaseResult] = field(default_factory=list)
    logs: list[CaseLog] = field(default_factory=list)


async def run_cases(
    runner: Runner, checker: CaseChecker, suite: Suite, data: Mapping[ContentHash, Blob]
) -> CaseRun:
    done = CaseRun()
    for number, case in enumerate(suite.cases, start=1):
        if may_skip(suite, case, done.results):
            done.results.append(CaseResult.skipped(case.name))
            continue
        ran = await runner.run(data[case.input])
        checked = None
        if ran.report.verdict is SandboxVerdict.OK:
            checked = await checker.check(data[case.input], data[case.answer], ran.stdout)
        done.results.append(_result(case, ran, checked))
        if len(done.logs) < LOGGED_CASES:
            done.logs.append(_case_log(number, ran))
    return done


def _result(case: Case, ran: Ran, checked: Checked | None) -> CaseResult:
    report = ran.report
    return CaseResult(
        case=case.name,
        verdict=case_verdict(report.verdict, checked.word if checked else None),
        share=_share(checked),
        usage=Usage(report.time_ms, report.memory_kib),
        exit_code=report.exit_code,
        signal=report.signal,
        message=checked.message[:_MESSAGE_CHARACTERS] if checked else "",
    )


def _share(checked: Checked | None) -> Share:
    if checked is None:
        return NOTHING
    if checked.share is not None and checked.word in {CheckerWord.RIGHT, CheckerWord.WRONG}:
        return checked.share
    return EVERYTHING if checked.word is CheckerWord.RIGHT else NOTHING


def _case_log(number: int, ran: Ran) -> CaseLog:
    with ran.stdout.open() as output, ran.stderr.open() as errors:
        return CaseLog(number, output.read(_LOG_BYTES), errors.read(_LOG_BYTES), ran.report)
