"""A canary through the real judge of this worker, after its jobs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.commands.judge.errors import JudgingFailedError
from deepoj_judgement.commands.judge.judge import Judged, JudgeOne, JudgeOrder
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.worker.canary.ports import CanaryFailedError, CanarySkippedError
from deepoj_judgement.commands.worker.canary.problem import CanaryProblem, Reading, read
from deepoj_judgement.commands.worker.slots import HostBusyError, Slots
from deepoj_languages.canaries import Canary, canary_of

_PATIENCE_SECONDS: Final = 60.0


class MakeJudge(Protocol):
    def __call__(self, problem: CanaryProblem, *, alone: bool) -> JudgeOne:
        """Make a judge that knows this problem only, and judges alone on the host if told so."""
        ...


@dataclass(frozen=True, slots=True)
class SingCanary:
    slots: Slots
    judge: MakeJudge
    new_id: Callable[[], UUID]

    async def __call__(self, toolchain: Toolchain, *, alone: bool) -> Reading:
        canary = canary_of(toolchain.language.slug)
        if canary is None:
            raise CanarySkippedError
        try:
            judged = await self.slots.call(
                lambda: self._judged(canary, toolchain, alone=alone), patience=_PATIENCE_SECONDS
            )
        except HostBusyError as error:
            raise CanarySkippedError from error
        except JudgingFailedError as error:
            raise CanaryFailedError(str(error)) from error
        return read(judged.result)

    async def _judged(self, canary: Canary, toolchain: Toolchain, *, alone: bool) -> Judged:
        problem = CanaryProblem(canary)
        order = JudgeOrder(
            ref=RunRef(str(self.new_id()), 0),
            revision=problem.revision,
            language=toolchain.language.slug,
            source=SourceCode.parse(canary.source),
        )
        return await self.judge(problem, alone=alone)(order)
