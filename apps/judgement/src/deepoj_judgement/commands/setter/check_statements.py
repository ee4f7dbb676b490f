"""Make pages of the statements as a server would, and say what a reader would miss."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from deepoj_judgement.commands.setter.events import Finding, Severity
from deepoj_judgement.commands.setter.ports import Emit
from deepoj_packages.spec import ProblemSpec, Statement

_ABOUT = "statement"


@dataclass(frozen=True, slots=True)
class StatementPage:
    statement: Statement
    is_source: bool = False
    """No page can be made of it: readers see its source."""
    lost: tuple[str, ...] = ()
    """Pictures it names that the package does not have."""
    formulas: tuple[str, ...] = ()
    """Those that are shown as their source."""


class RenderStatements(Protocol):
    async def __call__(self, package: ProblemSpec) -> Sequence[StatementPage]:
        """Leave out statements that are shown as they are."""
        ...


@dataclass(frozen=True, slots=True)
class CheckStatements:
    render: RenderStatements
    emit: Emit

    async def __call__(self, package: ProblemSpec) -> None:
        if not package.statements:
            self._warn("there is none")
        for page in await self.render(package):
            file = page.statement.file
            if page.is_source:
                self._warn(f"no page can be made of {file}, so readers see its source")
            for name in page.lost:
                self._warn(f"{file} names the picture {name}, which the package does not have")
            for formula in page.formulas:
                self._warn(f"{file}: a formula is shown as its source: {formula}")

    def _warn(self, message: str) -> None:
        self.emit(Finding(Severity.WARNING, _ABOUT, message))
