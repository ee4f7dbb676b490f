"""Two games that differ only in what a viewer may not know look the same to them, whatever they ask."""

from __future__ import annotations

import random
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

import pytest

from apps.game.tests.games import LENGTH, OVER, QUESTIONS, a_game, enter, taking_part
from deepoj_domain.game.clarification import Note
from deepoj_domain.game.format import Format
from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, ClarificationId, GameId, SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import PageRequest
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import BOB, NOW, uuid
from deepoj_game.commands.apply_submission_events import Known
from deepoj_game.container import Container
from deepoj_game.queries.views import BoardPage, Shown
from deepoj_kit.testing.conditions import ManualClock

VIEWER, ALICE, CAROL, GHOST = (AccountId(uuid(300 + number)) for number in range(4))
ME, STAFF = Actor(VIEWER, Role.CONTESTANT), Actor(BOB, Role.CONTESTANT)
STRANGER = Actor(AccountId(uuid(399)), Role.SETTER)
WORLDS = [GameId(uuid(510)), GameId(uuid(511))]
FREEZE = NOW + LENGTH * 0.8
AC = Verdict.ACCEPTED
VERDICTS = [AC, Verdict.WRONG_ANSWER, Verdict.COMPILE_ERROR, Verdict.TIME_LIMIT]
FORMATS = [Format.ICPC, Format.IOI, Format.ATCODER, Format.CODEFORCES]


@dataclass
class Worlds:
    """What everybody may know happens in both games, what is hidden in each its own way."""

    container: Container
    dice: random.Random
    messages: int = 0
    waiting: list[Fact] = field(default_factory=list)

    async def begin(self, game_format: Format, kinds: dict[AccountId, Participant]) -> None:
        for game_id in WORLDS:
            game = replace(a_game(game_format), id=game_id)
            plan = replace(game.plan, sign_up=SignUpRules(virtual_allowed=True))
            assert await self.container.games().add(replace(game, plan=plan), password_hash=None)
            for participant in kinds.values():
                await enter(self.container.games(), replace(participant, game_id=game_id))

    async def submit(self, account: AccountId, at: datetime) -> None:
        made = replace(a_try(account, at), question_id=self.dice.choice(QUESTIONS[:2]))
        self.waiting.append(made)
        await self.tell([made], [made])

    async def judge(self) -> None:
        """The viewer knows their own verdicts, and everybody those from before the freeze.

        Of the others nobody is to know what they are, nor whether there are any yet.
        """
        made = self.waiting.pop(self.dice.randrange(len(self.waiting)))
        known = made.account_id == VIEWER or made.submitted_us < micros(FREEZE)
        verdicts = [self.dice.choice(VERDICTS)] * 2 if known else self.dice.sample([*VERDICTS, None], 2)
        await self.tell(*([] if verdict is None else [decided(made, verdict)] for verdict in verdicts))

    async def tell(self, *facts: list[Fact]) -> None:
        for game_id, some in zip(WORLDS, facts, strict=True):
            self.messages += 1
            known = [Known(f"{self.messages}-{number}", fact) for number, fact in enumerate(some)]
            await self.container.apply()(game_id, known)

    async def whisper(self) -> None:
        """What happens in one of the games only, and not for the viewer: a question, a hidden team's try."""
        game_id = WORLDS[0]
        note = ClarificationId(UUID(int=self.dice.getrandbits(128)))
        asked = await self.container.people_use_cases().ask(
            Actor(CAROL, Role.CONTESTANT), game_id, Note(id=note, question_id=None, text="Why?")
        )
        assert not isinstance(asked, Refused)
        made = a_try(GHOST, FREEZE - timedelta(minutes=1, microseconds=self.dice.randint(1, 10**6)))
        known = [Known(f"{note} {number}", fact) for number, fact in enumerate((made, decided(made, AC)))]
        await self.container.apply()(game_id, known)


TRIES = ((ALICE, 1), (CAROL, 2))


def a_try(account: AccountId, at: datetime) -> Fact:
    new = SubmissionId(UUID(int=micros(at)))
    return Fact(
        submission_id=new,
        origin_id=new,
        account_id=account,
        question_id=QUESTIONS[0],
        submitted_us=micros(at),
        known_us=micros(at),
    )


def decided(made: Fact, verdict: Verdict) -> Fact:
    score = Score.points(100 if verdict is Verdict.ACCEPTED else 0)
    return replace(made, known_us=made.submitted_us + 1, verdict=verdict, score=score)


