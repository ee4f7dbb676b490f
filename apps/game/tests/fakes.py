"""Ports kept in memory. What is kept in memory passes the same contract suite as the real adapter."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.decision import Recompute, Task
from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import RELOAD, Notice, NoticeKind
from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.scoring.fact import Fact, heads
from deepoj_domain.game.scoring.new_facts import CellKey, Rivals, Situation, cell_of
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.game.scoring.tally import Scored
from deepoj_domain.game.scoring.touched import Touched
from deepoj_domain.game.work import Stage
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, QuestionId, SubmissionId, WorkId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import uuid
from deepoj_game.commands.builds import Claimed, Compared, Ending, Lines, Shown
from deepoj_game.commands.ports import Entrant, GameWrite, Log, Rescored, Ruling


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


class MemoryBuilds:
    """Builds of boards beside those of the games; work that was left is carried on with."""

    def __init__(self, games: MemoryGames) -> None:
        self._games = games
        self._left: dict[WorkId, MemoryBuild] = {}
        self._claimed: set[WorkId] = set()

    @asynccontextmanager
    async def claim(self) -> AsyncIterator[MemoryBuild | None]:
        waiting = [each for each in self._games.games.values() if each.work is not None]
        found = next((each for each in waiting if each.work and each.work[0] not in self._claimed), None)
        if found is None or found.work is None:
            yield None
            return
        work_id, task = found.work
        build = self._left.setdefault(work_id, MemoryBuild(self._games, found, task))
        self._claimed.add(work_id)
        try:
            yield build
        finally:
            self._claimed.discard(work_id)


class MemoryBuild:
    def __init__(self, games: MemoryGames, state: MemoryGame, task: Task) -> None:
        self.work = Claimed(
            game_id=state.game.id,
            task=task,
            stage=Stage.WAITING,
            position="",
            since=len(state.notices),
            version=None,
        )
        self._games = games
        self._log: list[Fact] = []
        self._rows: dict[AccountId, Scored] = {}
        self._followed = len(state.facts)
        self._read = 0

    @asynccontextmanager
    async def step(self) -> AsyncIterator[None]:
        before = self.work, list(self._log), dict(self._rows), self._read
        try:
            yield
        except BaseException:
            self.work, self._log, self._rows, self._read = before
            raise

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[Shown]:
        async with self.step():
            yield await self.shown()

    async def shown(self) -> Shown:
        state = self._state
        return Shown(
            game=state.game,
            password_hash=state.password_hash,
            version=state.version,
            sequence=len(state.notices),
        )

    async def enter(self, stage: Stage, total: int = 0, version: int | None = None) -> None:  # noqa: ARG002 — nobody looks
        self.work = replace(self.work, stage=stage, position="", version=version)

    async def advance(self, position: str, done: int, submissions: int = 0) -> None:  # noqa: ARG002 — same
        self.work = replace(self.work, position=position)
        self._read += submissions

    async def keep_final(self) -> None:
        self._add(fact for fact in self._state.facts if not self._is_virtual(fact.account_id))

    async def add(self, game: Game, lines: Lines) -> int:
        final = game.plan.schedule.finalized_at is not None
        read = [_fact(line) for line in lines.text.decode().splitlines()]
        self._add(
            next((known for known in self._state.facts if _same(known, fact)), fact)
            for fact in read
            if fact.account_id in self._state.entrants
            and fact.question_id in game.plan.questions()
            and (not final or self._is_virtual(fact.account_id))
        )
        return sum(fact.submission_id == fact.origin_id for fact in read)

    async def everybody(self) -> Sequence[AccountId]:
        return sorted(self._state.entrants)

    async def log(self, accounts: Sequence[AccountId]) -> Log:
        log = self._log if self._has_log else self._state.facts
        entrants = self._state.entrants
        return Log(
            [entrants[each].participant for each in accounts if each in entrants],
            {each: [fact for fact in log if fact.account_id == each] for each in accounts},
        )

    async def put(self, rules: Rules, rescored: Rescored) -> None:  # noqa: ARG002 — the rows have their cells
        for account in rescored.accounts:
            self._rows.pop(account, None)
        self._rows |= {who.account_id: (who, tally) for who, tally in rescored.rows}

    async def changed(self) -> frozenset[AccountId] | None:
        kinds = {NoticeKind.ROW, NoticeKind.RELOAD}
        since = [each.account_id for each in self._state.notices[self.work.since :] if each.kind in kinds]
        return None if None in since else frozenset(each for each in since if each is not None)

    async def catch_up(self, accounts: Collection[AccountId]) -> None:
        self._add(fact for fact in self._state.facts[self._followed :] if fact.account_id in accounts)

    async def caught_up(self, shown: Shown) -> None:
        self.work = replace(self.work, stage=Stage.SWITCHING, since=shown.sequence, version=shown.version)

    async def compare(self) -> Compared:
        logs = [
            {
                head.origin_id: replace(head, known_us=head.submitted_us)
                for head in heads(fact for fact in log if self._only in {None, fact.account_id})
            }
            for log in (self._state.facts, self._log)
        ]
        shown, new = logs
        return Compared(
            shown=[tally.full for _, tally in self._state.rows.values()],
            new=[tally.full for _, tally in self._rows.values()],
            names={key: each.display_name for key, each in self._state.entrants.items()},
            corrected=sum(shown.get(origin) != new.get(origin) for origin in shown.keys() | new.keys()),
            submissions=self._read,
        )

    async def finish(self, ending: Ending) -> None:
        state, only = self._state, self._only
        state.work = None
        if ending.game is not None:
            state.game, state.password_hash = ending.game, ending.password_hash
            state.version += 1
        if not ending.refused:
            state.notices.append(RELOAD)
        if ending.replaces:
            kept = {} if only is None else {key: row for key, row in state.rows.items() if key != only}
            state.rows = kept | self._rows
            if self._has_log:
                others = [fact for fact in state.facts if only not in {None, fact.account_id}]
                state.facts = others + self._log

    @property
    def _state(self) -> MemoryGame:
        return self._games.games[self.work.game_id]

    @property
    def _has_log(self) -> bool:
        return isinstance(self.work.task, Recompute)

    @property
    def _only(self) -> AccountId | None:
        return self.work.task.account_id if isinstance(self.work.task, Recompute) else None

    def _is_virtual(self, account_id: AccountId) -> bool:
        return self._state.entrants[account_id].participant.kind is ParticipantKind.VIRTUAL

    def _add(self, facts: Iterable[Fact]) -> None:
        known = {(fact.submission_id, fact.is_decided) for fact in self._log}
        for fact in facts:
            if (fact.submission_id, fact.is_decided) not in known:
                self._log.append(fact)


def _same(known: Fact, fact: Fact) -> bool:
    return replace(fact, known_us=known.known_us) == known if fact.submitted_us <= known.known_us else False


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


def _fact(line: str) -> Fact:
    submission, origin, account, question, submitted, known, verdict, points, groups, gone = line.split("\t")
    return Fact(
        submission_id=SubmissionId(UUID(submission)),
        origin_id=SubmissionId(UUID(origin)),
        account_id=AccountId(UUID(account)),
        question_id=QuestionId(UUID(question)),
        submitted_us=int(submitted),
        known_us=int(known),
        verdict=None if verdict == r"\N" else Verdict(verdict),
        score=Score(int(points)),
        groups=tuple(GroupScore(name, Score(each)) for name, each in msgspec.json.decode(groups)),
        cancelled=gone == "t",
    )
