"""Change how a question is found, and nothing else of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.listing import Level, Listing, QuestionSlug, Tag
from deepoj_domain.question.question import Question, QuestionOutcome
from deepoj_question.commands.optimistic_update import Changing, Outcome
from deepoj_question.commands.ports import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingChange:
    """What is not named stays."""

    slug: QuestionSlug | None = None
    level: Level | None = None
    without_level: bool = False
    """Takes the level away."""
    tags: frozenset[Tag] | None = None

    def applied(self, listing: Listing) -> Listing:
        return replace(
            listing,
            slug=self.slug or listing.slug,
            level=None if self.without_level else self.level or listing.level,
            tags=listing.tags if self.tags is None else self.tags,
        )


class Relist:
    def __init__(self, changing: Changing, clock: Clock) -> None:
        self._changing = changing
        self._clock = clock

    async def __call__(
        self, actor: Actor, question_id: QuestionId, version: int, change: ListingChange
    ) -> Outcome:
        """`version` is the one the editor saw."""
        now = self._clock()

        def edit(question: Question) -> QuestionOutcome:
            listing, content = change.applied(question.listing), question.current.content
            return question.edit(listing, content, by=actor.account_id, version=version, now=now)

        return await self._changing(actor, question_id, edit)
