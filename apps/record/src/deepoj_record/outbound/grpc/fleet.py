"""The judge hosts that take jobs, which judgement knows."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

import grpc

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.submission.route import Abilities
from deepoj_kit.grpc import RemoteError
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.judgement.v1.judgement_pb2_grpc import JudgementServiceStub
from deepoj_record.queries.explain import Host

_log = logging.getLogger(__name__)
_SERVICE: Final = common_pb2.Actor(role=common_pb2.ROLE_ADMIN)


class GrpcFleet:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._judgement = JudgementServiceStub(channel)

    async def hosts(self) -> Sequence[Host] | None:
        try:
            answer = await self._judgement.ListWorkers(judgement_pb2.ListWorkersRequest(actor=_SERVICE))
        except RemoteError as error:
            _log.info("which judge hosts are alive is not known: %s", error)
            return None
        return [Host(each.name, _abilities(each)) for each in answer.workers if not each.held_back]


def _abilities(worker: judgement_pb2.Worker) -> Abilities:
    return Abilities(languages=frozenset(map(language_slug, worker.languages)), memory_mib=worker.memory_mib)
