"""A game of any size, made participant by participant so that it never has to be held in memory."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from deepoj_domain.game.format import Format
from deepoj_domain.game.participant import Participant
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.game.scoring.rules import Rules, rules_of
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import AccountId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import NOW, a_game, a_participant, uuid

_LENGTH_US = timedelta(hours=5) // timedelta(microseconds=1)
_JUDGING_US = 5_000_000
_SUBTASKS = 4
# Two submissions in ten are accepted, one does not compile, one in ten chains was rejudged.
_VERDICTS = (
    *(Verdict.WRONG_ANSWER,) * 5,
    *(Verdict.ACCEPTED,) * 2,
    Verdict.TIME_LIMIT,
    Verdict.RUNTIME_ERROR,
    Verdict.COMPILE_ERROR,
)
_REJUDGED_IN_TEN = 1


@dataclass(frozen=True)
class Crowd:
    participants: int
    problems: int
    submissions: int
    """Of all participants together."""

    def rules(self, game_format: Format) -> Rules:
        game = a_game(game_format)
        problems = tuple(
            GameProblem(f"P{number}", _question(number), Score.points(500)) for number in range(self.problems)
        )
        return rules_of(replace(game, plan=replace(game.plan, problems=problems)))

    def people(self) -> Iterator[tuple[Participant, list[Fact]]]:
        chance = random.Random(50)  # noqa: S311  the same game every time, no secret
        each, number = self.submissions // self.participants, 0
        for person in range(self.participants):
            account_id = AccountId(uuid(1_000_000_000 + person))
            facts: list[Fact] = []
            for _ in range(each):
                number += 10
                facts += self._chain(chance, number, account_id)
            yield a_participant(account_id), facts

    def _chain(self, chance: random.Random, number: int, account_id: AccountId) -> list[Fact]:
        submission_id = SubmissionId(uuid(number))
        submitted_us = micros(NOW) + chance.randrange(_LENGTH_US)
        judged = _judged(
            Fact(
                submission_id=submission_id,
                origin_id=submission_id,
                account_id=account_id,
                question_id=_question(chance.randrange(self.problems)),
                submitted_us=submitted_us,
                known_us=submitted_us + _JUDGING_US,
            ),
            chance.choice(_VERDICTS),
        )
        if chance.randrange(10) >= _REJUDGED_IN_TEN:
            return [judged]
        again = replace(
            judged, submission_id=SubmissionId(uuid(number + 1)), known_us=judged.known_us + _LENGTH_US
        )
        return [judged, _judged(again, chance.choice(_VERDICTS))]


def _question(number: int) -> QuestionId:
    return QuestionId(uuid(2_000_000_000 + number))


def _judged(fact: Fact, verdict: Verdict) -> Fact:
    points = {Verdict.ACCEPTED: 25, Verdict.COMPILE_ERROR: 0}.get(verdict, 10)
    groups = tuple(GroupScore(f"subtask {number}", Score.points(points)) for number in range(_SUBTASKS))
    return replace(fact, verdict=verdict, groups=groups, score=Score.points(points * _SUBTASKS))
