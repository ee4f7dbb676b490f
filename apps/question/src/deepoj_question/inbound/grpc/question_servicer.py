"""The question service as other services see it."""

from __future__ import annotations

from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceServicer
from deepoj_question.inbound.grpc.inspect_calls import InspectCalls, InspectUseCases
from deepoj_question.inbound.grpc.package_calls import PackageCalls, PackageUseCases
from deepoj_question.inbound.grpc.read_calls import ReadingCalls, ReadingUseCases
from deepoj_question.inbound.grpc.write_calls import EditingCalls, EditingUseCases


class QuestionServicer(ReadingCalls, InspectCalls, EditingCalls, PackageCalls, QuestionServiceServicer):
    def __init__(
        self,
        reading: ReadingUseCases,
        inspecting: InspectUseCases,
        editing: EditingUseCases,
        packages: PackageUseCases,
    ) -> None:
        self._reading = reading
        self._inspecting = inspecting
        self._editing = editing
        self._packages = packages
