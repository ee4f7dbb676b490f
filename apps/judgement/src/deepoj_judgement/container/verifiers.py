"""The setter's use case inside the service."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from dependency_injector import providers

from deepoj_judgement.commands.judge.sandbox_port import Sandbox
from deepoj_judgement.commands.setter.crew import Crew
from deepoj_judgement.commands.setter.ports import Emit, Result
from deepoj_judgement.commands.setter.verify_package import VerifyPackage
from deepoj_judgement.commands.worker.slots import Slots
from deepoj_judgement.container.setter import SetterContainer
from deepoj_judgement.outbound.cache.programs import DiskPrograms
from deepoj_judgement.outbound.packages.files import LocalFiles
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_packages.spec import ProblemSpec


@dataclass(frozen=True, slots=True)
class Verifiers:
    """Makes the setter's use case for one package, on the sandbox of this host and after its jobs."""

    toolchains: InstalledToolchains
    sandbox: Sandbox
    programs: DiskPrograms
    slots: Slots
    directory: Path
    patience: timedelta

    def __call__(self, package: ProblemSpec, emit: Emit) -> VerifyPackage:
        container = SetterContainer(
            package=package,
            emit=providers.Object(emit),
            # One core at a time: this host judges submissions too.
            crew=providers.Object(Crew(1, self._turn)),
            toolchains=providers.Object(self.toolchains),
            sandbox=providers.Object(self.sandbox),
            programs=providers.Object(self.programs),
            files=providers.Object(LocalFiles(package.root, self.directory)),
        )
        return container.verify_package()

    async def _turn(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        return await self.slots.call(work, patience=self.patience.total_seconds())
