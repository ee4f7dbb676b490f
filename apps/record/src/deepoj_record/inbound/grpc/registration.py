"""Both services on one server."""

from __future__ import annotations

import grpc

from deepoj_proto.record.v1.record_pb2_grpc import (
    add_RecordServiceServicer_to_server,
    add_WorkerServiceServicer_to_server,
)
from deepoj_record.inbound.grpc.record_servicer import RecordServicer
from deepoj_record.inbound.grpc.worker_servicer import WorkerServicer


def register(server: grpc.aio.Server, record: RecordServicer, worker: WorkerServicer) -> None:
    add_RecordServiceServicer_to_server(record, server)
    add_WorkerServiceServicer_to_server(worker, server)
