"""The package of a revision, exported by question to a directory of its own."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import grpc

from deepoj_domain.kernel.role import Actor
from deepoj_judgement.commands.setter.verify_revision import RevisionOrder
from deepoj_kit.grpc.mapping import Mapper
from deepoj_packages.read_package import read_package
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import ProblemSpec
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub

# More than an import takes: it may have been packed less tightly than the one that was sent.
_MOST_BYTES: Final = 1024 * 1024 * 1024
_actor: Final = Mapper().writer(Actor, common_pb2.Actor)


class GrpcPackages:
    def __init__(self, channel: grpc.aio.Channel, directory: Path) -> None:
        self._calls = QuestionServiceStub(channel)
        self._directory = directory

    @asynccontextmanager
    async def fetched(self, order: RevisionOrder) -> AsyncIterator[ProblemSpec]:
        room = Path(tempfile.mkdtemp(prefix="verify-", dir=self._directory))
        try:
            archive = room / "package.zip"
            await self._export(order, archive)
            package = await asyncio.to_thread(read_package, archive, room / "package")
            archive.unlink()
            yield package
        finally:
            await asyncio.to_thread(shutil.rmtree, room, ignore_errors=True)

    async def _export(self, order: RevisionOrder, archive: Path) -> None:
        request = pb.ExportPackageRequest(
            actor=_actor(order.actor),
            question_id=str(order.question_id),
            revision=order.revision,
            format=pb.ARCHIVE_FORMAT_ZIP,
        )
        size = 0
        with archive.open("wb") as opened:
            async for part in self._calls.ExportPackage(request):
                size += len(part.chunk)
                if size > _MOST_BYTES:
                    raise PackageRefusedError(Reason.TOO_LARGE, "the package is too large to be verified")
                opened.write(part.chunk)
