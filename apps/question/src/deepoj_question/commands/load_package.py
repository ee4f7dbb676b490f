"""A package of the operator's own: published under the name of its directory, and only once."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.question.listing import QuestionSlug, question_slug, slug_of
from deepoj_question.commands.import_package import Imported, ImportPackage, ImportRequest
from deepoj_question.commands.optimistic_update import Outcome
from deepoj_question.commands.ports import Questions
from deepoj_question.commands.set_enabled import SetEnabled

# Nobody's account: an operator has none, and admins may change what belongs to it.
OPERATOR: Final = Actor(AccountId(UUID(int=0)), Role.ADMIN)


class Change(StrEnum):
    NEW = "new"
    REVISED = "revised"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Loaded:
    slug: QuestionSlug
    revision: int
    change: Change
    warnings: tuple[str, ...]


class LoadPackage:
    def __init__(self, questions: Questions, import_package: ImportPackage, set_enabled: SetEnabled) -> None:
        self._questions = questions
        self._import_package = import_package
        self._set_enabled = set_enabled

    async def __call__(self, directory: Path) -> Loaded | Refused[StrEnum]:
        slug = question_slug(slug_of(directory.name))
        before = await self._questions.find(slug)
        imported = await self._import(
            ImportRequest(
                actor=OPERATOR, source=directory, question_id=None if before is None else before.id, slug=slug
            )
        )
        outcome: Outcome = imported.outcome
        if isinstance(outcome, Refused):
            return outcome
        revision = outcome.current.ref.number
        enabled = await self._set_enabled(OPERATOR, outcome.id, enabled=True)
        if isinstance(enabled, Refused):
            return enabled
        if before is None:
            change = Change.NEW
        else:
            change = Change.UNCHANGED if before.current.ref.number == revision else Change.REVISED
        return Loaded(slug, revision, change, tuple(each.text for each in imported.messages))

    async def _import(self, request: ImportRequest) -> Imported:
        async with aclosing(self._import_package(request)) as events:
            async for event in events:
                if isinstance(event, Imported):
                    return event
        raise BrokenInvariantError("an import ended without an outcome")
