"""A talk that ended badly: whose verdict it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.kernel.score import Share
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.sandbox_port import Ran, RunReport
from deepoj_judgement.commands.judge.steps.interact import blame
from deepoj_judgement.commands.judge.testing import OK, TextBlob

LIMITS = Limits(cpu_ms=1000, memory_kib=65_536, output_kib=1024)
NOTHING = TextBlob(Path("/dev/null"))
RIGHT, WRONG, BROKEN = (Checked(word) for word in (CheckerWord.RIGHT, CheckerWord.WRONG, CheckerWord.BROKEN))
PARTLY = Checked(CheckerWord.WRONG, share=Share(500_000))
CRASHED = replace(OK, verdict=SandboxVerdict.RUNTIME_ERROR, exit_code=139, signal=11)
LATE = replace(OK, verdict=SandboxVerdict.TIME_LIMIT, time_ms=1100, wall_ms=1200)
STUCK = replace(OK, verdict=SandboxVerdict.TIME_LIMIT, time_ms=3100, wall_ms=3100)
GREEDY = replace(OK, verdict=SandboxVerdict.MEMORY_LIMIT)
BUSY = replace(OK, time_ms=2000, wall_ms=3200)


def second(report: RunReport) -> RunReport:
    return replace(report, ended=1)


@pytest.mark.parametrize("said", [RIGHT, WRONG, BROKEN])
@pytest.mark.parametrize("solution", [CRASHED, LATE, STUCK, GREEDY])
def test_a_solution_that_ended_badly_first_has_its_own_verdict(solution: RunReport, said: Checked) -> None:
    judged = blame(Ran(solution, NOTHING, NOTHING, {}), second(OK), said, LIMITS)
    assert (judged.ran.report.verdict, judged.checked) == (solution.verdict, None)


@pytest.mark.parametrize("said", [WRONG, BROKEN])
@pytest.mark.parametrize("solution", [CRASHED, LATE, GREEDY])
def test_what_an_interactor_that_ended_first_said_stands(solution: RunReport, said: Checked) -> None:
    judged = blame(Ran(second(solution), NOTHING, NOTHING, {}), OK, said, LIMITS)
    assert (judged.ran.report.verdict, judged.checked) == (SandboxVerdict.OK, said)
    assert judged.ran.report.exit_code == solution.exit_code, "how the solution ended is still told"


@pytest.mark.parametrize("said", [RIGHT, PARTLY])
@pytest.mark.parametrize("solution", [CRASHED, LATE, GREEDY])
def test_a_solution_that_earns_something_must_still_end_well(solution: RunReport, said: Checked) -> None:
    judged = blame(Ran(second(solution), NOTHING, NOTHING, {}), OK, said, LIMITS)
    assert (judged.ran.report.verdict, judged.checked) == (solution.verdict, None)


def test_an_interactor_that_sleeps_on_when_it_is_alone_is_broken() -> None:
    idle = replace(OK, verdict=SandboxVerdict.TIME_LIMIT, time_ms=2100, wall_ms=2100)
    judged = blame(
        Ran(idle, NOTHING, NOTHING, {}), second(replace(idle, wall_ms=4200, time_ms=4200)), WRONG, LIMITS
    )
    assert judged.checked is not None
    assert judged.checked.word is CheckerWord.BROKEN


def test_a_solution_that_waited_for_a_busy_interactor_is_not_late() -> None:
    judged = blame(Ran(STUCK, NOTHING, NOTHING, {}), second(BUSY), WRONG, LIMITS)
    assert judged.checked is not None
    assert judged.checked.word is CheckerWord.BROKEN
