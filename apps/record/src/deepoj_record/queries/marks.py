"""Who has solved what, as far as anybody may know: sealed games and hidden questions are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_record.queries.counts import MOST_QUESTIONS, public_scope
from deepoj_record.queries.ports import Questions, Scope, Seals


@dataclass(frozen=True, slots=True)
class QuestionPeople:
    question_id: QuestionId
    attempted: int
    accepted: int


@dataclass(frozen=True, slots=True)
class Solvers:
    question_id: QuestionId
    people: int


@dataclass(frozen=True, slots=True)
class QuestionMark:
    question_id: QuestionId
    solved: bool


class Marks(Protocol):
    async def people(self, question_ids: Sequence[QuestionId], scope: Scope) -> Sequence[QuestionPeople]: ...

    async def solvers(self, scope: Scope) -> Sequence[Solvers]:
        """Of every question that somebody has solved; of very many, of those solved most."""
        ...

    async def of_account(
        self, account_id: AccountId, question_ids: Sequence[QuestionId], scope: Scope
    ) -> Sequence[QuestionMark]:
        """Of these questions; without any, of all."""
        ...


class CountPeople:
    def __init__(self, marks: Marks, games: Seals, questions: Questions) -> None:
        self._marks = marks
        self._games = games
        self._questions = questions

    async def __call__(self, question_ids: Sequence[QuestionId]) -> Sequence[QuestionPeople]:
        _check(question_ids)
        scope = await public_scope(self._games, self._questions)
        return () if scope is None else await self._marks.people(question_ids, scope)


class ListSolvers:
    def __init__(self, marks: Marks, games: Seals, questions: Questions) -> None:
        self._marks = marks
        self._games = games
        self._questions = questions

    async def __call__(self) -> Sequence[Solvers]:
        scope = await public_scope(self._games, self._questions)
        return () if scope is None else await self._marks.solvers(scope)


class ListMarks:
    def __init__(self, marks: Marks, games: Seals, questions: Questions) -> None:
        self._marks = marks
        self._games = games
        self._questions = questions

    async def __call__(
        self, account_id: AccountId, question_ids: Sequence[QuestionId]
    ) -> Sequence[QuestionMark]:
        _check(question_ids)
        scope = await public_scope(self._games, self._questions)
        return () if scope is None else await self._marks.of_account(account_id, question_ids, scope)


def _check(question_ids: Sequence[QuestionId]) -> None:
    if len(question_ids) > MOST_QUESTIONS:
        raise InvalidValueError("too_many_questions", f"at most {MOST_QUESTIONS} questions at once")
