"""From what the setter names to use cases, and from what they raise to one sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from deepoj_judgement.commands.judge.ports import Toolchains
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.setter.errors import Reason, SetterFailedError
from deepoj_judgement.commands.setter.events import (
    Event,
    Failed,
    Finished,
    LanguageRow,
    Languages,
)
from deepoj_judgement.commands.setter.judge_solution import Solution
from deepoj_judgement.commands.setter.judge_solutions import JudgeSolutions
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.make_tests import MakeTests
from deepoj_judgement.commands.setter.open_package import OpenPackage
from deepoj_judgement.commands.setter.ports import Emit
from deepoj_judgement.commands.setter.verify_package import VerifyPackage
from deepoj_judgement.inbound.setter import arguments
from deepoj_judgement.inbound.setter.arguments import Arguments
from deepoj_packages.options import ExportFormat
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.refusal import Reason as Refusal
from deepoj_packages.spec import ProblemSpec, Program

FindProgram = Callable[..., Program]
WriteCompleted = Callable[[ProblemSpec, Path], None]
Export = Callable[[ProblemSpec, Path, ExportFormat], None]


@dataclass(frozen=True, slots=True)
class SetterRoles:
    open: OpenPackage
    choose: ChooseLanguage
    judge_solutions: JudgeSolutions
    verify_package: VerifyPackage
    make_tests: MakeTests
    write_completed: WriteCompleted
    export: Export
    find_program: FindProgram
    emit: Emit

    async def __call__(self, package: ProblemSpec, told: Arguments) -> None:
        made = await self.make_tests(package)
        match told.role:
            case arguments.JUDGE:
                await self._judge(made, told)
            case arguments.VERIFY:
                self.emit(Finished(await self.verify_package(made, told.verify_options)))
            case arguments.MAKE if told.archive is not None:
                self.write_completed(package, told.archive)
                self.emit(Finished(ok=True))
            case arguments.EXPORT if told.target is not None:
                self.export(made, told.target, told.form)
                self.emit(Finished(ok=True))
            case _:
                raise ValueError(told.role)

    async def _judge(self, package: ProblemSpec, told: Arguments) -> None:
        problem = await self.open(package)
        solutions = [self._solution(path, told.language) for path in told.solutions]
        self.emit(Finished(await self.judge_solutions(problem, solutions, all_cases=told.all_cases)))

    def _solution(self, path: object, language: str) -> Solution:
        program = self.find_program(path, language)
        # An event is text, and a path need not be.
        name = str(path).encode(errors="surrogateescape").decode(errors="replace")
        return Solution(name, program, self.choose(language or program.language))


def languages_event(toolchains: Toolchains, installed: tuple[Toolchain, ...]) -> Languages:
    versions = {each.language.slug: each.version for each in installed}
    return Languages(
        tuple(
            LanguageRow(
                slug=row.slug,
                name=row.name,
                version=versions.get(row.slug, ""),
                package=row.package,
                time_percent=row.time_percent,
                memory_percent=row.memory_percent,
                suffixes=row.suffixes,
            )
            for row in toolchains.table()
        )
    )


def failure_of(error: PackageRefusedError | SetterFailedError) -> Event:
    if isinstance(error, SetterFailedError):
        return Failed(error.reason, str(error))
    missing = error.reason is Refusal.NOT_FOUND
    return Failed(Reason.MISSING if missing else Reason.PACKAGE, error.sentence)
