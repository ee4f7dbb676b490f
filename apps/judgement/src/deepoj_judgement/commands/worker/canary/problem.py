"""The problem that known solutions are judged by: one case for each kind of ending."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import TokenChecker
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import Group, StopPolicy, Suite
from deepoj_judgement.commands.judge.errors import UnknownRevisionError
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_languages.canaries import Canary, canary_says

# Far more than any host needs: a canary that is late is one that something keeps from running.
_LIMITS: Final = Limits(cpu_ms=10_000, memory_kib=256 * 1024, output_kib=64)
_ENDLESS_MS: Final = 200
_FEW: Final = 1000
_QUESTION: Final = QuestionId(UUID(int=0))
_MEASURED: Final = ("right 1", "right 2", "right 3")
"""The same three times: the fastest says how fast the host can be."""
_EXPECTED: Final = {
    **dict.fromkeys(_MEASURED, Verdict.ACCEPTED),
    "wrong": Verdict.WRONG_ANSWER,
    "bad end": Verdict.RUNTIME_ERROR,
    "endless": Verdict.TIME_LIMIT,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What judging a canary came to."""

    wrong: str
    """What is not as it should be, empty when all is."""
    cpu_ms: int


class CanaryProblem:
    """Stands for question and for the store of test data."""

    def __init__(self, canary: Canary) -> None:
        self.revision = RevisionRef(_QUESTION, 1)
        self.contents: dict[ContentHash, bytes] = {}
        numbers = dict.fromkeys(_MEASURED, canary.rounds) | {"wrong": _FEW, "bad end": 0, "endless": -1}
        cases = tuple(self._case(name, number) for name, number in numbers.items())
        suite = Suite((Group("all", Score.points(1)),), cases, StopPolicy.RUN_ALL)
        self._spec = JudgeSpec(suite=suite, limits=_LIMITS, checker=TokenChecker())

    async def get(self, revision: RevisionRef) -> JudgeSpec:
        if revision != self.revision:
            raise UnknownRevisionError(revision)
        return self._spec

    def _case(self, name: str, number: int) -> Case:
        right = canary_says(number) if number > 0 else 0
        answer = right + 1 if name == "wrong" else right
        given, expected = self._content(number), self._content(answer)
        return Case(name, "all", given, expected, time_ms=_ENDLESS_MS if name == "endless" else 0)

    def _content(self, number: int) -> ContentHash:
        text = f"{number}\n".encode()
        self.contents[hash_of(text)] = text
        return hash_of(text)


def read(result: JudgeResult) -> Reading:
    measured = [case.usage.time_ms for case in result.cases if case.case in _MEASURED]
    return Reading("; ".join(_surprises(result)), min(measured, default=0))


def _surprises(result: JudgeResult) -> Iterator[str]:
    if not result.cases:
        yield f"{result.verdict}: {result.message[:200].strip() or 'no case was run'}"
        return
    found: Mapping[str, Verdict | None] = {case.case: case.verdict for case in result.cases}
    for name, expected in _EXPECTED.items():
        if found.get(name) is not expected:
            yield f"case {name!r} is {found.get(name) or 'missing'} and not {expected}"
