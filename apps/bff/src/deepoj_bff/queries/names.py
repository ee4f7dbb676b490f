"""What ids stand for. A name that the viewer may not know is not there.

Names are an addition: without the service that knows them a thing is shown all the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import timedelta
from typing import Final, TypeVar

from cachetools import TTLCache

from deepoj_bff.queries.services import Call, Page, Services
from deepoj_bff.queries.views.base import View
from deepoj_domain.kernel.role import Actor, Role

T = TypeVar("T")
# Nobody waits longer for a name than that, and a page has no more ids than this.
_SOON: Final = timedelta(seconds=1)
_MOST: Final = 100
_FRESH: Final = timedelta(seconds=10)
_KEPT: Final = 20_000
_SETTERS: Final = frozenset({Role.SETTER, Role.JUDGE, Role.ADMIN})


class UserName(View, frozen=True, kw_only=True):
    id: str
    name: str
    display_name: str


class _Users(View, frozen=True, kw_only=True):
    accounts: list[UserName]


class ProblemName(View, frozen=True, kw_only=True):
    id: str
    slug: str
    title: str


class _Problems(View, frozen=True, kw_only=True):
    questions: list[ProblemName]


class _ProblemAnswer(View, frozen=True, kw_only=True):
    question: ProblemName


class _Label(View, frozen=True, kw_only=True):
    question_id: str
    label: str


class ContestName(View, frozen=True, kw_only=True):
    title: str
    problems: list[_Label]


class _ContestAnswer(View, frozen=True, kw_only=True):
    game: ContestName


class _Revision(View, frozen=True, kw_only=True):
    number: int
    judge_hash: str


class RevisionHashes(View, frozen=True, kw_only=True):
    revisions: list[_Revision]


USERS: Final = Call("user", "List", _Users, _SOON)
PROBLEMS: Final = Call("question", "List", _Problems, _SOON)
PROBLEM: Final = Call("question", "Get", _ProblemAnswer, _SOON)
CONTEST: Final = Call("game", "Get", _ContestAnswer, _SOON)
REVISIONS: Final = Call("question", "ListRevisions", RevisionHashes, _SOON)


class Names:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._known: TTLCache[tuple[str, ...], object] = TTLCache(_KEPT, _FRESH.total_seconds())

    async def users(self, ids: Iterable[str]) -> dict[str, UserName]:
        async def ask(missing: Sequence[str]) -> dict[str, UserName]:
            page = Page(len(missing), None)
            found = await self._services.optional(USERS, actor=None, account_ids=list(missing), page=page)
            return {each.id: each for each in found.accounts} if found else {}

        return await self._look_up("user", "", ids, UserName, ask)

    async def problems(
        self, asked: Iterable[tuple[str, str | None]], actor: Actor | None
    ) -> dict[str, ProblemName]:
        """A problem that is hidden elsewhere may be shown in the contest that it was sent to."""
        contests = dict(asked)

        async def ask(missing: Sequence[str]) -> dict[str, ProblemName]:
            page = Page(len(missing), None)
            found = await self._services.optional(
                PROBLEMS, actor=actor, question_ids=list(missing), page=page
            )
            known = {each.id: each for each in found.questions} if found else {}
            hidden = [each for each in missing if each not in known and contests[each]]
            shown = await asyncio.gather(
                *(
                    self._services.optional(PROBLEM, actor=actor, question_id=each, game_id=contests[each])
                    for each in hidden
                )
            )
            return known | {each.question.id: each.question for each in shown if each is not None}

        return await self._look_up("problem", _who(actor), contests, ProblemName, ask)

    async def contests(self, ids: Iterable[str], actor: Actor | None) -> dict[str, ContestName]:
        async def ask(missing: Sequence[str]) -> dict[str, ContestName]:
            found = await asyncio.gather(
                *(self._services.optional(CONTEST, actor=actor, game_id=each) for each in missing)
            )
            told = zip(missing, found, strict=True)
            return {key: answer.game for key, answer in told if answer is not None}

        return await self._look_up("contest", _who(actor), ids, ContestName, ask)

    async def revisions(self, ids: Iterable[str], actor: Actor | None) -> dict[str, RevisionHashes]:
        """Whose judging data has changed is told those who may read the data, and nobody else."""
        if actor is None or actor.role not in _SETTERS:
            return {}

        async def ask(missing: Sequence[str]) -> dict[str, RevisionHashes]:
            found = await asyncio.gather(
                *(self._services.optional(REVISIONS, actor=actor, question_id=each) for each in missing)
            )
            return {key: answer for key, answer in zip(missing, found, strict=True) if answer is not None}

        return await self._look_up("revisions", _who(actor), ids, RevisionHashes, ask)

    async def _look_up(
        self,
        what: str,
        who: str,
        ids: Iterable[str],
        kind: type[T],
        ask: Callable[[Sequence[str]], Awaitable[dict[str, T]]],
    ) -> dict[str, T]:
        known = {key: self._known[what, who, key] for key in ids if (what, who, key) in self._known}
        missing = sorted(set(ids) - set(known))[:_MOST]
        if missing:
            found = await ask(missing)
            self._known.update({(what, who, key): found.get(key) for key in missing})
            known |= found
        return {key: value for key, value in known.items() if isinstance(value, kind)}


def _who(actor: Actor | None) -> str:
    return "" if actor is None else f"{actor.account_id}:{actor.role}"
