"""Submissions. A state, as one actor sees it, is two seconds old at most and never older than an event."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Final, Protocol
from uuid import UUID

import msgspec
from cachetools import LRUCache
from msgspec.structs import replace

from deepoj_bff.queries.cache import Cache, Encoded, encode
from deepoj_bff.queries.names import ContestName, Names, ProblemName, RevisionHashes, UserName
from deepoj_bff.queries.services import Call, Page, Services
from deepoj_bff.queries.views.base import View
from deepoj_bff.queries.views.submission import Status, Submission, SubmissionDetail, Submissions
from deepoj_domain.kernel.role import Actor
from deepoj_domain.kernel.verdict import Verdict

GET: Final = Call("record", "Get", SubmissionDetail)


class SubmissionFilter(msgspec.Struct, frozen=True, kw_only=True):
    account_id: UUID | None = None
    question_id: UUID | None = None
    game_id: UUID | None = None
    language: str | None = None
    statuses: list[Status] | None = None
    verdicts: list[Verdict] | None = None
    submitted_from: datetime | None = None
    submitted_before: datetime | None = None
    with_archived: bool = False


LIST: Final = Call("record", "List", Submissions, parts={"filter": SubmissionFilter})
# More than the answers that the cache holds: the keys of those are all noted.
_NOTED: Final = 10_000


class _Submission(View, frozen=True, kw_only=True):
    status: Status
    attempt_id: int


class Shown(View, frozen=True, kw_only=True):
    """What a stream has to know of a detail."""

    submission: _Submission
    shows_cases: bool


_SHOWN: Final = msgspec.json.Decoder(Shown)


class ReadSubmissions:
    """Cached only in this process: an answer holds what one person may see, and not what everybody may."""

    def __init__(self, services: Services, cache: Cache, name: Naming) -> None:
        self._services = services
        self._cache = cache
        self._name = name
        self._keys: LRUCache[str, set[str]] = LRUCache(_NOTED)

    async def one(self, submission_id: str, actor: Actor | None) -> Encoded:
        who = f"{actor.account_id}:{actor.role}" if actor else "guest"
        key = f"submission:status:{submission_id}:{who}"

        async def load() -> bytes:
            found = await self._services.call(GET, actor=actor, submission_id=submission_id)
            return encode(replace(found, submission=await self.named(found.submission, actor)))

        # Noted before the load: an event that arrives meanwhile has to find the key.
        self._keys.setdefault(submission_id, set()).add(key)
        return await self._cache.get(key, load)

    def forget(self, submission_id: str) -> None:
        """Answer nobody with a state from before this moment."""
        for key in self._keys.pop(submission_id, ()):
            self._cache.drop(key)

    async def latest(self, actor: Actor | None, account_id: str, number: int) -> Submissions:
        return await self.page(SubmissionFilter(account_id=UUID(account_id)), actor, Page(number, None))

    async def page(self, wanted: SubmissionFilter, actor: Actor | None, page: Page) -> Submissions:
        found = await self._services.call(LIST, actor=actor, filter=wanted, page=page)
        return replace(found, submissions=await self._name(found.submissions, actor))

    async def named(self, submission: Submission, actor: Actor | None) -> Submission:
        (named,) = await self._name([submission], actor)
        return named


def shown_in(detail: bytes) -> Shown:
    return _SHOWN.decode(detail)


def status_in(detail: bytes) -> Status:
    return shown_in(detail).submission.status


class Naming(Protocol):
    async def __call__(self, submissions: Sequence[Submission], actor: Actor | None) -> list[Submission]: ...


class NameSubmissions:
    def __init__(self, names: Names) -> None:
        self._names = names

    async def __call__(self, submissions: Sequence[Submission], actor: Actor | None) -> list[Submission]:
        users, problems, contests, revisions = await asyncio.gather(
            self._names.users({each.account_id for each in submissions}),
            self._names.problems({(each.question_id, each.game_id) for each in submissions}, actor),
            self._names.contests({each.game_id for each in submissions if each.game_id}, actor),
            self._names.revisions({each.question_id for each in submissions}, actor),
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


def _named(
    submission: Submission,
    user: UserName | None,
    problem: ProblemName | None,
    contest: ContestName | None,
    revisions: RevisionHashes | None,
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
