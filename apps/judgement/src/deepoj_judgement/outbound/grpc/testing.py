"""A question service that knows what a test has told it; question itself is another service."""

from collections.abc import Mapping
from uuid import uuid4

from deepoj_kit.grpc import Kind, refuse
from deepoj_kit.objects import ObjectStore
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceServicer

TOKENS = question_pb2.Checker(builtin=question_pb2.BuiltinChecker(mode=question_pb2.BUILTIN_MODE_TOKENS))
SUMS = {"1 2\n": "3\n", "5 6\n": "11\n"}


class Questions(QuestionServiceServicer):
    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects
        self._revisions: dict[str, list[question_pb2.GetJudgeSpecResponse]] = {}
        self.asked = 0

    async def add(
        self,
        cases: Mapping[str, str] | None = None,
        *,
        checker: question_pb2.Checker = TOKENS,
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
        checker: question_pb2.Checker = TOKENS,
        cpu_ms: int = 10_000,
        memory_mib: int = 256,
    ) -> int:
        """Give the question a new revision; return its number."""
        spec = question_pb2.JudgeSpec(checker=checker, stop_at_first_failure=True)
        for number, (given, answer) in enumerate((cases or SUMS).items(), start=1):
            given_ref, answer_ref = await self._object(given), await self._object(answer)
            spec.cases.append(question_pb2.Case(name=str(number), input=given_ref, answer=answer_ref))
        limits = question_pb2.Limits(memory_bytes=memory_mib << 20, output_bytes=1 << 20)
        limits.time.FromMilliseconds(cpu_ms)
        self._revisions[question_id].append(question_pb2.GetJudgeSpecResponse(spec=spec, limits=limits))
        return len(self._revisions[question_id])

    async def lose_data(self, question_id: str) -> None:
        for case in self._revisions[question_id][-1].spec.cases:
            await self._objects.delete(f"data/{case.input.sha256}")

    async def _object(self, text: str) -> question_pb2.ObjectRef:
        key = await self._objects.put_content(text.encode(), prefix="data/")
        return question_pb2.ObjectRef(sha256=key.removeprefix("data/"), size=len(text))

    async def GetJudgeSpec(  # noqa: N802 — gRPC's name
        self,
        request: question_pb2.GetJudgeSpecRequest,
        context: object,  # noqa: ARG002 — gRPC's signature
    ) -> question_pb2.GetJudgeSpecResponse:
        self.asked += 1
        revisions = self._revisions.get(request.question_id, [])
        if not 1 <= request.revision <= len(revisions):
            refuse(Kind.NOT_FOUND, "not_found", "no such revision")
        return revisions[request.revision - 1]

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
