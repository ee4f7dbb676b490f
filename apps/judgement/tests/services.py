"""A question service that knows what a test has told it; question itself is another service."""

from collections.abc import Mapping
from uuid import uuid4

from deepoj_domain.documents import JUDGING
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import Checker, TokenChecker
from deepoj_domain.question.limits import Allowance
from deepoj_domain.question.revision import Judging
from deepoj_domain.question.suite import Group, Suite
from deepoj_kit.documents import Document
from deepoj_kit.grpc import Kind, refuse
from deepoj_kit.objects import ObjectStore
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceServicer

TOKENS = TokenChecker()
SUMS = {"1 2\n": "3\n", "5 6\n": "11\n"}


class Questions(QuestionServiceServicer):
    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects
        self._revisions: dict[str, list[Judging]] = {}
        self.asked = 0

    async def add(
        self,
        cases: Mapping[str, str] | None = None,
        *,
        checker: Checker = TOKENS,
        cpu_ms: int = 10_000,
        memory_mib: int = 256,
    ) -> str:
        """Store a question with such cases, from input to answer; return its id."""
        question_id = str(uuid4())
        self._revisions[question_id] = []
        await self.revise(question_id, cases, checker=checker, cpu_ms=cpu_ms, memory_mib=memory_mib)
        return question_id

    async def revise(
        self,
        question_id: str,
        cases: Mapping[str, str] | None = None,
        *,
        checker: Checker = TOKENS,
        cpu_ms: int = 10_000,
        memory_mib: int = 256,
    ) -> int:
        """Give the question a new revision; return its number."""
        allowance = Allowance(time_ms=cpu_ms, memory_bytes=memory_mib << 20, output_bytes=1 << 20)
        tests = [
            Case(str(number), "all", await self._object(given), await self._object(answer))
            for number, (given, answer) in enumerate((cases or SUMS).items(), start=1)
        ]
        suite = Suite((Group("all", Score.points(100)),), tuple(tests))
        self._revisions[question_id].append(Judging(allowance=allowance, suite=suite, checker=checker))
        return len(self._revisions[question_id])

    async def lose_data(self, question_id: str) -> None:
        for case in self._revisions[question_id][-1].suite.cases:
            await self._objects.delete(f"data/{case.input}")

    async def _object(self, text: str) -> ContentHash:
        key = await self._objects.put_content(text.encode(), prefix="data/")
        return ContentHash(key.removeprefix("data/"))

    async def GetJudgeSpec(  # noqa: N802 — gRPC's name
        self,
        request: question_pb2.GetJudgeSpecRequest,
        context: object,  # noqa: ARG002 — gRPC's signature
    ) -> question_pb2.GetJudgeSpecResponse:
        self.asked += 1
        revisions = self._revisions.get(request.question_id, [])
        if not 1 <= request.revision <= len(revisions):
            refuse(Kind.NOT_FOUND, "not_found", "no such revision")
        judging = revisions[request.revision - 1]
        document = Document(JUDGING, InvalidValueError).encode(judging)
        return question_pb2.GetJudgeSpecResponse(judge_hash=judging.hash, document=document)

    async def Get(  # noqa: N802 — gRPC's name
        self,
        request: question_pb2.GetRequest,
        context: object,  # noqa: ARG002 — gRPC's signature
    ) -> question_pb2.GetResponse:
        revisions = self._revisions.get(request.question_id)
        if revisions is None:
            refuse(Kind.NOT_FOUND, "not_found", "no such question")
        question = question_pb2.Question(id=request.question_id, enabled=True, revision=len(revisions))
        return question_pb2.GetResponse(question=question)
