"""A new question, hidden until it is published. The same request again changes nothing."""

from __future__ import annotations

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.listing import Listing
from deepoj_domain.question.question import Question
from deepoj_domain.question.revision import RevisionContent
from deepoj_domain.question.visibility import may_create
from deepoj_question.commands.draft import Draft
from deepoj_question.commands.ports import Clock, CommandRefusal, Journal, Objects, Pages, Questions, Written
from deepoj_question.commands.references import missing_object


class Create:
    def __init__(
        self, questions: Questions, objects: Objects, pages: Pages, journal: Journal, clock: Clock
    ) -> None:
        self._questions = questions
        self._objects = objects
        self._pages = pages
        self._journal = journal
        self._clock = clock

    async def __call__(
        self, actor: Actor, question_id: QuestionId, draft: Draft
    ) -> Question | Refused[CommandRefusal]:
        if not may_create(actor):
            return Refused(CommandRefusal.NOT_ALLOWED)
        content = draft.content(None)
        if content is None:
            return Refused(CommandRefusal.JUDGING_MISSING)
        if refused := await missing_object(self._objects, content):
            return refused
        return await self.store(actor, question_id, draft.listing, content)

    async def store(
        self, actor: Actor, question_id: QuestionId, listing: Listing, content: RevisionContent
    ) -> Question | Refused[CommandRefusal]:
        """For content whose files are known to be there."""
        await self._pages.prepare(content.presentation)
        created = Question.create(question_id, actor.account_id, listing, content, self._clock())
        match await self._questions.add(created.after, created.events):
            case Written.OK:
                self._journal.changed(created.after, created.events)
                return created.after
            case Written.SLUG_TAKEN:
                return await self._repeated(created.after) or Refused(CommandRefusal.SLUG_TAKEN, listing.slug)
            case Written.CHANGED_MEANWHILE:
                return await self._repeated(created.after) or Refused(CommandRefusal.QUESTION_ID_TAKEN)

    async def _repeated(self, new: Question) -> Question | None:
        """Return what the same request made before."""
        found = await self._questions.load(new.id)
        if found is None or (found.owner, found.listing) != (new.owner, new.listing):
            return None
        return found if found.current.content == new.current.content else None
