"""The record service as people and other services see it."""

from __future__ import annotations

import grpc

from deepoj_proto.record.v1.record_pb2_grpc import (
    RecordServiceServicer,
    add_RecordServiceServicer_to_server,
    add_WorkerServiceServicer_to_server,
)
from deepoj_record.inbound.grpc.count_calls import CountCalls, CountUseCases, MarkCalls, MarkUseCases
from deepoj_record.inbound.grpc.host_calls import HostCalls, HostUseCases
from deepoj_record.inbound.grpc.rejudge_calls import RejudgeCalls, RejudgeUseCases
from deepoj_record.inbound.grpc.submission_calls import SubmissionCalls, SubmissionUseCases
from deepoj_record.inbound.grpc.worker_servicer import WorkerServicer


class RecordServicer(SubmissionCalls, RejudgeCalls, CountCalls, MarkCalls, HostCalls, RecordServiceServicer):
    def __init__(
        self,
        submissions: SubmissionUseCases,
        rejudges: RejudgeUseCases,
        counts: CountUseCases,
        marks: MarkUseCases,
        hosts: HostUseCases,
    ) -> None:
        self._submissions = submissions
        self._rejudges = rejudges
        self._counts = counts
        self._marks = marks
        self._hosts = hosts


def register(server: grpc.aio.Server, record: RecordServicer, worker: WorkerServicer) -> None:
    add_RecordServiceServicer_to_server(record, server)
    add_WorkerServiceServicer_to_server(worker, server)
