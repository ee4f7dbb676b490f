"""Tests that a package leaves to its programs: made side by side, told as if one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.sandbox_port import Command, RunRef, RunReport
from deepoj_judgement.commands.judge.testing import (
    OK,
    MemoryPrograms,
    MemorySandbox,
    MemoryWorkspace,
    SomeToolchains,
)
from deepoj_judgement.commands.judge.testing import Program as MemoryProgram
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.crew import Crew
from deepoj_judgement.commands.setter.errors import SetterFailedError
from deepoj_judgement.commands.setter.events import Event, Working
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.make_tests import MakeTests
from deepoj_judgement.outbound.packages.files import LocalFiles
from deepoj_languages.table import language_table
from deepoj_packages.read_package import read_directory
from deepoj_packages.spec import ProblemSpec, Program, Recipe
from deepoj_packages.testing import MODERN, write_package

PYTHON = next(row for row in language_table() if row.slug == "python3")
GENERATOR = PurePosixPath("generators/print.py")
COUNT = 6


class CountedSandbox(MemorySandbox):
    """Where several work, the first begins after another has ended."""

    def __init__(self, program: MemoryProgram, crew: int) -> None:
        super().__init__(program)
        self.now, self.most = 0, 0
        self.one_ended = asyncio.Event()
        if crew == 1:
            self.one_ended.set()

    @asynccontextmanager
    async def workspace(self, ref: RunRef) -> AsyncIterator[MemoryWorkspace]:
        self.now += 1
        self.most = max(self.most, self.now)
        if self.now == 1:
            await self.one_ended.wait()
        try:
            async with super().workspace(ref) as workspace:
                yield workspace
        finally:
            self.now -= 1
            self.one_ended.set()


class Bench:
    """A package of which a generator prints the inputs and the solution their answers."""

    def __init__(self, root: Path, crew: int, broken: frozenset[str] = frozenset()) -> None:
        write_package(root / "package", {**MODERN, str(GENERATOR): "a function of the test stands for it"})
        (root / "work").mkdir()
        read = read_directory(root / "package")
        generator = Program(GENERATOR.name, GENERATOR, "python3", GENERATOR, (GENERATOR,))
        inputs = [
            Recipe(file=at("in", each), packed_as=at("in", each), program=generator, arguments=(f"{each}",))
            for each in range(COUNT)
        ]
        answers = [
            Recipe(
                file=at("ans", each),
                packed_as=at("ans", each),
                program=read.submissions[0].program,
                input=at("in", each),
            )
            for each in range(COUNT)
        ]
        self.package: ProblemSpec = replace(read, recipes=(*inputs, *answers))
        self.events: list[Event] = []
        self.broken = broken
        self.sandbox = CountedSandbox(self.program, crew)
        files = LocalFiles(read.root, root / "work")
        choose = ChooseLanguage(SomeToolchains((Toolchain(PYTHON, "1", "1"),)))
        self.make = MakeTests(
            self.sandbox, files, files, MemoryPrograms(), choose, Crew(crew), self.events.append
        )

    def program(self, command: Command, given: bytes) -> tuple[RunReport, bytes]:
        word = command.arguments[-1] if command.arguments else ""
        if given:
            return OK, b"answer of " + given
        if word in self.broken:
            return replace(OK, verdict=SandboxVerdict.RUNTIME_ERROR, exit_code=1), b"no"
        return OK, word.encode()


def at(ending: str, number: int) -> PurePosixPath:
    return PurePosixPath(f"data/secret/made/{number}.{ending}")


@pytest.mark.parametrize("crew", [1, 3])
async def test_generators_run_side_by_side_and_answers_after_their_inputs(tmp_path: Path, crew: int) -> None:
    bench = Bench(tmp_path, crew)
    made = await bench.make(bench.package)
    assert made.recipes == ()
    for number in range(COUNT):
        assert made.path(at("in", number)).read_text() == f"{number}"
        assert made.path(at("ans", number)).read_text() == f"answer of {number}"
    assert bench.sandbox.most == crew
    assert [(each.done, each.total) for each in bench.events if isinstance(each, Working)] == [
        (done, 2 * COUNT) for done in range(1, 2 * COUNT + 1)
    ]


@pytest.mark.parametrize("crew", [1, 2, 3, 20])
async def test_of_several_failures_the_first_in_order_is_told(tmp_path: Path, crew: int) -> None:
    bench = Bench(tmp_path, crew, broken=frozenset("345"))
    with pytest.raises(
        SetterFailedError, match=r"made/3\.in cannot be made by print\.py 3: .* exit code 1: no"
    ):
        await bench.make(bench.package)
    assert [bench.package.path(at("in", each)).exists() for each in range(3)] == [True] * 3
    assert not bench.package.path(at("ans", 0)).exists(), "nothing is made of inputs that are not all there"
