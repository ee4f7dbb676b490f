"""An input or an answer of a revision, for the owner and the staff."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from enum import StrEnum

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.limits import MOST_DATA_BYTES
from deepoj_question.queries.ports import Files, QueryRefusal
from deepoj_question.queries.revisions import Inspect


class CaseFile(StrEnum):
    INPUT = "input"
    ANSWER = "answer"


class GetCaseFile:
    def __init__(self, inspect: Inspect, files: Files) -> None:
        self._inspect = inspect
        self._files = files

    async def __call__(
        self, actor: Actor | None, question_id: QuestionId, revision: int, number: int, file: CaseFile
    ) -> AsyncGenerator[bytes, None] | Refused[QueryRefusal]:
        """`number` counts from 1, in the order the cases are judged in."""
        found = await self._inspect(actor, question_id, revision)
        if isinstance(found, Refused):
            return found
        cases = found.content.judging.suite.cases
        if not 1 <= number <= len(cases):
            return Refused(QueryRefusal.CASE_NOT_FOUND)
        case = cases[number - 1]
        return self._files.read(case.input if file is CaseFile.INPUT else case.answer, MOST_DATA_BYTES)
