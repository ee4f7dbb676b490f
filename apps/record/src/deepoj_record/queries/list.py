"""Submissions by filter, in the order they were sent."""

from __future__ import annotations

from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import Page, PageRequest, at_moment
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.visibility import is_staff
from deepoj_record.queries.access import Access, Neighbours, QueryRefusal
from deepoj_record.queries.ports import Restriction, Seals, SubmissionReader
from deepoj_record.queries.views import SubmissionView


class List:
    def __init__(self, submissions: SubmissionReader, neighbours: Neighbours, seals: Seals) -> None:
        self._submissions = submissions
        self._neighbours = neighbours
        self._seals = seals

    async def __call__(
        self,
        actor: Actor | None,
        selection: Selection,
        page: PageRequest,
        *,
        ascending: bool = False,
        with_archived: bool = False,
    ) -> Page[SubmissionView] | Refused[QueryRefusal]:
        if actor is None:
            return Refused(QueryRefusal.SIGN_IN_REQUIRED)
        access = Access(self._neighbours, actor)
        found = await self._submissions.list(
            selection,
            page,
            ascending=ascending,
            with_archived=with_archived,
            restriction=None if is_staff(actor) else await self._restriction(actor, access, selection),
        )
        visible = [view for each in found.items if (view := await access.shown(each)) is not None]
        if selection.verdicts:
            visible = [view for view in visible if view.result is not None]
        # What changed since the restriction was known is left out late: then no cursor may name it.
        more = found.next is not None and visible
        return Page(visible, at_moment(visible[-1].submitted_at, visible[-1].id) if more else None)

    async def _restriction(self, actor: Actor, access: Access, selection: Selection) -> Restriction | None:
        """Across games an account sees its own; within one, what the game lets it see."""
        if selection.game_id is not None:
            return await _within(actor.account_id, access, selection.game_id, selection)
        own = selection.account_id == actor.account_id
        untold = await self._untold(actor.account_id, access) if selection.verdicts else frozenset()
        return Restriction(
            actor.account_id,
            own_in_games=untold is not None,
            questions=None if own else await self._neighbours.questions.hidden(actor),
            people=untold or frozenset(),
        )

    async def _untold(self, me: AccountId, access: Access) -> frozenset[tuple[GameId, AccountId]] | None:
        """Find the games whose verdicts are kept from this account: being found by one would tell it."""
        sealed = await self._seals.sealed()
        if sealed is None:
            return None
        games = sealed.games | {game for game, account in sealed.running if account == me}
        return frozenset({(game, me) for game in games if not (await access.rules_in(game)).tells_verdicts})


async def _within(me: AccountId, access: Access, game_id: GameId, selection: Selection) -> Restriction | None:
    rules = await access.rules_in(game_id)
    if rules.staff:
        return None
    hidden = {(game_id, account) for account in rules.still_running if account != me}
    if selection.verdicts and not rules.tells_verdicts:
        hidden.add((game_id, me))
    return Restriction(me, others_in_games=not rules.shows_others, people=frozenset(hidden))
