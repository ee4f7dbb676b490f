"""The language table, and what of it the workers alive can run."""

from dataclasses import dataclass
from typing import Protocol

from deepoj_domain.submission.route import Lane
from deepoj_judgement.queries.list_workers import Workers


class LanguageRow(Protocol):
    @property
    def slug(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def lane(self) -> Lane: ...
    @property
    def source_name(self) -> str: ...
    @property
    def template(self) -> str: ...
    @property
    def package(self) -> str: ...
    @property
    def time_percent(self) -> int: ...
    @property
    def memory_percent(self) -> int: ...


@dataclass(frozen=True, slots=True)
class LanguageView:
    row: LanguageRow
    version: str
    """Empty when no worker has it."""


@dataclass(frozen=True, slots=True)
class ListLanguages:
    table: tuple[LanguageRow, ...]
    workers: Workers

    async def __call__(self) -> list[LanguageView]:
        versions: dict[str, str] = {}
        for worker in await self.workers.workers():
            versions |= worker.languages
        return [LanguageView(row, versions.get(row.slug, "")) for row in self.table]
