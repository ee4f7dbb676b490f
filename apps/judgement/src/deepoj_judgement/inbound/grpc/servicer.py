"""JudgementService: decode, call one use case, encode."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

import grpc
from google.protobuf.duration_pb2 import Duration

from deepoj_domain.documents import JUDGE_RESULT, MANIFEST
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, acting
from deepoj_domain.kernel.verdict import SandboxVerdict, Verdict
from deepoj_domain.question.limits import Limits
from deepoj_domain.submission.route import Lane
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.commands.judge.judge import JudgeOne, JudgeOrder
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.run import (
    MOST_CPU_MS,
    MOST_MEMORY_KIB,
    Executed,
    Run,
    RunOrder,
)
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.commands.judge.try_sample import NotTried, SampleOrder, TrySample
from deepoj_judgement.commands.setter.events import TimeLimit
from deepoj_judgement.commands.setter.verify_options import remote_options
from deepoj_judgement.commands.setter.verify_revision import (
    RevisionOrder,
    Verified,
    VerifyProgress,
    VerifyRevision,
)
from deepoj_judgement.commands.worker.slots import Slots
from deepoj_judgement.queries.list_languages import LanguageView, ListLanguages
from deepoj_judgement.queries.list_workers import ListWorkers, WorkerView
from deepoj_kit.documents import Document
from deepoj_kit.grpc import Kind, refuse
from deepoj_kit.grpc.mapping import Mapper, Members, Pair
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.judgement.v1 import judgement_pb2 as pb
from deepoj_proto.judgement.v1.judgement_pb2_grpc import (
    JudgementServiceServicer,
    add_JudgementServiceServicer_to_server,
)

_MAPPER: Final = Mapper(
    Pair(common_pb2.Actor, Actor, made_by=acting),
    # For those who plot times.
    Pair(pb.VerifyTimeLimit, TimeLimit, unmapped=("used_ms", "room_factor", "clear_factor")),
    Members(common_pb2.Role.DESCRIPTOR, none=("GUEST",)),
    error=InvalidValueError,
)
_actor: Callable[[common_pb2.Actor], Actor | None] = _MAPPER.reader(common_pb2.Actor, Actor)
_question_id: Final = _MAPPER.id("question_id", QuestionId)
_progress: Final = _MAPPER.writer(VerifyProgress, pb.VerifyProgress)
_verified: Final = _MAPPER.writer(Verified, pb.VerifyDone)
_KIB: Final = 1024
_DEFAULT_CPU_MS: Final = 2000
_DEFAULT_MEMORY_KIB: Final = 256 * 1024
_OUTPUT_KIB: Final = 1024
_MOST_INPUT: Final = 1024 * 1024
_MOST_SOURCE: Final = 1024 * 1024
_RESULT: Final = Document(JUDGE_RESULT, InvalidValueError)
_MANIFEST: Final = Document(MANIFEST, InvalidValueError)
_SANDBOX_VERDICTS: Final = {
    verdict: pb.SandboxVerdict.Value(f"SANDBOX_VERDICT_{verdict.name}") for verdict in SandboxVerdict
}
_VERDICTS: Final = {verdict: judging_pb2.Verdict.Value(f"VERDICT_{verdict.name}") for verdict in Verdict}
_OPERATORS: Final = frozenset({common_pb2.ROLE_JUDGE, common_pb2.ROLE_ADMIN})
_LANES: Final = {Lane.LIGHT: judging_pb2.LANE_LIGHT, Lane.HEAVY: judging_pb2.LANE_HEAVY}


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCases:
    verify: VerifyRevision
    run: Run
    try_sample: TrySample
    replay: JudgeOne
    """Keeps nothing."""
    list_workers: ListWorkers
    list_languages: ListLanguages
    slots: Slots
    is_trusted: Callable[[], bool]
    """Whether this host has not found out that it judges wrong."""
    is_drained: Callable[[], bool]
    """Whether operators want nothing to be judged here."""
    new_id: Callable[[], UUID]


class JudgementServicer(JudgementServiceServicer):
    def __init__(self, use_cases: UseCases) -> None:
        self._use_cases = use_cases

    async def Verify(  # noqa: N802 — gRPC's name
        self,
        request: pb.VerifyRequest,
        context: grpc.aio.ServicerContext[pb.VerifyRequest, pb.VerifyResponse],  # noqa: ARG002
    ) -> AsyncIterator[pb.VerifyResponse]:
        actor = _actor(request.actor)
        if actor is None:
            refuse(Kind.UNAUTHENTICATED, "sign_in_required", "a guest verifies nothing")
        self._require_duty()
        order = RevisionOrder(
            actor=actor,
            question_id=_question_id(request.question_id),
            revision=request.revision,
            options=remote_options(
                parts=request.parts,
                submissions=request.submissions,
                cases=request.cases,
                time_limit_ms=request.time_limit_ms,
                mutants=request.mutants,
            ),
            warnings_as_errors=request.warnings_as_errors,
        )
        async with aclosing(self._use_cases.verify(order)) as steps:
            async for step in steps:
                if isinstance(step, Verified):
                    yield pb.VerifyResponse(done=_verified(step))
                else:
                    yield pb.VerifyResponse(progress=_progress(step))

    async def Run(  # noqa: N802 — gRPC's name
        self,
        request: pb.RunRequest,
        context: grpc.aio.ServicerContext[pb.RunRequest, pb.RunResponse],  # noqa: ARG002
    ) -> pb.RunResponse:
        if len(request.input) > _MOST_INPUT:
            refuse(Kind.INVALID, "input_too_large", f"the input is larger than {_MOST_INPUT} bytes")
        self._require_duty()
        if request.question_id:
            return await self._try_sample(request)
        order = RunOrder(
            ref=self._ref(),
            language=language_slug(request.language),
            source=SourceCode.parse(request.source),
            given=request.input,
            limits=_limits(request),
        )
        ran = await self._use_cases.slots.call(lambda: self._use_cases.run(order))
        return _not_compiled(ran) if isinstance(ran, CompileFailed) else _run_response(ran)

    async def _try_sample(self, request: pb.RunRequest) -> pb.RunResponse:
        order = SampleOrder(
            ref=self._ref(),
            revision=RevisionRef(_question_id(request.question_id), request.revision),
            language=language_slug(request.language),
            source=SourceCode.parse(request.source),
            given=request.input,
            answer=request.answer,
        )
        tried = await self._use_cases.slots.call(lambda: self._use_cases.try_sample(order))
        if isinstance(tried, NotTried):
            refuse(Kind.PRECONDITION, "sample_not_run", tried.reason)
        if isinstance(tried, CompileFailed):
            return _not_compiled(tried)
        response = _run_response(tried.executed)
        response.sample_verdict = _VERDICTS[tried.verdict]
        return response

    async def Replay(  # noqa: N802 — gRPC's name
        self,
        request: pb.ReplayRequest,
        context: grpc.aio.ServicerContext[pb.ReplayRequest, pb.ReplayResponse],  # noqa: ARG002
    ) -> pb.ReplayResponse:
        if request.actor.role not in _OPERATORS:
            refuse(Kind.FORBIDDEN, "not_allowed", "judges and admins judge again")
        self._require_duty()
        order = JudgeOrder(
            ref=self._ref(),
            revision=RevisionRef(_question_id(request.question_id), request.revision),
            language=language_slug(request.language),
            source=SourceCode.parse(request.source, _MOST_SOURCE),
        )
        judged = await self._use_cases.slots.call(lambda: self._use_cases.replay(order))
        manifest = None if judged.logs is None else judged.logs.manifest
        return pb.ReplayResponse(
            result=_RESULT.encode(judged.result),
            manifest=b"" if manifest is None else _MANIFEST.encode(manifest),
        )

    async def ListWorkers(  # noqa: N802 — gRPC's name
        self,
        request: pb.ListWorkersRequest,
        context: grpc.aio.ServicerContext[pb.ListWorkersRequest, pb.ListWorkersResponse],  # noqa: ARG002
    ) -> pb.ListWorkersResponse:
        if request.actor.role not in _OPERATORS:
            refuse(Kind.FORBIDDEN, "not_allowed", "the judge hosts are for judges and admins to see")
        return pb.ListWorkersResponse(workers=map(_worker, await self._use_cases.list_workers()))

    async def ListLanguages(  # noqa: N802 — gRPC's name
        self,
        request: pb.ListLanguagesRequest,  # noqa: ARG002
        context: grpc.aio.ServicerContext[pb.ListLanguagesRequest, pb.ListLanguagesResponse],  # noqa: ARG002
    ) -> pb.ListLanguagesResponse:
        return pb.ListLanguagesResponse(languages=map(_language, await self._use_cases.list_languages()))

    def _require_duty(self) -> None:
        if self._use_cases.is_drained():
            said = "an operator has taken this judge host out of service; try again later"
            refuse(Kind.UNAVAILABLE, "judge_host_drained", said)
        if not self._use_cases.is_trusted():
            said = "this judge host judges known solutions wrong, so it judges nothing; try again later"
            refuse(Kind.UNAVAILABLE, "judge_host_held_back", said)

    def _ref(self) -> RunRef:
        """Nobody's job: an id of its own tells this run apart."""
        return RunRef(str(self._use_cases.new_id()), 0)


