"""What the ids in submissions stand for. A name that the viewer may not know is not there.

Names are an addition: without the service that knows them a submission is shown all the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import timedelta
from typing import Final, Protocol, TypeVar

import msgspec
from cachetools import TTLCache

from deepoj_bff.queries.services import Call, Page, Services
from deepoj_bff.queries.views.base import View
from deepoj_bff.queries.views.submission import Submission
from deepoj_domain.kernel.role import Actor, Role

T = TypeVar("T")
# Nobody waits longer for a name than that, and a page of submissions has no more ids than this.
_SOON: Final = timedelta(seconds=1)
_MOST: Final = 100
_FRESH: Final = timedelta(seconds=10)
_KEPT: Final = 20_000
_SETTERS: Final = frozenset({Role.SETTER, Role.JUDGE, Role.ADMIN})


class _User(View, frozen=True, kw_only=True):
    id: str
    name: str
    display_name: str


class _Users(View, frozen=True, kw_only=True):
    accounts: list[_User]


class _Problem(View, frozen=True, kw_only=True):
    id: str
    slug: str
    title: str


class _Problems(View, frozen=True, kw_only=True):
    questions: list[_Problem]


class _ProblemAnswer(View, frozen=True, kw_only=True):
    question: _Problem


class _Label(View, frozen=True, kw_only=True):
    question_id: str
    label: str


class _Contest(View, frozen=True, kw_only=True):
    title: str
    problems: list[_Label]


class _ContestAnswer(View, frozen=True, kw_only=True):
    game: _Contest


class _Revision(View, frozen=True, kw_only=True):
    number: int
    judge_hash: str


class _Revisions(View, frozen=True, kw_only=True):
    revisions: list[_Revision]


USERS: Final = Call("user", "List", _Users, _SOON)
PROBLEMS: Final = Call("question", "List", _Problems, _SOON)
PROBLEM: Final = Call("question", "Get", _ProblemAnswer, _SOON)
CONTEST: Final = Call("game", "Get", _ContestAnswer, _SOON)
REVISIONS: Final = Call("question", "ListRevisions", _Revisions, _SOON)


class Naming(Protocol):
    async def __call__(self, submissions: Sequence[Submission], actor: Actor | None) -> list[Submission]: ...


class NameSubmissions:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._known: TTLCache[tuple[str, ...], object] = TTLCache(_KEPT, _FRESH.total_seconds())

    async def __call__(self, submissions: Sequence[Submission], actor: Actor | None) -> list[Submission]:
        users, problems, contests, revisions = await asyncio.gather(
            self._users({each.account_id for each in submissions}),
            self._problems({(each.question_id, each.game_id) for each in submissions}, actor),
            self._contests({each.game_id for each in submissions if each.game_id}, actor),
            self._revisions({each.question_id for each in submissions}, actor),
        )
        return [
            _named(
                each,
                users.get(each.account_id),
                problems.get(each.question_id),
                contests.get(each.game_id or ""),
                revisions.get(each.question_id),
            )
            for each in submissions
        ]

    async def _users(self, ids: Iterable[str]) -> dict[str, _User]:
        async def ask(missing: Sequence[str]) -> dict[str, _User]:
            page = Page(len(missing), None)
            found = await self._services.optional(USERS, actor=None, account_ids=list(missing), page=page)
            return {each.id: each for each in found.accounts} if found else {}

        return await self._look_up("user", "", ids, _User, ask)

    async def _problems(
        self, asked: Iterable[tuple[str, str | None]], actor: Actor | None
    ) -> dict[str, _Problem]:
        """A problem that is hidden elsewhere may be shown in the contest that it was sent to."""
        contests = dict(asked)

        async def ask(missing: Sequence[str]) -> dict[str, _Problem]:
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

        return await self._look_up("problem", _who(actor), contests, _Problem, ask)

    async def _contests(self, ids: Iterable[str], actor: Actor | None) -> dict[str, _Contest]:
        async def ask(missing: Sequence[str]) -> dict[str, _Contest]:
            found = await asyncio.gather(
                *(self._services.optional(CONTEST, actor=actor, game_id=each) for each in missing)
            )
            told = zip(missing, found, strict=True)
            return {key: answer.game for key, answer in told if answer is not None}

        return await self._look_up("contest", _who(actor), ids, _Contest, ask)

    async def _revisions(self, ids: Iterable[str], actor: Actor | None) -> dict[str, _Revisions]:
        """Whose judging data has changed is told those who may read the data, and nobody else."""
        if actor is None or actor.role not in _SETTERS:
            return {}

        async def ask(missing: Sequence[str]) -> dict[str, _Revisions]:
            found = await asyncio.gather(
                *(self._services.optional(REVISIONS, actor=actor, question_id=each) for each in missing)
            )
            return {key: answer for key, answer in zip(missing, found, strict=True) if answer is not None}

        return await self._look_up("revisions", _who(actor), ids, _Revisions, ask)

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


def _named(
    submission: Submission,
    user: _User | None,
    problem: _Problem | None,
    contest: _Contest | None,
    revisions: _Revisions | None,
) -> Submission:
    labels = {each.question_id: each.label for each in contest.problems} if contest else {}
    hashes = {each.number: each.judge_hash for each in revisions.revisions} if revisions else {}
    judged_by = hashes.get(submission.question_revision)
    return msgspec.structs.replace(
        submission,
        user_name=user and user.name,
        user_display_name=user and user.display_name,
        problem_slug=problem and problem.slug,
        problem_title=problem and problem.title,
        contest_title=contest and contest.title,
        contest_label=labels.get(submission.question_id),
        judge_hash=judged_by,
        outdated=judged_by is not None and judged_by != hashes[max(hashes)],
    )
