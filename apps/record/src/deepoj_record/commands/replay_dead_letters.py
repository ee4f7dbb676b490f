"""Judge many dead submissions again: those named, or those that died of the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_domain.submission.visibility import may_see_dead_letters
from deepoj_record.commands.replay_dead_letter import ReplayDeadLetter, Replayed

MOST: Final = 500


class DeadLetterGroups(Protocol):
    async def dead_of_group(self, group: str, most: int) -> Sequence[SubmissionId]:
        """Return the oldest of a group."""
        ...


@dataclass(frozen=True, slots=True)
class ReplayedMany:
    replayed: int
    refused: int


class ReplayDeadLetters:
    """Each by itself. Whoever repeats the call replays only what is still dead."""

    def __init__(
        self, replay: ReplayDeadLetter, groups: DeadLetterGroups, new_id: Callable[[], UUID]
    ) -> None:
        self._replay = replay
        self._groups = groups
        self._new_id = new_id

    async def __call__(
        self, actor: Actor, ids: Sequence[SubmissionId], group: str
    ) -> ReplayedMany | Refused[SubmissionRefusal]:
        if not may_see_dead_letters(actor):
            return Refused(SubmissionRefusal.NOT_OWNER)
        if bool(ids) == bool(group):
            raise InvalidValueError("selection_missing", "name either submissions or a group")
        if len(ids) > MOST:
            raise InvalidValueError("too_many_ids", f"at most {MOST} submissions are replayed at once")
        wanted = ids or await self._groups.dead_of_group(group, MOST)
        outcomes = [
            await self._replay(actor, each, SubmissionId(self._new_id())) for each in dict.fromkeys(wanted)
        ]
        replayed = sum(isinstance(each, Replayed) for each in outcomes)
        return ReplayedMany(replayed, len(outcomes) - replayed)