def _limits(request: pb.RunRequest) -> Limits:
    cpu_ms = min(request.time_limit.ToMilliseconds() or _DEFAULT_CPU_MS, MOST_CPU_MS)
    memory_kib = min(request.memory_limit_bytes // _KIB or _DEFAULT_MEMORY_KIB, MOST_MEMORY_KIB)
    return Limits(cpu_ms, memory_kib, _OUTPUT_KIB)


def _not_compiled(failed: CompileFailed) -> pb.RunResponse:
    return pb.RunResponse(compile_error=failed.log.decode(errors="replace"))


def _run_response(ran: Executed) -> pb.RunResponse:
    return pb.RunResponse(
        verdict=_SANDBOX_VERDICTS[ran.report.verdict],
        stdout=ran.stdout,
        stderr=ran.stderr,
        truncated=ran.truncated,
        time=_duration(ran.report.time_ms),
        memory_bytes=ran.report.memory_kib * _KIB,
        exit_code=ran.report.exit_code,
        signal=ran.report.signal,
    )


def _worker(worker: WorkerView) -> pb.Worker:
    message = pb.Worker(
        name=worker.name,
        version=worker.version,
        running=worker.running,
        capacity=worker.capacity,
        languages=sorted(worker.languages),
        layers=worker.layers,
        memory_mib=worker.memory_mib,
        speed_percent=worker.speed_percent,
        trouble=worker.trouble,
        held_back=worker.held_back,
        drained=worker.drained,
    )
    message.started_at.FromDatetime(worker.started_at)
    message.seen_at.FromDatetime(worker.seen_at)
    return message


def _language(language: LanguageView) -> pb.Language:
    row = language.row
    return pb.Language(
        slug=row.slug,
        name=row.name,
        version=language.version,
        available=bool(language.version),
        lane=_LANES[row.lane],
        time_factor_milli=row.time_percent * 10,
        memory_factor_milli=row.memory_percent * 10,
        source_name=row.source_name,
        template=row.template.lstrip("\n"),
        install_hint=f"install the Debian package {row.package}",
    )


def _duration(milliseconds: int) -> Duration:
    message = Duration()
    message.FromTimedelta(timedelta(milliseconds=milliseconds))
    return message


def register(registry: grpc.aio.Server, servicer: JudgementServicer) -> None:
    add_JudgementServiceServicer_to_server(servicer, registry)
