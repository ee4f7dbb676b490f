"""A revision as a package, for the owner and the staff."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.listing import Listing
from deepoj_domain.question.revision import RevisionContent
from deepoj_packages.options import ExportFormat
from deepoj_question.queries.ports import QueryRefusal
from deepoj_question.queries.revisions import Inspect


class ArchiveFormat(StrEnum):
    ZIP = "zip"
    TAR = "tar"


@dataclass(frozen=True, slots=True)
class Packing:
    format: ExportFormat = ExportFormat.V2025_09
    archive: ArchiveFormat = ArchiveFormat.ZIP


class UnsayableError(Exception):
    """The format has no words for something of the problem; the text says for what."""


class Exporter(Protocol):
    def export(
        self, listing: Listing, content: RevisionContent, packing: Packing
    ) -> AsyncGenerator[bytes, None]:
        """Give the archive piece by piece; raise UnsayableError before the first."""
        ...


class ExportPackage:
    def __init__(self, inspect: Inspect, exporter: Exporter) -> None:
        self._inspect = inspect
        self._exporter = exporter

    async def __call__(
        self, actor: Actor | None, question_id: QuestionId, revision: int, packing: Packing
    ) -> AsyncGenerator[bytes, None] | Refused[QueryRefusal]:
        found = await self._inspect(actor, question_id, revision)
        if isinstance(found, Refused):
            return found
        return self._exporter.export(found.question.listing, found.content, packing)
