"""Whoever puts a question into a game hands it on to those who take part: it has to be theirs to read."""

from __future__ import annotations

from collections.abc import Collection

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.visibility import is_staff
from deepoj_game.commands.ports import CommandRefusal, Questions


async def why_no_problems(
    questions: Questions, actor: Actor, added: Collection[QuestionId]
) -> Refused[CommandRefusal] | None:
    """`added`: the questions that were not in the game before."""
    if not added or is_staff(actor):
        return None
    unknown = frozenset(added) - await questions.readable(actor, added)
    return Refused(CommandRefusal.UNKNOWN_PROBLEM, ", ".join(sorted(map(str, unknown)))) if unknown else None
