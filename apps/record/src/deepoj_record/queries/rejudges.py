"""What rejudges there are and what applying one would change; and the dead letters that wait for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import GameId, RejudgeId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.visibility import may_see_dead_letters
from deepoj_record.queries.access import Access, Neighbours, QueryRefusal
from deepoj_record.queries.ports import (
    DeadLetter,
    DeadLetterGroup,
    EffectView,
    GameCount,
    Progress,
    RejudgeReader,
    RejudgeSize,
    RejudgeView,
    VerdictChange,
)


@dataclass(frozen=True, slots=True)
class Preview:
    progress: Progress
    matrix: Sequence[VerdictChange]
    games: Sequence[GameCount]
    effects: Page[EffectView]


class PreviewRejudge:
    def __init__(self, rejudges: RejudgeReader, neighbours: Neighbours) -> None:
        self._rejudges = rejudges
        self._neighbours = neighbours

    async def __call__(
        self, actor: Actor | None, rejudge_id: RejudgeId, page: PageRequest
    ) -> Preview | Refused[QueryRefusal]:
        progress = await self._rejudges.progress(rejudge_id)
        game_id = None if progress is None else progress.selection.game_id
        if not await Access(self._neighbours, actor).may_rejudge(game_id):
            return Refused(QueryRefusal.NOT_ALLOWED)
        if progress is None:
            return Refused(QueryRefusal.NOT_FOUND)
        matrix = await self._rejudges.matrix(rejudge_id)
        games = await self._rejudges.games(rejudge_id)
        return Preview(progress, matrix, games, await self._rejudges.effects(rejudge_id, page))


class CountRejudge:
    """What a rejudge would judge again, by what it was judged by."""

    def __init__(self, rejudges: RejudgeReader, neighbours: Neighbours) -> None:
        self._rejudges = rejudges
        self._neighbours = neighbours

    async def __call__(
        self, actor: Actor | None, selection: Selection
    ) -> RejudgeSize | Refused[QueryRefusal]:
        if not await Access(self._neighbours, actor).may_rejudge(selection.game_id):
            return Refused(QueryRefusal.NOT_ALLOWED)
        if selection.is_everything:
            raise InvalidValueError("selects_everything", "a rejudge needs at least one restriction")
        return await self._rejudges.size_of(selection)


class ListRejudges:
    def __init__(self, rejudges: RejudgeReader, neighbours: Neighbours) -> None:
        self._rejudges = rejudges
        self._neighbours = neighbours

    async def __call__(
        self, actor: Actor | None, game_id: GameId | None, page: PageRequest
    ) -> Page[RejudgeView] | Refused[QueryRefusal]:
        if not await Access(self._neighbours, actor).may_rejudge(game_id):
            return Refused(QueryRefusal.NOT_ALLOWED)
        return await self._rejudges.list(game_id, page)


class ListDeadLetters:
    def __init__(self, rejudges: RejudgeReader) -> None:
        self._rejudges = rejudges

    async def __call__(
        self, actor: Actor | None, group: str, page: PageRequest
    ) -> Page[DeadLetter] | Refused[QueryRefusal]:
        if not may_see_dead_letters(actor):
            return Refused(QueryRefusal.NOT_ALLOWED)
        return await self._rejudges.dead_letters(group, page)


class ListDeadLetterGroups:
    def __init__(self, rejudges: RejudgeReader) -> None:
        self._rejudges = rejudges

    async def __call__(self, actor: Actor | None) -> Sequence[DeadLetterGroup] | Refused[QueryRefusal]:
        if not may_see_dead_letters(actor):
            return Refused(QueryRefusal.NOT_ALLOWED)
        return await self._rejudges.dead_letter_groups()
