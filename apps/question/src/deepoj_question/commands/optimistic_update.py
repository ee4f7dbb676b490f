"""Read a question, decide, and write unless somebody else was faster; then decide anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.question import Publication, Question, QuestionOutcome, QuestionRefusal
from deepoj_domain.question.visibility import Access, may
from deepoj_question.commands.ports import CommandRefusal, ContendedError, Journal, Pages, Questions, Written

_TRIES: Final = 5

Outcome = Question | Refused[CommandRefusal] | Refused[QuestionRefusal]
Decide = Callable[[Question], QuestionOutcome | Refused[CommandRefusal]]


class Changing:
    def __init__(self, questions: Questions, pages: Pages, journal: Journal) -> None:
        self._questions = questions
        self._pages = pages
        self._journal = journal

    async def __call__(self, actor: Actor, question_id: QuestionId, decide: Decide) -> Outcome:
        """Return the question afterwards; a change that would change nothing is none."""
        for _ in range(_TRIES):
            before = await self._questions.load(question_id)
            if before is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refused := refusal(actor, before):
                return refused
            outcome = decide(before)
            if isinstance(outcome, Refused):
                return before if outcome.reason is QuestionRefusal.UNCHANGED else outcome
            match await self._write(before, outcome):
                case Written.OK:
                    return outcome.after
                case Written.SLUG_TAKEN:
                    return Refused(CommandRefusal.SLUG_TAKEN, outcome.after.listing.slug)
                case Written.CHANGED_MEANWHILE:
                    pass
        raise ContendedError(str(question_id))

    async def _write(self, before: Question, outcome: Changed[Question]) -> Written:
        revision = outcome.after.current
        if revision.ref != before.current.ref:
            await self._pages.prepare(revision.content.presentation)
        written = await self._questions.write(before, outcome.after, outcome.events)
        if written is Written.OK:
            self._journal.changed(outcome.after, outcome.events)
        return written


def refusal(actor: Actor, question: Question) -> Refused[CommandRefusal] | None:
    """Refuse whoever may not edit it; to those who may not even see it, it does not exist."""
    enabled = question.publication is Publication.PUBLISHED
    if may(actor, Access.EDIT, owner=question.owner, enabled=enabled):
        return None
    seen = may(actor, Access.READ, owner=question.owner, enabled=enabled)
    return Refused(CommandRefusal.NOT_ALLOWED if seen else CommandRefusal.NOT_FOUND)
