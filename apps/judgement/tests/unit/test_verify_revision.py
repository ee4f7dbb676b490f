"""Verifying a stored revision: what its setter is told, one at a time, and no longer than they listen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, QUESTION
from deepoj_judgement.commands.setter.events import (
    CaseRow,
    Event,
    Finding,
    MutantJudged,
    Opened,
    Severity,
    SolutionJudged,
    TimeLimit,
    Working,
)
from deepoj_judgement.commands.setter.ports import Emit
from deepoj_judgement.commands.setter.verify_options import Part, VerifyOptions, remote_options
from deepoj_judgement.commands.setter.verify_revision import (
    RevisionOrder,
    VerificationBusyError,
    Verified,
    Verifier,
    VerifyProgress,
    VerifyRevision,
    VerifyStep,
)
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import ProblemSpec

ORDER = RevisionOrder(actor=Actor(ALICE, Role.SETTER), question_id=QuestionId(QUESTION), revision=0)
OPENED = Opened(
    short_name="p",
    title="P",
    format="2025-09",
    scoring=False,
    interactive=False,
    cases=2,
    submissions=1,
    time_limit_ms=1000,
)
WARNING = Finding(Severity.WARNING, "package", "nothing uses it")
LIMIT = TimeLimit(current_ms=1000, suggested_ms=500, slowest_ms=200, slowest="a.py")


def judged(*problems: str) -> SolutionJudged:
    return SolutionJudged(
        name="a.py",
        language="python3",
        verdict=Verdict.WRONG_ANSWER,
        score="0",
        full_score="1",
        time_ms=1,
        time_limit_ms=1000,
        memory_kib=1,
        cases=(CaseRow(name="1", verdict="AC"), CaseRow(name="2", verdict="WA")),
        groups=(),
        expected="AC",
        problems=problems,
    )


class Stage:
    """One package; whether it is lent at the moment, and what a verification of it does."""

    def __init__(self, work: Callable[[Emit], object] = lambda _: None) -> None:
        self.lent = False
        self.may_end = asyncio.Event()
        self.refusal: Exception | None = None
        self.options: VerifyOptions | None = None
        self.right = False
        self.work = work
        self.verify = VerifyRevision(self, self.verifier)

    @asynccontextmanager
    async def fetched(self, order: RevisionOrder) -> AsyncIterator[ProblemSpec]:
        assert order.question_id == ORDER.question_id
        if self.refusal is not None:
            raise self.refusal
        self.lent = True
        try:
            yield cast("ProblemSpec", Path())
        finally:
            self.lent = False

    def is_lent(self) -> bool:
        return self.lent

    def verifier(self, package: ProblemSpec, emit: Emit) -> Verifier:
        del package

        async def verify(package: ProblemSpec, options: VerifyOptions) -> bool:
            del package
            self.options = options
            self.work(emit)
            await self.may_end.wait()
            return self.right

        return verify


async def test_each_step_is_told_and_at_last_every_finding_once() -> None:
    def work(emit: Emit) -> None:
        inputs, solution = Working("input validators", 1, 2), Working("a.py", 1, 2)
        wrong = judged("2 should be AC, and is WA")
        told: tuple[Event, ...] = (OPENED, WARNING, inputs, WARNING, solution, wrong, LIMIT)
        for event in told:
            emit(event)

    stage = Stage(work)
    stage.may_end.set()
    *steps, done = [step async for step in stage.verify(ORDER)]
    assert steps == [
        VerifyProgress(step=VerifyStep.PACKAGE, total=1),
        VerifyProgress(step=VerifyStep.INPUTS, done=1, total=2),
        VerifyProgress(step=VerifyStep.SOLUTION, solution="a.py", done=1, total=2),
        VerifyProgress(
            step=VerifyStep.SOLUTION,
            solution="a.py",
            done=2,
            total=2,
            case_name="2",
            verdict=Verdict.WRONG_ANSWER,
            expected="AC",
            ok=False,
            message="2 should be AC, and is WA",
        ),
    ]
    wrong = Finding(Severity.ERROR, "a.py", "2 should be AC, and is WA")
    assert done == Verified(ok=False, findings=(WARNING, wrong), time_limit=LIMIT)
    assert not stage.is_lent()


async def test_one_at_a_time_and_whoever_hangs_up_stops_it() -> None:
    stage = Stage(lambda emit: emit(OPENED))
    async with aclosing(stage.verify(ORDER)) as steps:
        await anext(steps)
        assert stage.is_lent()
        with pytest.raises(VerificationBusyError):
            await anext(stage.verify(ORDER))
    assert not stage.is_lent()
    stage.may_end.set()
    assert isinstance([step async for step in stage.verify(ORDER)][-1], Verified)


async def test_a_package_that_cannot_be_had_is_refused_as_such_and_leaves_the_place() -> None:
    stage = Stage()
    stage.refusal = PackageRefusedError(Reason.UNSUPPORTED, "no")
    for _ in range(2):
        with pytest.raises(PackageRefusedError):
            await anext(stage.verify(ORDER))


@pytest.mark.parametrize("strict", [False, True])
async def test_a_warning_fails_it_only_where_warnings_are_errors(strict: bool) -> None:  # noqa: FBT001
    stage = Stage(lambda emit: emit(WARNING))
    stage.right = True
    stage.may_end.set()
    *_, done = [step async for step in stage.verify(replace(ORDER, warnings_as_errors=strict))]
    assert isinstance(done, Verified)
    assert done.ok is not strict


async def test_what_was_asked_for_is_what_is_verified_and_each_mutant_is_told() -> None:
    mutant = MutantJudged(of="a.py", line=3, change="< for <=", verdict="WA", survived=False, caught_by="2")
    stage = Stage(lambda emit: emit(mutant))
    stage.may_end.set()
    options = remote_options(
        parts=["strength"], submissions=["accepted/*"], cases=["secret/1"], time_limit_ms=2500, mutants=1
    )
    told, _ = [step async for step in stage.verify(replace(ORDER, options=options))]
    assert stage.options == VerifyOptions(
        parts=frozenset({Part.STRENGTH}),
        submissions=("accepted/*",),
        cases=("secret/1",),
        time_limit_ms=2500,
        mutants=1,
    )
    assert told == VerifyProgress(
        step=VerifyStep.SOLUTION,
        solution="mutant of a.py, line 3",
        case_name="2",
        verdict=Verdict.WRONG_ANSWER,
        message="< for <=",
    )


def test_nothing_asked_for_is_everything() -> None:
    none: list[str] = []
    assert (
        remote_options(parts=none, submissions=none, cases=none, time_limit_ms=0, mutants=0)
        == VerifyOptions()
    )


@pytest.mark.parametrize(
    ("parts", "patterns", "time_limit_ms", "mutants"),
    [
        (["speed"], [], 0, 0),
        ([], ["*"] * 21, 0, 0),
        ([], ["*" * 201], 0, 0),
        ([], [""], 0, 0),
        ([], [], 60_001, 0),
        ([], [], 0, 21),
    ],
)
def test_a_shared_judge_does_not_do_more_than_its_share_for_one_setter(
    parts: list[str], patterns: list[str], time_limit_ms: int, mutants: int
) -> None:
    with pytest.raises(InvalidValueError):
        remote_options(
            parts=parts, submissions=(), cases=patterns, time_limit_ms=time_limit_ms, mutants=mutants
        )
