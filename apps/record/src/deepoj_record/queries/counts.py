"""The counts over judged submissions, for profiles, problem lists and admission."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

from deepoj_domain.kernel.clock import next_midnight
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import SealedGames, is_staff
from deepoj_record.queries.access import QueryRefusal
from deepoj_record.queries.ports import (
    AccountLoad,
    Clock,
    Counts,
    Questions,
    RevisionCount,
    Scope,
    Seals,
    Tally,
)

MOST_QUESTIONS: Final = 500
LONGEST: Final = timedelta(days=400)


async def scope_of(game_id: GameId | None, games: Seals) -> Scope:
    """A game that is named is counted in full: that is for the game itself to ask."""
    return Scope(sealed=await games.sealed()) if game_id is None else Scope(game_id)


async def public_scope(games: Seals, questions: Questions) -> Scope | None:
    """What anybody may count; None: nobody knows, so nothing."""
    hidden = await questions.hidden(None)
    return None if hidden is None else Scope(sealed=await games.sealed(), hidden=hidden)


class CountPassed:
    def __init__(self, counts: Counts, games: Seals, questions: Questions) -> None:
        self._counts = counts
        self._games = games
        self._questions = questions

    async def __call__(self, account_id: AccountId, game_id: GameId | None) -> int:
        scope = Scope(game_id) if game_id else await public_scope(self._games, self._questions)
        return 0 if scope is None else await self._counts.passed(account_id, scope)


class CountByQuestion:
    def __init__(self, counts: Counts, games: Seals) -> None:
        self._counts = counts
        self._games = games

    async def __call__(
        self, question_ids: Sequence[QuestionId], game_id: GameId | None
    ) -> dict[QuestionId, Tally]:
        if len(question_ids) > MOST_QUESTIONS:
            raise InvalidValueError("too_many_questions", f"at most {MOST_QUESTIONS} questions at once")
        found = await self._counts.by_question(question_ids, await scope_of(game_id, self._games))
        return {key: found.get(key, Tally(0, 0)) for key in question_ids}


class CountByRevision:
    def __init__(self, counts: Counts, games: Seals, questions: Questions) -> None:
        self._counts = counts
        self._games = games
        self._questions = questions

    async def __call__(
        self, actor: Actor | None, question_id: QuestionId
    ) -> Sequence[RevisionCount] | Refused[QueryRefusal]:
        """Count for those who may look into the question; sealed games are counted for the staff only."""
        if is_staff(actor):
            return await self._counts.by_revision(question_id, Scope(sealed=SealedGames()))
        if actor is None or not (await self._questions.rules(question_id, actor)).inspects:
            return Refused(QueryRefusal.NOT_ALLOWED)
        return await self._counts.by_revision(question_id, await scope_of(None, self._games))


class CountByDay:
    def __init__(self, counts: Counts, games: Seals, questions: Questions) -> None:
        self._counts = counts
        self._games = games
        self._questions = questions

    async def __call__(
        self, account_id: AccountId | None, start: datetime, end: datetime
    ) -> dict[date, Tally]:
        if not timedelta(0) < end - start <= LONGEST:
            raise InvalidValueError("period_malformed", f"a period lasts up to {LONGEST.days} days")
        scope = await public_scope(self._games, self._questions)
        return {} if scope is None else await self._counts.by_day(account_id, start, end, scope)


class LoadOfAccount:
    def __init__(self, counts: Counts, clock: Clock) -> None:
        self._counts = counts
        self._clock = clock

    async def __call__(self, account_id: AccountId) -> AccountLoad:
        midnight = next_midnight(self._clock()) - timedelta(days=1)
        return await self._counts.load(account_id, midnight)
