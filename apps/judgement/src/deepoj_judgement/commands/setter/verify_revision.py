"""Verify the package of a stored revision, step by step, for its setter."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.role import Actor
from deepoj_domain.kernel.verdict import Verdict
from deepoj_judgement.commands.setter.check_outputs import OUTPUTS
from deepoj_judgement.commands.setter.events import (
    Cost,
    Event,
    Failed,
    Finding,
    Finished,
    Languages,
    MutantJudged,
    Note,
    Opened,
    Severity,
    SolutionJudged,
    Strength,
    TimeLimit,
    Working,
)
from deepoj_judgement.commands.setter.ports import Emit
from deepoj_judgement.commands.setter.validate_data import ANSWERS, INPUTS
from deepoj_judgement.commands.setter.verify_options import EVERYTHING, VerifyOptions
from deepoj_packages.spec import ProblemSpec

_MOST_WAITING = 1000
_MOST_FINDINGS = 200
_MESSAGE_CHARACTERS = 2000


class VerificationBusyError(Exception):
    """Another one is under way on this host."""

    def __init__(self) -> None:
        super().__init__("another problem is being verified; try again when it is done")


class VerifyStep(StrEnum):
    PACKAGE = "package"
    INPUTS = "inputs"
    SOLUTION = "solution"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyProgress:
    step: VerifyStep
    done: int = 0
    total: int = 0
    solution: str | None = None
    case_name: str | None = None
    verdict: Verdict | None = None
    expected: str | None = None
    ok: bool | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    ok: bool
    findings: tuple[Finding, ...]
    time_limit: TimeLimit | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionOrder:
    actor: Actor
    question_id: QuestionId
    revision: int
    """0: the newest."""
    options: VerifyOptions = EVERYTHING
    warnings_as_errors: bool = False


class RevisionPackages(Protocol):
    def fetched(self, order: RevisionOrder) -> AbstractAsyncContextManager[ProblemSpec]:
        """Lend the package as its setter would export it, or raise PackageRefusedError.

        What question refuses is raised as it came.
        """
        ...


class Verifier(Protocol):
    async def __call__(self, package: ProblemSpec, options: VerifyOptions) -> bool: ...


@dataclass(slots=True)
class VerifyRevision:
    packages: RevisionPackages
    verifier: Callable[[ProblemSpec, Emit], Verifier]
    _alone: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def __call__(self, order: RevisionOrder) -> AsyncGenerator[VerifyProgress | Verified]:
        """Yield each step and at last the outcome; whoever stops reading stops the work."""
        if self._alone.locked():
            raise VerificationBusyError
        async with self._alone:
            told = _Told()
            work = asyncio.create_task(self._verify(order, told))
            work.add_done_callback(lambda _: told.steps.put_nowait(None))
            try:
                while (step := await told.steps.get()) is not None:
                    yield step
                ok = await work and not (order.warnings_as_errors and told.findings)
                yield told.verified(ok=ok)
            finally:
                work.cancel()
                await asyncio.wait({work})

    async def _verify(self, order: RevisionOrder, told: "_Told") -> bool:
        async with self.packages.fetched(order) as package:
            return await self.verifier(package, told.emit)(package, order.options)


@dataclass(slots=True)
class _Told:
    steps: asyncio.Queue[VerifyProgress | None] = field(default_factory=asyncio.Queue)
    findings: dict[Finding, None] = field(default_factory=dict)
    """Each once: what was interrupted is done again."""
    time_limit: TimeLimit | None = None

    def emit(self, event: Event) -> None:
        match event:
            case Opened():
                self._step(VerifyProgress(step=VerifyStep.PACKAGE, total=event.submissions))
            case Working(on, done, total) if on in {INPUTS, ANSWERS, OUTPUTS}:
                self._count(VerifyProgress(step=VerifyStep.INPUTS, done=done, total=total))
            case Working(on, done, total):
                self._count(VerifyProgress(step=VerifyStep.SOLUTION, solution=on, done=done, total=total))
            case SolutionJudged():
                self._solution(event)
            case MutantJudged():
                self._step(_mutant(event))
            case Note() | Strength() | Cost():
                return
            case Finding():
                self._find(event)
            case TimeLimit():
                self.time_limit = event
            case Languages() | Finished() | Failed():
                raise TypeError(f"no verification says {event}")

    def verified(self, *, ok: bool) -> Verified:
        return Verified(ok=ok, findings=tuple(self.findings), time_limit=self.time_limit)

    def _solution(self, event: SolutionJudged) -> None:
        self._step(_judged(event))
        for problem in event.problems:
            self._find(Finding(Severity.ERROR, event.name, problem))

    def _step(self, step: VerifyProgress) -> None:
        self.steps.put_nowait(step)

    def _count(self, step: VerifyProgress) -> None:
        """Leave counts out for a reader that is far behind: the next one says more."""
        if self.steps.qsize() < _MOST_WAITING:
            self._step(step)

    def _find(self, finding: Finding) -> None:
        if len(self.findings) < _MOST_FINDINGS:
            self.findings[Finding(finding.severity, finding.about, _short(finding.message))] = None


def _judged(event: SolutionJudged) -> VerifyProgress:
    failed = (case.name for case in event.cases if case.verdict not in {"", Verdict.ACCEPTED})
    return VerifyProgress(
        step=VerifyStep.SOLUTION,
        solution=event.name,
        done=len(event.cases),
        total=len(event.cases),
        case_name=next(failed, None),
        verdict=Verdict(event.verdict),
        expected=event.expected or None,
        ok=not event.problems,
        message=_short("; ".join(event.problems) or event.message) or None,
    )


def _mutant(event: MutantJudged) -> VerifyProgress:
    return VerifyProgress(
        step=VerifyStep.SOLUTION,
        solution=f"mutant of {event.of}, line {event.line}",
        case_name=event.caught_by or None,
        verdict=Verdict(event.verdict),
        message=_short(event.change),
    )


def _short(text: str) -> str:
    return text[:_MESSAGE_CHARACTERS]
