"""The question service: which revision a submission is judged by, whose it is, which cases are samples."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

import grpc
from cachetools import LRUCache

from deepoj_domain.documents import JUDGING
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.question.visibility import Access, may
from deepoj_domain.submission.visibility import UNKNOWN_QUESTION, QuestionRules
from deepoj_kit.batching import Batched
from deepoj_kit.documents import Document
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.single_flight import RecentAnswers, SingleFlight
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub
from deepoj_record.commands.ports import Clock, QuestionAwayError, QuestionFacts
from deepoj_record.outbound.grpc.actors import ROLES
from deepoj_record.queries.ports import Sample


@dataclass(frozen=True, slots=True)
class _Asked:
    question_id: QuestionId
    role: common_pb2.Role.ValueType
    personal: AccountId | None
    """Who asks, where the answer depends on it."""
    account_id: AccountId = field(compare=False)


_Answer = QuestionFacts | QuestionAwayError | None


class GrpcCatalogue:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._questions = QuestionServiceStub(channel)
        # Those who come while calls are under way share the next ones: no answer is older than its asking.
        self._newest = Batched(self._ask_all)

    async def newest(self, question_id: QuestionId, actor: Actor, *, vouched: bool) -> QuestionFacts | None:
        # The problems of a game are hidden from contestants elsewhere; whoever let them in has checked that.
        role = common_pb2.ROLE_JUDGE if vouched else ROLES[actor.role]
        personal = None if vouched or actor.role is Role.CONTESTANT else actor.account_id
        answer = await self._newest(_Asked(question_id, role, personal, actor.account_id))
        if isinstance(answer, QuestionAwayError):
            raise answer
        return answer

    async def _ask_all(self, asked: Sequence[_Asked]) -> list[_Answer]:
        different = tuple(dict.fromkeys(asked))
        answers = await asyncio.gather(*(self._ask(each) for each in different))
        known = dict(zip(different, answers, strict=True))
        return [known[each] for each in asked]

    async def _ask(self, asked: _Asked) -> _Answer:
        actor = common_pb2.Actor(account_id=str(asked.account_id), role=asked.role)
        try:
            answer = await self._questions.Get(
                question_pb2.GetRequest(actor=actor, question_id=str(asked.question_id))
            )
        except RemoteError as error:
            if error.kind in {Kind.NOT_FOUND, Kind.FORBIDDEN}:
                return None
            return QuestionAwayError(str(error))
        question = answer.question
        return QuestionFacts(
            revision=RevisionRef(asked.question_id, question.revision),
            languages=frozenset(language_slug(each) for each in question.languages),
            source_bytes=question.limits.source_bytes or None,
        )


_log = logging.getLogger(__name__)
_SERVICE: Final = common_pb2.Actor(role=common_pb2.ROLE_JUDGE)


class GrpcQuestionRules:
    def __init__(self, channel: grpc.aio.Channel, clock: Clock) -> None:
        self._questions = QuestionServiceStub(channel)
        self._hidden = RecentAnswers[None, Mapping[QuestionId, AccountId]](clock)
        self._rules = RecentAnswers[QuestionId, tuple[AccountId, bool]](clock)

    async def rules(self, question_id: QuestionId, actor: Actor) -> QuestionRules:
        known = await self._rules.get(question_id, lambda: self._ask(question_id))
        if known is None:
            return UNKNOWN_QUESTION
        owner, enabled = known
        return QuestionRules(
            reads=may(actor, Access.READ, owner=owner, enabled=enabled),
            inspects=may(actor, Access.INSPECT, owner=owner, enabled=enabled),
        )

    async def hidden(self, actor: Actor | None) -> frozenset[QuestionId] | None:
        known = await self._hidden.get(None, self._ask_hidden)
        if known is None:
            return None
        return frozenset(
            question
            for question, owner in known.items()
            if not may(actor, Access.READ, owner=owner, enabled=False)
        )

    async def _ask(self, question_id: QuestionId) -> tuple[AccountId, bool] | None:
        request = question_pb2.GetRequest(actor=_SERVICE, question_id=str(question_id))
        try:
            question = (await self._questions.Get(request)).question
        except RemoteError as error:
            # A deleted question is nobody's any more.
            if error.kind is not Kind.NOT_FOUND:
                _log.warning("who may see question %s is not known: %s", question_id, error)
            return None
        return AccountId(UUID(question.owner_id)), question.enabled

    async def _ask_hidden(self) -> Mapping[QuestionId, AccountId] | None:
        try:
            told = await self._questions.ListHidden(question_pb2.ListHiddenRequest())
        except RemoteError as error:
            _log.warning("which questions are hidden is not known: %s", error)
            return None
        return {QuestionId(UUID(each.question_id)): AccountId(UUID(each.owner_id)) for each in told.questions}


_JUDGING: Final = Document(JUDGING, InvalidValueError)
_MOST_KEPT: Final = 512


class GrpcSamples:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._questions = QuestionServiceStub(channel)
        self._kept = LRUCache[RevisionRef, dict[str, Sample]](_MOST_KEPT)
        self._calls = SingleFlight[RevisionRef, dict[str, Sample]]()

    async def of(self, revision: RevisionRef) -> dict[str, Sample]:
        known = self._kept.get(revision)
        return await self._calls(revision, lambda: self._ask(revision)) if known is None else known

    async def _ask(self, revision: RevisionRef) -> dict[str, Sample]:
        request = question_pb2.GetJudgeSpecRequest(
            question_id=str(revision.question_id), revision=revision.number
        )
        try:
            judging = _JUDGING.decode((await self._questions.GetJudgeSpec(request)).document)
        except (RemoteError, InvalidValueError) as error:
            _log.warning("which cases of %s are samples is not known: %s", revision, error)
            return {}
        found = {each.name: Sample(each.input, each.answer) for each in judging.suite.cases if each.is_sample}
        self._kept[revision] = found
        return found
