"""Asking a setter's grader what the cases of a group, or several groups, come to together.

A grader that breaks is our failure: its last case is shown as the one that broke, with what the grader said.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from decimal import ROUND_DOWN, Decimal
from typing import Final

from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.judgement.scoring import Grade, ToGrade, next_to_grade
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import SandboxVerdict, Verdict
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import Suite
from deepoj_judgement.commands.judge.errors import PolicyViolationError
from deepoj_judgement.commands.judge.program import CompileFailed, Program
from deepoj_judgement.commands.judge.sandbox_port import Ran, Workspace
from deepoj_judgement.commands.judge.steps.prepare_checker import LIMITS
from deepoj_judgement.commands.judge.steps.run_cases import CaseRun
from deepoj_judgement.commands.judge.steps.run_program import command_of, furnish, run_in_time
from deepoj_judgement.commands.judge.toolchain import Toolchain

Ask = Callable[[ToGrade], Awaitable[Grade | str]]
"""Answers with a grade, or with a sentence about why there is none."""

_CODES: Final = {
    Verdict.ACCEPTED: "AC",
    Verdict.WRONG_ANSWER: "WA",
    Verdict.PRESENTATION_ERROR: "WA",
    Verdict.TIME_LIMIT: "TLE",
    Verdict.RUNTIME_ERROR: "RTE",
    Verdict.MEMORY_LIMIT: "RTE",
    Verdict.OUTPUT_LIMIT: "RTE",
}
_VERDICTS: Final = {
    "AC": Verdict.ACCEPTED,
    "WA": Verdict.WRONG_ANSWER,
    "TLE": Verdict.TIME_LIMIT,
    "RTE": Verdict.RUNTIME_ERROR,
    "MLE": Verdict.MEMORY_LIMIT,
    "OLE": Verdict.OUTPUT_LIMIT,
}
_SAID = re.compile(r"\s*([A-Z]{2,3})\s+(-?\d{1,12}(?:\.\d{0,40})?)\s*")
_MICRO = Decimal(1).scaleb(-6)
_READ_BYTES = 4096
_SHOWN = 200


async def graded(done: CaseRun, suite: Suite, ask: Ask) -> CaseRun:
    """Return the same run with what the grader says of it."""
    if any(result.verdict is Verdict.SYSTEM_ERROR for result in done.results):
        return done
    grades: dict[str, Grade] = {}
    while asked := next_to_grade(suite, done.results, grades):
        grade = await ask(asked)
        if isinstance(grade, str):
            return replace(done, results=[_broken(each, asked, grade) for each in done.results])
        grades[asked.unit.name] = grade
    return replace(done, grades=grades)


def _broken(result: CaseResult, asked: ToGrade, why: str) -> CaseResult:
    if result.case != asked.last_case:
        return result
    failed = CaseResult.failed(result.case, Verdict.SYSTEM_ERROR, result.usage)
    return replace(failed, message=f"the grader of {asked.unit.name}: {why}")


@asynccontextmanager
async def grading(
    workspace: Workspace, toolchain: Toolchain, program: Program, limits: Limits | None
) -> AsyncIterator[Ask]:
    async with workspace.box() as box:
        await furnish(box, program)

        async def ask(asked: ToGrade) -> Grade | str:
            lines = "".join(f"{_CODES[part.verdict]} {part.score}\n" for part in asked.parts)
            command = replace(
                command_of(toolchain, program, limits or LIMITS), arguments=asked.unit.grader_arguments
            )
            given = await workspace.file("grade", lines.encode())
            try:
                ran = await run_in_time(box, command, stdin=given)
            except PolicyViolationError as error:
                return f"cannot be started: {error.detail}"
            return read_grade(asked, ran)

        yield ask


def unable(failed: CompileFailed) -> Ask:
    async def ask(asked: ToGrade) -> Grade | str:  # noqa: ARG001 — nothing can be asked
        return f"does not compile: {failed.log.decode(errors='replace')}"

    return ask


def read_grade(asked: ToGrade, ran: Ran) -> Grade | str:
    with ran.stdout.open() as output, ran.stderr.open() as errors:
        said = output.read(_READ_BYTES).decode(errors="replace")
        complaint = errors.read(_READ_BYTES).decode(errors="replace").strip()[:_SHOWN]
    report = ran.report
    if report.verdict is not SandboxVerdict.OK:
        return f"ended with {report.verdict}, exit code {report.exit_code}: {complaint}"
    found = _SAID.fullmatch(said)
    verdict = _VERDICTS.get(found[1]) if found else None
    if found is None or verdict is None:
        return f"printed {said[:_SHOWN]!r}, which is no verdict and score: {complaint}"
    score = Decimal(found[2]).quantize(_MICRO, ROUND_DOWN)
    if verdict is not Verdict.ACCEPTED:
        return Grade(verdict, ZERO)
    try:
        points = Score.points(score)
    except InvalidValueError as error:
        return f"gives points that make no sense ({error}): {complaint}"
    if not asked.unit.unbounded and points > asked.unit.points:
        return f"gives {points} points, which are more than {asked.unit.points}: {complaint}"
    return Grade(verdict, points)
