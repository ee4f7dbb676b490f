"""The record service as people and other services see it."""

from __future__ import annotations

from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceServicer
from deepoj_record.inbound.grpc.count_calls import CountCalls, CountUseCases
from deepoj_record.inbound.grpc.mark_calls import MarkCalls, MarkUseCases
from deepoj_record.inbound.grpc.rejudge_calls import RejudgeCalls, RejudgeUseCases
from deepoj_record.inbound.grpc.submission_calls import SubmissionCalls, SubmissionUseCases


class RecordServicer(SubmissionCalls, RejudgeCalls, CountCalls, MarkCalls, RecordServiceServicer):
    def __init__(
        self,
        submissions: SubmissionUseCases,
        rejudges: RejudgeUseCases,
        counts: CountUseCases,
        marks: MarkUseCases,
    ) -> None:
        self._submissions = submissions
        self._rejudges = rejudges
        self._counts = counts
        self._marks = marks
