"""One game with its participants and what they submitted."""

from __future__ import annotations

from datetime import datetime, timedelta

from deepoj_domain.game.format import Format
from deepoj_domain.game.game import Game, GamePlan
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.schedule import Schedule
from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import BOB, NOW, uuid
from deepoj_game.commands.ports import Entrant, Games
from deepoj_game.commands.rescore import entrant_write, game_write

GAME = GameId(uuid(500))
QUESTIONS = [QuestionId(uuid(100 + number)) for number in range(4)]
LENGTH = timedelta(hours=5)
OVER = NOW + LENGTH


def a_game(game_format: Format = Format.ICPC) -> Game:
    """Four problems in five hours from NOW, frozen for the last one."""
    plan = GamePlan(
        title="Regional",
        format=game_format,
        schedule=Schedule(start=NOW, end=OVER, freeze=NOW + LENGTH * 0.8),
        problems=tuple(
            GameProblem("ABCD"[number], question, Score.points(100 * (number + 1)))
            for number, question in enumerate(QUESTIONS)
        ),
        sign_up=SignUpRules(),
    )
    return Game(id=GAME, owner=BOB, plan=plan)


def taking_part(
    account_id: AccountId,
    kind: ParticipantKind = ParticipantKind.OFFICIAL,
    virtual_start: datetime | None = None,
) -> Participant:
    return Participant(
        game_id=GAME, account_id=account_id, kind=kind, signed_up_at=NOW, virtual_start=virtual_start
    )


async def enter(games: Games, participant: Participant, now: datetime = NOW) -> None:
    async with games.open(participant.game_id) as opened:
        if opened is None:
            raise AssertionError("there is no such game")
        entrant = Entrant(participant, f"team {participant.account_id.int % 1000}")
        known = await opened.entrant(participant.account_id)
        await opened.write(await entrant_write(opened, known, entrant, now))


async def put_game(games: Games, after: Game, now: datetime = NOW) -> None:
    async with games.open(after.id) as opened:
        if opened is None:
            raise AssertionError("there is no such game")
        write = await game_write(opened, after, now, password_hash=opened.password_hash)
        if write is None:
            raise AssertionError("nothing takes too long when there is no limit")
        await opened.write(write)


def submitted(number: int, account_id: AccountId, minutes: float, question: int = 0) -> Fact:
    at = micros(NOW + timedelta(minutes=minutes))
    made = SubmissionId(uuid(1000 + number))
    return Fact(
        submission_id=made,
        origin_id=made,
        account_id=account_id,
        question_id=QUESTIONS[question],
        submitted_us=at,
        known_us=at,
    )


def judged(made: Fact, verdict: Verdict = Verdict.ACCEPTED) -> Fact:
    score = Score.points(100 if verdict is Verdict.ACCEPTED else 0)
    return Fact(
        submission_id=made.submission_id,
        origin_id=made.origin_id,
        account_id=made.account_id,
        question_id=made.question_id,
        submitted_us=made.submitted_us,
        known_us=made.submitted_us + 1_000_000,
        verdict=verdict,
        score=score,
    )
