"""The ports of judging for one package on one machine: nothing is remembered, nothing is kept."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from deepoj_domain.judgement.judgement import Judgement, JudgementKey
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_judgement.commands.failing import UnknownRevisionError
from deepoj_judgement.commands.ports import JudgeLogs
from deepoj_judgement.commands.running import RunRef, RunReport
from deepoj_judgement.commands.spec import JudgeSpec


@dataclass(slots=True)
class LocalSpecs:
    """One problem in the variants it is judged in, each a revision of its own."""

    question_id: QuestionId = field(default_factory=lambda: QuestionId(UUID(int=0)))
    specs: list[JudgeSpec] = field(default_factory=list)

    def add(self, spec: JudgeSpec) -> RevisionRef:
        if spec not in self.specs:
            self.specs.append(spec)
        return RevisionRef(self.question_id, self.specs.index(spec) + 1)

    async def get(self, revision: RevisionRef) -> JudgeSpec:
        if not 1 <= revision.number <= len(self.specs):
            raise UnknownRevisionError(revision)
        return self.specs[revision.number - 1]


class NoCache:
    async def find(self, key: JudgementKey) -> JudgeResult | None:
        del key
        return None

    async def store(self, judgement: Judgement, *, instead: bool = False) -> None:
        del judgement, instead


class NoLogs:
    def prefix(self, ref: RunRef) -> str:
        del ref
        return ""

    async def store(self, logs: JudgeLogs, result: JudgeResult) -> None:
        del logs, result


class RunCounter:
    """Tells how many runs there were; whoever judges says what they are for."""

    def __init__(self) -> None:
        self.on_run: Callable[[], None] = lambda: None

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        del name
        yield

    def executed(self, report: RunReport) -> None:
        del report
        self.on_run()

    def cache(self, *, hit: bool) -> None:
        del hit

    def judged(self, result: JudgeResult) -> None:
        del result