async def seen(container: Container, actor: Actor | None, game: Game, moments: list[datetime]) -> list[str]:
    """Everything that the service answers to this actor about a game, without the game's own id."""
    boards, people = container.board_use_cases(), container.people_use_cases()
    answers: list[object] = [await container.game_use_cases().get(actor, game.id)]
    answers.append(await people.list(actor, game.id, PageRequest()))
    answers.append(await people.clarifications(actor, game.id, PageRequest(1)))
    answers.append(await people.check_sight(actor, game.id))
    for view in BoardView:
        for at in (None, *moments):
            page = await boards.boards.page(actor, game.id, view, at, PageRequest(2))
            answers.append(page)
            if isinstance(page, BoardPage) and at is None:
                answers += await changes(container, actor, game.id, view, page.sequence)
    for account in (VIEWER, ALICE, CAROL, GHOST):
        answers.append(await boards.boards.row(actor, game.id, account))
        answers += [await boards.explain(actor, game.id, account, at) for at in (None, *moments)]
    return [repr(answer).replace(str(game.id), "the game") for answer in answers]


async def changes(
    container: Container, actor: Actor | None, game_id: GameId, view: BoardView, last: int
) -> list[object]:
    """The whole stream of a board, and what is left of it for somebody who comes back in the midst."""
    told: list[object] = []
    for after in (0, last // 2, last - 1):
        watch = container.board_use_cases().watch(actor, game_id, view, after)
        async with aclosing(watch) as stream:
            async for change in stream:
                told.append(change)
                if isinstance(change, Refused) or change.sequence == last:
                    break
    return told


def as_entrants(**kinds: ParticipantKind) -> dict[AccountId, Participant]:
    names = {"viewer": VIEWER, "alice": ALICE, "carol": CAROL, "ghost": GHOST}
    return {names[name]: taking_part(names[name], kind) for name, kind in kinds.items()}


OFFICIAL, HIDDEN = ParticipantKind.OFFICIAL, ParticipantKind.HIDDEN


@pytest.mark.parametrize("game_format", FORMATS)
async def test_a_frozen_board_tells_nothing_of_what_it_hides(
    container: Container, clock: ManualClock, game_format: Format
) -> None:
    worlds = Worlds(container, random.Random(game_format))  # noqa: S311 — chooses what happens, hides nothing
    clock.now = NOW + timedelta(minutes=1)
    await worlds.begin(
        game_format, as_entrants(viewer=OFFICIAL, alice=OFFICIAL, carol=OFFICIAL, ghost=HIDDEN)
    )
    for minute in range(1, 40):
        clock.now = FREEZE + timedelta(minutes=minute - 10)
        await worlds.submit(worlds.dice.choice([VIEWER, ALICE, CAROL]), clock.now)
        while worlds.waiting and worlds.dice.random() < 0.6:
            await worlds.judge()
        if minute % 10 == 0:
            await worlds.whisper()
    for now in (FREEZE + timedelta(minutes=40), OVER + timedelta(minutes=1)):
        clock.now = now
        for actor in (None, ME, STRANGER):
            one, other = [
                await seen(
                    container, actor, replace(a_game(), id=game_id), [FREEZE, now - timedelta(seconds=9)]
                )
                for game_id in WORLDS
            ]
            assert one == other
    in_full = [
        await container.sights().page(STAFF, each, BoardView.ADMIN, None, PageRequest()) for each in WORLDS
    ]
    assert repr(in_full[0]).replace(str(WORLDS[0]), str(WORLDS[1])) != repr(in_full[1]), "the games do differ"


async def test_a_first_place_that_a_frozen_board_hides_is_told_the_staff_only(
    container: Container, clock: ManualClock
) -> None:
    worlds = Worlds(container, random.Random(6))  # noqa: S311 — same
    clock.now = FREEZE + timedelta(minutes=3)
    await worlds.begin(Format.ICPC, as_entrants(viewer=OFFICIAL, alice=OFFICIAL, carol=OFFICIAL))
    first, second = (a_try(account, FREEZE + timedelta(minutes=minute)) for account, minute in TRIES)
    await worlds.tell(*[[first, second]] * 2)
    await worlds.tell(*[[decided(second, Verdict.ACCEPTED)]] * 2)
    await worlds.tell([decided(first, Verdict.WRONG_ANSWER)], [decided(first, Verdict.ACCEPTED)])
    for actor in (None, ME):
        one, other = [await seen(container, actor, replace(a_game(), id=each), []) for each in WORLDS]
        assert one == other
    assert [await container.boards().sequence(each) for each in WORLDS] == [8, 7]


async def test_a_question_that_became_public_is_told_without_who_asked_in_every_shared_view(
    container: Container, clock: ManualClock
) -> None:
    worlds = Worlds(container, random.Random(9))  # noqa: S311 — same
    clock.now = NOW + timedelta(minutes=1)
    await worlds.begin(Format.ICPC, as_entrants(carol=OFFICIAL))
    note = Note(id=ClarificationId(uuid(77)), question_id=None, text="Why?")
    people = container.people_use_cases()
    await people.ask(Actor(CAROL, Role.CONTESTANT), WORLDS[0], note)
    await people.answer(STAFF, WORLDS[0], note.id, "Because.", public=True)
    for actor, view, asker in (
        (Actor(CAROL, Role.CONTESTANT), BoardView.PUBLIC, None),
        (Actor(CAROL, Role.CONTESTANT), BoardView.OWN, CAROL),
        (STAFF, BoardView.PUBLIC, None),
        (STAFF, BoardView.ADMIN, CAROL),
    ):
        page = await container.sights().page(actor, WORLDS[0], view, None, PageRequest())
        assert isinstance(page, BoardPage)
        *_, last = await changes(container, actor, WORLDS[0], view, page.sequence)
        assert isinstance(last, Shown)
        assert last.clarification is not None
        assert (last.clarification.text, last.clarification.asked_by) == ("Why?", asker)


async def test_an_oi_result_is_told_nobody_before_the_end_of_their_own_clock(
    container: Container, clock: ManualClock
) -> None:
    worlds = Worlds(container, random.Random(7))  # noqa: S311 — same
    began = OVER + timedelta(hours=1)
    clock.now = NOW + timedelta(minutes=1)
    virtual = taking_part(VIEWER, ParticipantKind.VIRTUAL, began)
    await worlds.begin(Format.OI, as_entrants(alice=OFFICIAL) | {VIEWER: virtual})
    clock.now = began + timedelta(hours=1)
    await worlds.submit(VIEWER, clock.now)
    (made,) = worlds.waiting
    await worlds.tell([decided(made, Verdict.ACCEPTED)], [decided(made, Verdict.WRONG_ANSWER)])
    await container.game_use_cases().unfreeze(STAFF, WORLDS[0])
    await container.game_use_cases().unfreeze(STAFF, WORLDS[1])
    while_it_runs = [clock.now + timedelta(minutes=1), began + LENGTH - timedelta(microseconds=1)]
    for now in while_it_runs:
        clock.now = now
        for actor in (None, ME):
            one, other = [
                await seen(container, actor, replace(a_game(), id=each), [now - timedelta(seconds=9)])
                for each in WORLDS
            ]
            assert one == other
            assert any("board_hidden" in answer for answer in one)
    clock.now = began + LENGTH
    rows = [repr(await container.sights().row(ME, each, VIEWER)) for each in WORLDS]
    assert rows[0].replace(str(WORLDS[0]), str(WORLDS[1])) != rows[1], "then it is told"


async def test_others_see_what_somebody_on_a_clock_of_their_own_sent_after_their_end(
    container: Container, clock: ManualClock
) -> None:
    worlds = Worlds(container, random.Random(8))  # noqa: S311 — same
    began = OVER + timedelta(hours=1)
    clock.now = NOW + timedelta(minutes=1)
    virtual = taking_part(ALICE, ParticipantKind.VIRTUAL, began)
    await worlds.begin(Format.ICPC, as_entrants(viewer=OFFICIAL) | {ALICE: virtual})
    clock.now = began + timedelta(hours=1)
    await worlds.submit(ALICE, clock.now)
    await container.game_use_cases().unfreeze(STAFF, WORLDS[0])
    explain = container.board_use_cases().explain

    async def explained(actor: Actor | None) -> StrEnum | None:
        found = await explain(actor, WORLDS[0], ALICE, None)
        return found.reason if isinstance(found, Refused) else None

    assert [await explained(actor) for actor in (None, ME)] == ["not_allowed"] * 2
    assert await explained(Actor(ALICE, Role.CONTESTANT)) is None
    clock.now = began + LENGTH
    assert await explained(None) is None
