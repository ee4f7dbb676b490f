"""From what the setter names to use cases, and from what they raise to one sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
from deepoj_judgement.commands.setter.open_package import OpenPackage
from deepoj_judgement.commands.setter.ports import Emit
from deepoj_judgement.commands.setter.verify_package import VerifyPackage
from deepoj_judgement.inbound.setter.arguments import Arguments
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.refusal import Reason as Refusal
from deepoj_packages.spec import ProblemSpec, Program

FindProgram = Callable[..., Program]


@dataclass(frozen=True, slots=True)
class SetterRoles:
    open: OpenPackage
    choose: ChooseLanguage
    judge_solutions: JudgeSolutions
    verify_package: VerifyPackage
    find_program: FindProgram
    emit: Emit

    async def judge(self, package: ProblemSpec, told: Arguments) -> None:
        problem = await self.open(package)
        solutions = [self._solution(path, told.language) for path in told.solutions]
        self.emit(Finished(await self.judge_solutions(problem, solutions, all_cases=told.all_cases)))

    async def verify(self, package: ProblemSpec, told: Arguments) -> None:
        del told
        self.emit(Finished(await self.verify_package(package)))

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
