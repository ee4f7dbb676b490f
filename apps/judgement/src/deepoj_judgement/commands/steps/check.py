"""Is the answer right? A checker that breaks says so; that is never the contestant's fault."""

import asyncio
from typing import Protocol

from deepoj_judgement.commands.checkers.compare import BuiltinChecker, compare
from deepoj_judgement.commands.checkers.outcome import Checked
from deepoj_judgement.commands.running import Blob


class CaseChecker(Protocol):
    async def check(self, given: Blob, answer: Blob, output: Blob) -> Checked: ...


class Comparison:
    """A built-in checker."""

    def __init__(self, checker: BuiltinChecker) -> None:
        self._checker = checker

    async def check(self, given: Blob, answer: Blob, output: Blob) -> Checked:  # noqa: ARG002 — needs no input
        return await asyncio.to_thread(self._compare, answer, output)

    def _compare(self, answer: Blob, output: Blob) -> Checked:
        with output.open() as ours, answer.open() as theirs:
            return compare(self._checker, ours, theirs)
