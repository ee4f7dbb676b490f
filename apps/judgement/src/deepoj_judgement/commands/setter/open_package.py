"""Understand a package as the judge sees it, and say what it is."""

import asyncio
from dataclasses import dataclass

from deepoj_judgement.commands.setter.events import Opened
from deepoj_judgement.commands.setter.languages import ChooseLanguage
from deepoj_judgement.commands.setter.ports import Emit, PackageFiles
from deepoj_judgement.commands.setter.problem import Problem, understand
from deepoj_packages.spec import ProblemSpec


@dataclass(frozen=True, slots=True)
class OpenPackage:
    files: PackageFiles
    choose: ChooseLanguage
    emit: Emit

    async def __call__(self, package: ProblemSpec) -> Problem:
        """Raise PackageRefusedError or SetterFailedError."""
        # Every file is read once for its digest.
        problem = await asyncio.to_thread(understand, package, self.files, self.choose)
        self.emit(
            Opened(
                short_name=package.short_name,
                title=package.title,
                format=package.format,
                scoring=package.scoring,
                interactive=package.interactive,
                cases=len(package.cases),
                submissions=len(package.submissions),
                time_limit_ms=package.limits.time_ms,
            )
        )
        return problem
