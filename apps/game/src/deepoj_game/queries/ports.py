"""What the queries need from outside, sized to what they call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.game import Game
from deepoj_domain.game.schedule import Phase
from deepoj_domain.game.scoring.board import BoardRow
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.preview import Hypothesis
from deepoj_domain.game.work import Work
from deepoj_domain.kernel.ids import AccountId, GameId, RejudgeId, SubmissionId, WorkId
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_game.queries.views import Change, EntrantView, LoggedSubmission, RulingView, StoredGame

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    search: str = ""
    phases: frozenset[Phase] = frozenset()
    account_id: AccountId | None = None
    """Private games are shown to this account where it takes part, is staff or invited."""
    sees_all: bool = False
    mine: bool = False
    now: datetime


class Throttle(Protocol):
    def take(self, key: Hashable) -> timedelta | None:
        """Pay for one; return how long to wait when none is left."""
        ...


class GameReader(Protocol):
    async def game(self, game_id: GameId) -> StoredGame | None: ...

    async def entrant(self, game_id: GameId, account_id: AccountId) -> EntrantView | None: ...

    async def began_after(self, game_id: GameId, moment: datetime) -> frozenset[AccountId]:
        """Return the virtual participants whose own start is later."""
        ...

    async def sealed(self, now: datetime) -> Sequence[GameId]:
        """Return the games that run or whose board is frozen: counts over many would tell what it hides."""
        ...

    async def running(self, now: datetime) -> Sequence[tuple[GameId, AccountId]]:
        """Return the virtual participants of all games whose own time is not over."""
        ...

    async def counts(self, game_ids: Sequence[GameId]) -> Mapping[GameId, int]:
        """Count the participants that everybody sees."""
        ...

    async def list(self, which: GameFilter, page: PageRequest) -> Page[StoredGame]: ...

    async def entrants(
        self, game_id: GameId, page: PageRequest, search: str, *, with_hidden: bool
    ) -> Page[EntrantView]:
        """`search`: part of the display name; empty: all."""
        ...

    async def clarifications(
        self, game_id: GameId, page: PageRequest, *, visible_to: AccountId | None, everything: bool
    ) -> Page[Clarification]: ...


@dataclass(frozen=True, slots=True)
class Side:
    """Which of the two sides of the freeze a board shows, and whose row is shown in full all the same.

    Changes are told and counted alike: all of them `with_hidden`, else those for everybody and for `own`.
    """

    frozen: bool
    with_hidden: bool = False
    own: AccountId | None = None
    withheld: frozenset[AccountId] = frozenset()
    """Whose row is not shown yet."""


EVERYTHING: Final = Side(frozen=False, with_hidden=True)


@dataclass(frozen=True, slots=True)
class Ranked:
    row: BoardRow
    entrant: EntrantView


class BoardReader(Protocol):
    async def page(self, game: Game, side: Side, page: PageRequest) -> tuple[Page[Ranked], int]:
        """Return rows in order and the number of the last change that is in them."""
        ...

    async def rows(
        self, game: Game, side: Side, accounts: Collection[AccountId]
    ) -> Mapping[AccountId, Ranked]:
        """Return the rows of these participants as the board shows them now."""
        ...

    async def around(self, game: Game, side: Side, account_id: AccountId) -> Sequence[Ranked]:
        """Return the participant's row, those that share its rank, and one of the next better rank."""
        ...

    def all(self, game: Game, side: Side) -> AsyncIterator[Ranked]:
        """Return every row in order, all of the same moment."""
        ...

    async def sequence(self, game_id: GameId) -> int:
        """Return the place of the last change, which no viewer is to be told."""
        ...

    async def number(self, game_id: GameId, side: Side) -> int:
        """Return the number of the last change that this side is told of."""
        ...

    async def place(self, game_id: GameId, side: Side, number: int) -> int | None:
        """Return the place of the change that has this number for the side; None: there is none yet."""
        ...

    async def changes(self, game_id: GameId, side: Side, after: int, limit: int) -> Sequence[Change]:
        """Return what the side is told of after a place."""
        ...

    async def undecided(self, game: Game) -> Sequence[LoggedSubmission]:
        """Return the submissions that count and have no verdict, the oldest first; of very many the first."""
        ...

    async def ignored(self, game: Game) -> Sequence[LoggedSubmission]:
        """Return those the log has of the submissions that do not count, in the same way."""
        ...

    def log(self, game_id: GameId) -> AbstractAsyncContextManager[LogReader]:
        """Read the whole log as it is at this moment."""
        ...


class LogReader(Protocol):
    @property
    def sequence(self) -> int: ...

    def by_participant(
        self, only: Collection[AccountId] | None = None
    ) -> AsyncIterator[tuple[EntrantView, Sequence[Fact]]]:
        """Return everybody who takes part, or those of them, with all that is known of them."""
        ...

    async def participants(self) -> int: ...

    async def changed_since(self, sequence: int) -> frozenset[AccountId] | None:
        """Return whose rows have changed; None: the board as a whole."""
        ...

    async def accounts_of(self, submissions: Collection[SubmissionId]) -> list[AccountId]: ...


class WorkReader(Protocol):
    async def work(self, game_id: GameId, work_id: WorkId) -> Work | None: ...

    async def under_way(self, game_id: GameId) -> Work | None: ...

    async def list(self, game_id: GameId, page: PageRequest) -> Page[Work]: ...

    async def rulings(self, game_id: GameId, page: PageRequest) -> Page[RulingView]: ...


class Signals(Protocol):
    def of(self, game_id: GameId) -> AbstractAsyncContextManager[AsyncIterator[None]]:
        """Give hints, from now on, that the board may have changed; hints may be lost or needless."""
        ...


@dataclass(frozen=True, slots=True)
class RejudgeOutcomes:
    game_id: GameId | None
    """To which all of it was sent; None: it is not restricted to one."""
    submissions: int
    judged: int
    by_submission: Mapping[SubmissionId, Hypothesis]
    """By the submission each would replace."""


class Rejudges(Protocol):
    async def outcomes(self, rejudge_id: RejudgeId) -> RejudgeOutcomes | None: ...
