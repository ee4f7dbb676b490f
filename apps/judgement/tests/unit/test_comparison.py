"""A comparison leaves room for everything else a worker does meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

import pytest

from deepoj_domain.judgement.case_verdict import CheckerWord
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import BuiltinChecker, FloatChecker, TokenChecker
from deepoj_judgement.commands.judge.checkers.outcome import Checked
from deepoj_judgement.commands.judge.steps.check import Comparison, Task

BEATS = 5


class FileBlob:
    def __init__(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        self.path = path
        self.size = len(content)

    def open(self) -> BinaryIO:
        return self.path.open("rb")


async def turns(task: asyncio.Task[Checked]) -> AsyncIterator[None]:
    """One for each turn of the loop until the task is done."""
    while not task.done():
        await asyncio.wait({task}, timeout=0)
        yield


@pytest.mark.parametrize(
    ("checker", "unit", "expected"),
    [
        (FloatChecker(absolute="1e-6"), b"0.300001 ", b"0.3 "),
        (TokenChecker(normalise_unicode=True), "\u0301\u0323".encode(), "\u0323\u0301".encode()),
    ],
)
async def test_a_long_comparison_does_not_hold_the_event_loop(
    tmp_path: Path, checker: BuiltinChecker, unit: bytes, expected: bytes
) -> None:
    case = Case("1", "all", hash_of(b""), hash_of(b""))
    count = 500_000 // len(unit)
    output, answer = FileBlob(tmp_path / "o", unit * count), FileBlob(tmp_path / "a", expected * count)
    task = Task(case, answer, answer, None, scored=False)
    checking = asyncio.create_task(Comparison(checker).check(task, output))
    beats = [not checking.done() async for _ in turns(checking)]
    assert (await checking).word is not CheckerWord.BROKEN
    assert sum(beats) > BEATS
