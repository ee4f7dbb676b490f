"""Games and who takes part, for whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deepoj_domain.game.clarification import Clarification, shown_to
from deepoj_domain.game.participant import phase_for, why_no_submission
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Phase
from deepoj_domain.game.visibility import rules_for, viewer_of
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import GameRules
from deepoj_game.queries.access import shown, visit
from deepoj_game.queries.paging import Page, PageRequest
from deepoj_game.queries.ports import Clock, GameFilter, GameReader
from deepoj_game.queries.views import EntrantView, GameView, QueryRefusal


class Get:
    def __init__(self, games: GameReader, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(self, actor: Actor | None, game_id: GameId) -> GameView | Refused[QueryRefusal]:
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        view = shown(found.stored, found.viewer, found.entrant, self._clock())
        counts = await self._games.counts([game_id])
        return replace(view, participants=counts.get(game_id, 0))


class List:
    def __init__(self, games: GameReader, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(
        self,
        actor: Actor | None,
        search: str,
        phases: frozenset[Phase],
        page: PageRequest,
        *,
        mine: bool,
    ) -> Page[GameView] | Refused[QueryRefusal]:
        if mine and actor is None:
            return Refused(QueryRefusal.SIGN_IN_REQUIRED)
        now = self._clock()
        which = GameFilter(
            search=search,
            phases=phases,
            account_id=None if actor is None else actor.account_id,
            sees_all=actor is not None and actor.is_admin,
            mine=mine,
            now=now,
        )
        found = await self._games.list(which, page)
        views = [shown(each, viewer_of(each.game, actor, None), None, now) for each in found.items]
        counts = await self._games.counts([view.game.id for view in views])
        return Page([replace(view, participants=counts.get(view.game.id, 0)) for view in views], found.next)


class ListParticipants:
    """Hidden ones are for the staff."""

    def __init__(self, games: GameReader) -> None:
        self._games = games

    async def __call__(
        self, actor: Actor | None, game_id: GameId, page: PageRequest
    ) -> Page[EntrantView] | Refused[QueryRefusal]:
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        return await self._games.entrants(game_id, page, with_hidden=found.viewer.is_staff)


class ListClarifications:
    def __init__(self, games: GameReader) -> None:
        self._games = games

    async def __call__(
        self, actor: Actor | None, game_id: GameId, page: PageRequest
    ) -> Page[Clarification] | Refused[QueryRefusal]:
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        account = None if actor is None else actor.account_id
        listed = await self._games.clarifications(
            game_id, page, visible_to=account, everything=found.viewer.is_staff
        )
        seen = (shown_to(each, found.viewer, account) for each in listed.items)
        return Page([each for each in seen if each is not None], listed.next)


class CheckEntry:
    """Whether an account may submit to a question of a game now. Asked with every contest submission."""

    def __init__(self, games: GameReader, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(
        self, actor: Actor, game_id: GameId, question_id: QuestionId
    ) -> Phase | Refused[QueryRefusal] | Refused[GameRefusal]:
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        now = self._clock()
        participant = found.entrant.participant if found.entrant else None
        if refusal := why_no_submission(found.game, participant, question_id, now):
            return Refused(refusal)
        return found.game.phase_at(now) if participant is None else phase_for(found.game, participant, now)


class CheckSight:
    """What an account sees of the submissions to a game: asked by the service that has them."""

    def __init__(self, games: GameReader, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(self, actor: Actor | None, game_id: GameId) -> GameRules | Refused[QueryRefusal]:
        stored = await self._games.game(game_id)
        if stored is None:
            return Refused(QueryRefusal.NOT_FOUND)
        game, now = stored.game, self._clock()
        entrant = None if actor is None else await self._games.entrant(game_id, actor.account_id)
        running: frozenset[AccountId] = frozenset()
        if game.phase_at(now).is_over and game.plan.sign_up.virtual_allowed:
            running = await self._games.began_after(game_id, now - game.plan.schedule.length)
        return rules_for(game, actor, entrant.participant if entrant else None, running, now)


class ListSealed:
    """The games whose results are still kept back, for services that count over many games."""

    def __init__(self, games: GameReader, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(self) -> Sequence[GameId]:
        return await self._games.sealed(self._clock())
