"""A submission judged again because an operator asks this worker for it: apart, and after all jobs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol
from uuid import UUID

from deepoj_domain.judgement.manifest import Manifest
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.commands.judge.errors import JudgingFailedError
from deepoj_judgement.commands.judge.judge import JudgeOne, JudgeOrder
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.commands.worker.slots import HostBusyError, Slots

_MOST_SOURCE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Reproduction:
    reproduction_id: str
    revision: RevisionRef
    language: str
    source: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reproduced:
    result: JudgeResult
    manifest: Manifest | None


class Answer(Protocol):
    async def __call__(self, reproduction_id: str, answer: Reproduced | str) -> None:
        """Tell what came of it, or why nothing did; raise RecordsFailedError."""
        ...


@dataclass(frozen=True, slots=True)
class Reproduce:
    judge: JudgeOne
    """Keeps nothing."""
    slots: Slots
    answer: Answer
    refusal: Callable[[], str]
    """Why nothing is to be judged here, empty when it is."""
    new_id: Callable[[], UUID]

    async def __call__(self, asked: Reproduction) -> None:
        await self.answer(asked.reproduction_id, self.refusal() or await self._judged(asked))

    async def _judged(self, asked: Reproduction) -> Reproduced | str:
        try:
            order = JudgeOrder(
                ref=RunRef(str(self.new_id()), 0),
                revision=asked.revision,
                language=language_slug(asked.language),
                source=SourceCode.parse(asked.source, _MOST_SOURCE),
            )
            judged = await self.slots.call(lambda: self.judge(order))
        except (HostBusyError, InvalidValueError, JudgingFailedError) as error:
            return str(error)
        return Reproduced(judged.result, None if judged.logs is None else judged.logs.manifest)
