"""Is the answer right? A checker that breaks says so; that is never the contestant's fault."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from deepoj_domain.kernel.score import Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import ProgramChecker, with_arguments
from deepoj_judgement.commands.judge.checkers.compare import BuiltinChecker, compare
from deepoj_judgement.commands.judge.checkers.outcome import Checked
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


class CaseChecker(Protocol):
    async def check(self, task: Task, output: Blob) -> Checked: ...


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
