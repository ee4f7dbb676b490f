"""What is written event by event equals what the domain makes of the whole log, in every view."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from apps.game.tests.games import GAME, QUESTIONS, a_game, enter, put_game, taking_part
from deepoj_domain.game.format import Format
from deepoj_domain.game.game import Game, GameOutcome
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.schedule import Interval
from deepoj_domain.game.scoring.board import BoardRow
from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.testing import Standings
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import AccountId, SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import PageRequest
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import NOW, ROOT, uuid
from deepoj_game.commands.apply_submission_events import Applied, Known
from deepoj_game.container import Container
from deepoj_game.queries.ports import EVERYTHING, Side
from deepoj_kit.testing.conditions import ManualClock

ACCOUNTS = [AccountId(uuid(200 + number)) for number in range(9)]
STEPS = 50
SEEDS = [1]
BATCH = 3


def dice(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 — chooses what happens, hides nothing


@dataclass
class Story:
    """A game told twice: to the service, and to the domain's own standings."""

    container: Container
    dice: random.Random
    game: Game
    standings: Standings = field(init=False)
    participants: dict[AccountId, Participant] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    messages: int = 0

    def __post_init__(self) -> None:
        self.standings = Standings(rules_of(self.game))

    async def begin(self) -> None:
        assert await self.container.games().add(self.game, password_hash=None)
        for number, account in enumerate(ACCOUNTS):
            virtual = number == len(ACCOUNTS) - 1
            kind = ParticipantKind.VIRTUAL if virtual else ParticipantKind.OFFICIAL
            start = NOW + timedelta(hours=1) if virtual else None
            await self.enter(taking_part(account, kind, start))

    async def enter(self, participant: Participant) -> None:
        await enter(self.container.games(), participant)
        self.participants[participant.account_id] = participant
        self.standings.enter(participant)

    async def step(self) -> None:
        match self.dice.choices(
            ["submit", "decide", "again", "kind", "ignore", "extend", "cut"], [30, 40, 6, 6, 6, 2, 1]
        )[0]:
            case "submit":
                await self.apply([self.submission() for _ in range(self.dice.randint(1, BATCH))])
            case "decide" if self.facts:
                await self.apply([self.decision() for _ in range(self.dice.randint(1, BATCH))])
            case "again" if self.facts:
                await self.apply([self.dice.choice(self.facts)])
            case "kind":
                await self.change_somebody()
            case "ignore" if self.facts:
                origin = self.dice.choice(self.facts).origin_id
                known = origin in self.game.ignored
                await self.rule(
                    self.game.count_again(origin, NOW) if known else self.game.ignore(origin, NOW)
                )
            case "extend":
                await self.rule(self.game.extend(timedelta(minutes=self.dice.randint(1, 30)), NOW))
            case "cut":
                since = NOW + timedelta(minutes=self.dice.randint(0, 200))
                gap = Interval(since, since + timedelta(minutes=5))
                await self.rule(self.game.remove_interval(gap, NOW))
            case _:
                """There is nothing to decide yet."""

    def new_id(self) -> SubmissionId:
        return SubmissionId(UUID(int=self.dice.getrandbits(128)))

    def submission(self) -> Fact:
        new = self.new_id()
        at = micros(NOW + timedelta(seconds=self.dice.randint(-60, 5 * 3600 + 60)))
        return Fact(
            submission_id=new,
            origin_id=new,
            account_id=self.dice.choice(ACCOUNTS),
            question_id=self.dice.choice(QUESTIONS),
            submitted_us=at,
            known_us=at,
        )

    def decision(self) -> Fact:
        """A verdict, a second thought after a rejudge, or a cancellation."""
        made = self.dice.choice(self.facts)
        rejudged = self.dice.random() < 0.2
        verdict = self.dice.choice([Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.COMPILE_ERROR])
        points = [Score.points(self.dice.choice([0, 10, 50])) for _ in range(2)]
        decided = replace(
            made,
            submission_id=SubmissionId(UUID(int=self.dice.getrandbits(128)))
            if rejudged
            else made.submission_id,
            known_us=made.submitted_us + self.dice.randint(1, 10**10),
            verdict=verdict,
            score=Score.total(points),
            groups=tuple(GroupScore(str(number), each) for number, each in enumerate(points)),
            cancelled=False,
        )
        taken = [fact for fact in self.facts if fact.submission_id == decided.submission_id]
        # A submission is decided once.
        known = next((fact for fact in taken if fact.verdict is not None or fact.cancelled), None)
        return known or decided

    async def apply(self, facts: list[Fact]) -> None:
        distinct = list({(fact.submission_id, fact.verdict is None): fact for fact in facts}.values())
        known = []
        for fact in distinct:
            self.messages += 1
            known.append(Known(f"message-{self.messages}", fact))
        results = await self.container.apply()(GAME, known)
        assert results == [Applied.APPLIED] * len(known)
        for fact in distinct:
            self.facts.append(fact)
            self.standings.add(fact)

    async def change_somebody(self) -> None:
        who = self.participants[self.dice.choice(ACCOUNTS[:-1])]
        kind = self.dice.choice(
            [ParticipantKind.OFFICIAL, ParticipantKind.UNOFFICIAL, ParticipantKind.HIDDEN]
        )
        await self.enter(
            replace(
                who,
                kind=kind,
                withdrawn=self.dice.random() < 0.2,
                penalty_adjustment_minutes=self.dice.randint(-10, 10),
            )
        )

    async def rule(self, outcome: GameOutcome) -> None:
        if isinstance(outcome, Refused):
            return
        await put_game(self.container.games(), outcome)
        self.game = outcome
        self.standings.govern(rules_of(self.game))

    async def board(self, side: Side) -> list[BoardRow]:
        rows: list[BoardRow] = []
        after: tuple[str, ...] | None = None
        while True:
            page, _ = await self.container.boards().page(self.game, side, PageRequest(2, after))
            rows += [each.row for each in page.items]
            if page.next is None:
                return rows
            after = page.next

    async def check(self) -> None:
        viewer = self.dice.choice(ACCOUNTS)
        for view, frozen in (
            (BoardView.ADMIN, False),
            (BoardView.PUBLIC, False),
            (BoardView.FROZEN, True),
            (BoardView.OWN, True),
        ):
            own = viewer if view is BoardView.OWN else None
            expected = list(self.standings.board(view, is_frozen=frozen, viewer=own).rows)
            side = Side(frozen=frozen, with_hidden=view is BoardView.ADMIN, own=own)
            assert await self.board(side) == expected, view
            rows = await self.container.boards().rows(self.game, side, ACCOUNTS)
            assert {account: each.row for account, each in rows.items()} == {
                row.row.account_id: row for row in expected
            }, view


