"""The specs of one package: the judge asks for them as it asks for revisions."""

from dataclasses import dataclass, field
from uuid import UUID

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_judgement.commands.judge.errors import UnknownRevisionError
from deepoj_judgement.commands.judge.spec import JudgeSpec


@dataclass(slots=True)
class ProblemVariants:
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
