"""The catalogue as a list for people: problems, how many solved them, and what oneself has done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from hashlib import blake2b
from typing import Final
from uuid import UUID

import msgspec

from deepoj_bff.queries.cache import Cache, Encoded, encode
from deepoj_bff.queries.problems import ProblemSearch, ReadProblems, Sort
from deepoj_bff.queries.services import Call, Services
from deepoj_bff.queries.views.base import PageInfo
from deepoj_bff.queries.views.problem import (
    ListedProblem,
    ListedProblems,
    Mark,
    Problems,
    ProblemSummary,
)
from deepoj_bff.queries.views.statistics import ProblemMarks, ProblemPeople, ProblemPeopleCounts, SolversOfAll
from deepoj_domain.kernel.role import Actor

PEOPLE: Final = Call("record", "CountPeople", ProblemPeopleCounts)
SOLVERS: Final = Call("record", "ListSolvers", SolversOfAll)
MARKS: Final = Call("record", "ListMarks", ProblemMarks)

_LISTED: Final = msgspec.json.Decoder(ListedProblems)
_PEOPLE: Final = msgspec.json.Decoder(ProblemPeopleCounts)
_SOLVERS: Final = msgspec.json.Decoder(SolversOfAll)
_EMPTY: Final = ListedProblems(questions=[], page=PageInfo())


class Mine(StrEnum):
    SOLVED = "solved"
    TRIED = "tried"
    UNTOUCHED = "untouched"


class ReadCatalogue:
    def __init__(self, services: Services, problems: ReadProblems, people: Cache) -> None:
        self._services = services
        self._problems = problems
        self._people = people

    async def page(self, asked: ProblemSearch, mine: Mine | None, actor: Actor | None) -> Encoded:
        listed = await self._listed(asked, mine, actor)
        ids = [each.id for each in listed.questions]
        people, marks = await self._counted(ids), await self._marked(ids, actor)
        items = [_summary(each, people, marks) for each in listed.questions]
        return Encoded.of(encode(Problems(items=items, page=listed.page)))

    async def _listed(self, asked: ProblemSearch, mine: Mine | None, actor: Actor | None) -> ListedProblems:
        if mine is not None:
            narrowed = _narrowed(asked, mine, await self._marked([], actor) if actor else {})
            if narrowed is None:
                return _EMPTY
            asked = narrowed
        if asked.sort is Sort.SOLVED:
            asked = msgspec.structs.replace(asked, solvers=(await self._solvers()).solvers)
        found = await self._problems.page(asked, actor, search=asked.is_made_up)
        return _EMPTY if found.body is None else _LISTED.decode(found.body)

    async def _solvers(self) -> SolversOfAll:
        """Without an answer there is no such order, and the refusal says so."""

        async def load() -> bytes:
            return encode(await self._services.call(SOLVERS))

        answer = await self._people.get("problem:solvers", load)
        return _SOLVERS.decode(answer.body or b'{"solvers":[]}')

    async def _counted(self, ids: Sequence[str]) -> Mapping[str, ProblemPeople] | None:
        """Return None when nobody knows: the list is worth reading without."""

        async def load() -> bytes | None:
            found = await self._services.optional(PEOPLE, question_ids=ids)
            return None if found is None else encode(found)

        if not ids:
            return {}
        digest = blake2b(encode(ids), digest_size=12).hexdigest()
        answer = await self._people.get(f"problem:people:{digest}", load)
        if answer.body is None:
            return None
        return {each.question_id: each for each in _PEOPLE.decode(answer.body).counts}

    async def _marked(self, ids: Sequence[str], actor: Actor | None) -> Mapping[str, Mark]:
        """Return the marks of these problems; of all when there are none."""
        if actor is None:
            return {}
        found = await self._services.optional(MARKS, account_id=actor.account_id, question_ids=ids)
        marks = [] if found is None else found.marks
        return {each.question_id: Mark.SOLVED if each.solved else Mark.TRIED for each in marks}


def _narrowed(asked: ProblemSearch, mine: Mine, marks: Mapping[str, Mark]) -> ProblemSearch | None:
    """Return the search for what has this mark; None when nothing can have it."""
    match mine:
        case Mine.UNTOUCHED:
            return msgspec.structs.replace(asked, excluded_ids=sorted(map(UUID, marks)))
        case Mine.SOLVED | Mine.TRIED:
            wanted = {UUID(key) for key, mark in marks.items() if mark.value == mine.value}
            if asked.question_ids:
                wanted &= set(asked.question_ids)
            return msgspec.structs.replace(asked, question_ids=sorted(wanted)) if wanted else None


def _summary(
    listed: ListedProblem, people: Mapping[str, ProblemPeople] | None, marks: Mapping[str, Mark]
) -> ProblemSummary:
    counted = None if people is None else people.get(listed.id)
    unknown = None if people is None else 0
    head = {name: getattr(listed, name) for name in listed.__struct_fields__ if name != "titles"}
    return ProblemSummary(
        **head,
        titles={each.locale: each.title for each in listed.titles},
        locales=[each.locale for each in listed.titles],
        attempted=unknown if counted is None else counted.attempted,
        accepted=unknown if counted is None else counted.accepted,
        mine=marks.get(listed.id),
    )
