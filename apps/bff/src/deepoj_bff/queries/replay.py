"""Judge a submission again as it was pinned, and say what is the same; nothing of it is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final
from uuid import UUID

from deepoj_bff.queries.services import LONG, Call, Nothing, Services
from deepoj_bff.queries.views.admin import Workers
from deepoj_bff.queries.views.replay import (
    JudgedAgain,
    Pinned,
    PinnedAnswer,
    ReplayDifference,
    ReplayedCase,
    ReplayedRun,
    ReplayedSubmission,
    Reproduced,
)
from deepoj_bff.queries.views.submission import LogContent
from deepoj_domain.judgement.manifest import Manifest
from deepoj_domain.judgement.reproduction import CaseOutcome, Reached, Reproduction, compare
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.errors import DomainError
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.logs import Log

PINNED: Final = Call("record", "Get", PinnedAnswer)
WORKERS: Final = Call("judgement", "ListWorkers", Workers)
KEPT: Final = Call("record", "GetLog", LogContent)
REPLAY: Final = Call("judgement", "Replay", JudgedAgain, LONG)
START: Final = Call("record", "StartReproduction", Nothing)
ANSWERED: Final = Call("record", "GetReproduction", Reproduced)
_KIB: Final = 1024
_MOST_SAID: Final = 500


class NotJudgedError(Exception):
    """There is no result to compare with."""


class NotReproducedError(Exception):
    """The worker that was named did not judge it; says why."""


class ReplaySubmission:
    def __init__(
        self,
        services: Services,
        read_result: Callable[[bytes], JudgeResult],
        read_manifest: Callable[[bytes], Manifest],
        new_id: Callable[[], UUID],
    ) -> None:
        """Reading raises DomainError."""
        self._services = services
        self._read_result = read_result
        self._read_manifest = read_manifest
        self._new_id = new_id

    async def __call__(
        self, submission_id: UUID, actor: Actor, worker: str | None = None
    ) -> ReplayedSubmission:
        """`worker`: the one that is to judge; otherwise any that calls reach."""
        found = await self._services.call(PINNED, actor=actor, submission_id=submission_id)
        pinned = found.submission
        if pinned.result is None:
            raise NotJudgedError
        again = await (
            self._judged_again(pinned, actor)
            if worker is None
            else self._judged_by(worker, submission_id, actor)
        )
        kept = await self._kept(submission_id, pinned.attempt_id, actor)
        before = Reached(pinned.result.verdict, tuple(_outcomes(pinned)), kept)
        return _view(submission_id, compare(before, self._after(again, worker)))

    def _after(self, again: JudgedAgain, worker: str | None) -> Reached:
        """A host elsewhere may answer anything, also in the name of another."""
        try:
            after = _reached(self._read_result(again.result), self._read_manifest(again.manifest))
        except DomainError as error:
            raise NotReproducedError(f"{worker or 'the judge'} answered what cannot be read") from error
        told = "" if after.manifest is None else after.manifest.host.worker
        if worker is not None and told != worker:
            raise NotReproducedError(f"{worker} answered in the name of another: {told[:_MOST_SAID]!r}")
        return after

    async def _judged_again(self, pinned: Pinned, actor: Actor) -> JudgedAgain:
        return await self._services.call(
            REPLAY,
            actor=actor,
            question_id=pinned.question_id,
            revision=pinned.question_revision,
            language=pinned.language,
            source=pinned.source,
        )

    async def _judged_by(self, worker: str, submission_id: UUID, actor: Actor) -> JudgedAgain:
        """Record tells the worker, which may stand where no call reaches it, and waits with us."""
        alive = (await self._services.call(WORKERS, actor=actor)).workers
        if worker not in {each.name for each in alive}:
            raise NotReproducedError(f"no worker called {worker} is alive")
        key = self._new_id()
        await self._services.call(
            START, actor=actor, reproduction_id=key, submission_id=submission_id, worker=worker
        )
        answer = None
        while answer is None:
            answer = (await self._services.call(ANSWERED, actor=actor, reproduction_id=key)).answer
        if answer.problem:
            raise NotReproducedError(f"{worker} did not judge it: {answer.problem[:_MOST_SAID]}")
        return answer

    async def _kept(self, submission_id: UUID, attempt: int, actor: Actor) -> Manifest | None:
        """Logs may be deleted, or never have been kept."""
        found = await self._services.optional(
            KEPT, actor=actor, submission_id=submission_id, attempt_id=attempt, log=Log.MANIFEST
        )
        if found is None:
            return None
        try:
            return self._read_manifest(found.content)
        except DomainError:
            # Written by a version that this one cannot read: as good as not kept.
            return None


def _outcomes(pinned: Pinned) -> Iterable[CaseOutcome]:
    for case in pinned.result.cases if pinned.result else ():
        yield CaseOutcome(case.name, case.verdict, case.time, case.memory_bytes)


def _reached(result: JudgeResult, manifest: Manifest) -> Reached:
    cases = (
        CaseOutcome(case.case, case.verdict, case.usage.time_ms, case.usage.memory_kib * _KIB)
        for case in result.cases
    )
    return Reached(result.verdict, tuple(cases), manifest)


def _view(submission_id: UUID, found: Reproduction) -> ReplayedSubmission:
    before, after = found.before.manifest, found.after.manifest
    return ReplayedSubmission(
        submission_id=str(submission_id),
        same=found.same,
        sentence=found.sentence,
        verdict_before=found.before.verdict,
        verdict_after=found.after.verdict,
        worker_before=None if before is None else before.host.worker,
        worker_after="" if after is None else after.host.worker,
        cases=[
            ReplayedCase(name=case.name, same=case.same, before=_run(case.before), after=_run(case.after))
            for case in found.cases
        ],
        differences=[
            ReplayDifference(what=each.what, before=each.before, after=each.after)
            for each in found.differences
        ],
    )


def _run(case: CaseOutcome | None) -> ReplayedRun | None:
    if case is None:
        return None
    return ReplayedRun(verdict=case.verdict, time=case.time_ms, memory_bytes=case.memory_bytes)
