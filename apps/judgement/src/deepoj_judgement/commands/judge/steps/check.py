"""Is the answer right? A checker that breaks says so; that is never the contestant's fault."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import BuiltinChecker, ProgramChecker, with_arguments
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.checkers.compare import compare
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.ports import Observer
from deepoj_judgement.commands.judge.sandbox_port import Blob

# A thread costs more than comparing this much, and the worst of it takes a few milliseconds.
_SHORT_BYTES = 8 * 1024


@dataclass(frozen=True, slots=True)
class Task:
    """What there is to know about one case when it is judged."""

    case: Case
    given: Blob
    answer: Blob
    most: Score | None
    """What it can earn; None: no bound."""
    scored: bool
    """Whether the points that a checker gives count."""
    limits: Limits | None = None
    """Of this case alone; None: those of the question."""
    files: Mapping[str, Blob] = field(default_factory=dict)
    """What a solution finds where it starts."""
    run: int = 1
    """The second run on a case and all after it are on what the checker wrote."""

    @property
    def directory(self) -> str:
        """Where a box has its files: no other run has the same."""
        return f"case/{hash_of(self.case.name.encode())[:32]}-{self.run}"


class CaseChecker(Protocol):
    async def check(self, task: Task, output: Blob) -> Checked: ...


@dataclass(frozen=True, slots=True)
class Watched:
    """A checker whose runs are seen in traces."""

    checker: CaseChecker
    observer: Observer

    async def check(self, task: Task, output: Blob) -> Checked:
        with self.observer.part("check", task.case.name):
            return await self.checker.check(task, output)


@dataclass(frozen=True, slots=True)
class All:
    """Several checkers, the first that does not accept decides; the points are those of the last."""

    checkers: Sequence[CaseChecker]

    async def check(self, task: Task, output: Blob) -> Checked:
        first, *others = self.checkers
        checked = await first.check(task, output)
        for other in others:
            if checked.word is not CheckerWord.RIGHT:
                break
            before = checked.log
            checked = await other.check(task, output)
            checked = replace(checked, log=before + checked.log)
        return checked


class Comparison:
    """A built-in checker."""

    def __init__(self, checker: BuiltinChecker) -> None:
        self._checker = checker

    async def check(self, task: Task, output: Blob) -> Checked:
        if max(output.size, task.answer.size) <= _SHORT_BYTES:
            return self._compare(task, output)
        return await asyncio.to_thread(self._compare, task, output)

    def _compare(self, task: Task, output: Blob) -> Checked:
        checker = with_arguments(self._checker, task.case.checker_arguments)
        if isinstance(checker, ProgramChecker):
            raise TypeError("arguments do not change the kind of a checker")
        with output.open() as ours, task.answer.open() as theirs:
            return compare(checker, ours, theirs)
