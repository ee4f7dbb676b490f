"""Ports kept in memory. What is kept in memory passes the same contract suite as the real adapter."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.decision import Task
from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import Notice
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.new_facts import CellKey, Rivals, Situation, cell_of
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import Scored
from deepoj_domain.game.scoring.touched import Touched
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, QuestionId, SubmissionId, WorkId
from deepoj_domain.testing import uuid
from deepoj_game.commands.builds import Lines
from deepoj_game.commands.ports import Entrant, GameWrite, Log, Ruling


@dataclass
class MemoryGame:
    game: Game
    password_hash: str | None
    version: int = 1
    entrants: dict[AccountId, Entrant] = field(default_factory=dict)
    clarifications: dict[ClarificationId, Clarification] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    rows: dict[AccountId, Scored] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    work: tuple[WorkId, Task] | None = None

    def of(self, account_id: AccountId) -> list[Fact]:
        return [fact for fact in self.facts if fact.account_id == account_id]


class MemoryGames:
    def __init__(self) -> None:
        self.games: dict[GameId, MemoryGame] = {}

    @asynccontextmanager
    async def open(self, game_id: GameId) -> AsyncIterator[MemoryOpenGame | None]:
        if game_id not in self.games:
            yield None
            return
        changed = copy.deepcopy(self.games[game_id])
        yield MemoryOpenGame(changed)
        self.games[game_id] = changed

    async def add(self, game: Game, *, password_hash: str | None) -> bool:
        return self.games.setdefault(game.id, made := MemoryGame(game, password_hash)) is made

    async def password_hash(self, game_id: GameId) -> str | None:
        found = self.games.get(game_id)
        return None if found is None or found.game.deleted else found.password_hash

    async def entered_by(self, account_id: AccountId) -> Sequence[GameId]:
        return sorted(key for key, each in self.games.items() if account_id in each.entrants)


class MemoryOpenGame:
    def __init__(self, state: MemoryGame) -> None:
        self._state = state
        self._before = state.game

    @property
    def game(self) -> Game:
        return self._before

    @property
    def version(self) -> int:
        return self._state.version

    @property
    def password_hash(self) -> str | None:
        return self._state.password_hash

    async def entrant(self, account_id: AccountId) -> Entrant | None:
        return self._state.entrants.get(account_id)

    async def clarification(self, clarification_id: ClarificationId) -> Clarification | None:
        return self._state.clarifications.get(clarification_id)

    async def log(self, touched: Touched, most: int | None = None) -> Log | None:
        state = self._state
        known = {key: each.participant for key, each in state.entrants.items()}
        found = {key for key, each in known.items() if touched.includes(each, state.of(key))}
        facts = {key: state.of(key) for key in sorted(found | touched.accounts)}
        if most is not None and max(len(facts), sum(map(len, facts.values()))) > most:
            return None
        return Log([known[key] for key in facts if key in known], facts)

    async def undecided(self) -> Sequence[SubmissionId]:
        state, clock = self._state, rules_of(self.game).clock
        counted = {
            key
            for key, each in state.entrants.items()
            if not each.participant.withdrawn and each.participant.kind is not ParticipantKind.VIRTUAL
        }
        decided = {fact.origin_id for fact in state.facts if fact.is_decided} | self.game.ignored
        waiting = {
            (fact.submitted_us, fact.origin_id)
            for fact in state.facts
            if fact.account_id in counted
            and fact.origin_id not in decided
            and clock.start_us <= fact.submitted_us < clock.end_us
        }
        return [origin for _, origin in sorted(waiting)]

    async def situation(
        self, message_ids: Sequence[str], cells: Collection[CellKey]
    ) -> tuple[frozenset[str], Situation]:
        state, accounts = self._state, {account for account, _ in cells}
        unseen = frozenset(message_ids) - state.seen
        state.seen |= unseen
        return unseen, Situation(
            participants={key: each.participant for key, each in state.entrants.items() if key in accounts},
            facts={cell: [fact for fact in state.facts if cell_of(fact) == cell] for cell in cells},
            sides={key: tally.cells for key, (_, tally) in state.rows.items() if key in accounts},
            rivals=self._rivals(cells, is_frozen=False),
            frozen_rivals=self._rivals(cells, is_frozen=True),
        )

    async def under_way(self) -> tuple[WorkId, Task] | None:
        return self._state.work

    async def begin(
        self,
        task: Task,
        ruling: Ruling,  # noqa: ARG002 — it is noted by whoever carries the work out
        now: datetime,  # noqa: ARG002 — same
    ) -> WorkId | None:
        if self._state.work is not None:
            return None
        self._state.work = (WorkId(uuid(9000 + len(self._state.notices))), task)
        return self._state.work[0]

    async def write(self, write: GameWrite) -> None:
        state = self._state
        if write.game is not None:
            state.game, state.password_hash = write.game, write.password_hash
            state.version += 1
        if write.entrant is not None:
            state.entrants[write.entrant.participant.account_id] = write.entrant
        if write.clarification is not None:
            state.clarifications[write.clarification.id] = write.clarification
        if write.new_facts is not None:
            state.facts += [fact for fact, _ in write.new_facts.facts]
            state.rows |= {who.account_id: (who, tally) for who, tally in write.new_facts.rows}
            state.notices += [notice for _, notice in write.new_facts.facts]
            state.notices += write.new_facts.notices
        if write.rescored is not None:
            for account in write.rescored.accounts:
                state.rows.pop(account, None)
            state.rows |= {who.account_id: (who, tally) for who, tally in write.rescored.rows}
        state.notices += write.notices
        state.rulings += [] if write.ruling is None else [write.ruling]

    def _rivals(self, cells: Collection[CellKey], *, is_frozen: bool) -> dict[QuestionId, Rivals]:
        senders = {account for account, _ in cells}
        others = [
            (who.account_id, tally.side(is_frozen=is_frozen))
            for who, tally in self._state.rows.values()
            if who.kind.is_ranked and who.account_id not in senders
        ]
        found = {}
        places = {each.question_id: place for place, each in enumerate(self.game.plan.problems)}
        for question in {question for _, question in cells}:
            place = places.get(question)
            column = [] if place is None else [(account, row.cells[place]) for account, row in others]
            solved = min((cell.solved_ms for _, cell in column if cell.solved_ms is not None), default=None)
            pending = min(
                (cell.pending_ms for _, cell in column if cell.pending_ms is not None), default=None
            )
            holders = sorted(
                account for account, cell in column if solved is not None and cell.solved_ms == solved
            )
            found[question] = Rivals(solved, pending, tuple(holders))
        return found


@dataclass
class MemoryJournal:
    lines: list[str] = field(default_factory=list)

    def changed(self, command: str, game_id: GameId, by: AccountId) -> None:  # noqa: ARG002 — the command will do
        self.lines.append(command)

    def refused(self, command: str, game_id: GameId, reason: StrEnum) -> None:  # noqa: ARG002 — same
        self.lines.append(f"{command} refused: {reason}")


class MemoryRecords:
    """Record as the commands see it: what it knows, a few lines at a time."""

    def __init__(self, *facts: Fact, size: int = 2) -> None:
        self._facts = sorted(facts, key=lambda fact: (fact.submitted_us, fact.submission_id.int))
        self._size = size

    async def pages(
        self,
        game_id: GameId,  # noqa: ARG002 — there is one
        account_id: AccountId | None,
        after: str,
    ) -> AsyncIterator[Lines]:
        chosen = [each for each in self._facts if account_id in {None, each.account_id}]
        for start in range(int(after or 0), max(1, len(chosen)), self._size):
            end = start + self._size
            text = "".join(map(_line, chosen[start:end])).encode()
            yield Lines(text, str(end) if end < len(chosen) else "")

    async def count(self, game_id: GameId, questions: Sequence[QuestionId]) -> int:  # noqa: ARG002 — there is one
        return len({fact.origin_id for fact in self._facts})


def _line(fact: Fact) -> str:
    groups = ",".join(f'["{each.group}",{each.score.micros}]' for each in fact.groups)
    ids = (fact.submission_id, fact.origin_id, fact.account_id, fact.question_id)
    values = (fact.submitted_us, fact.known_us, fact.verdict or r"\N", fact.score.micros, f"[{groups}]")
    return "\t".join(map(str, (*ids, *values, "t" if fact.cancelled else "f"))) + "\n"