@pytest.mark.parametrize("game_format", list(Format))
@pytest.mark.parametrize("seed", SEEDS)
async def test_the_pages_equal_the_domains_board_after_any_sequence(
    container: Container, clock: ManualClock, game_format: Format, seed: int
) -> None:
    clock.now = NOW
    story = Story(container, dice(seed), a_game(game_format))
    await story.begin()
    for number in range(STEPS):
        await story.step()
        if number % 25 == 24:
            await story.check()


async def test_the_board_of_a_past_moment_is_the_log_cut_there(
    container: Container, clock: ManualClock
) -> None:
    clock.now = NOW
    story = Story(container, dice(3), a_game(Format.ICPC))
    await story.begin()
    for _ in range(40):
        await story.apply([story.submission()] if not story.facts else [story.decision()])
        await story.apply([story.submission()])
    at: datetime = NOW + timedelta(hours=2)
    expected = Standings(rules_of(story.game))
    for participant in story.participants.values():
        expected.enter(participant)
    for fact in story.facts:
        if fact.submitted_us <= micros(at):
            expected.add(fact if fact.known_us <= micros(at) else fact.undecided())
    sight = await container.sights().sight(ROOT, GAME, BoardView.ADMIN)
    assert not isinstance(sight, Refused)
    past = await container.past().at(sight.visit, micros(at))
    assert not isinstance(past, Refused)
    board = past.board(story.game, BoardView.ADMIN, EVERYTHING)
    assert board.rows == expected.board(BoardView.ADMIN, is_frozen=False).rows
