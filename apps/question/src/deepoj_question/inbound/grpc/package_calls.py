"""ImportPackage and ExportPackage."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_kit.grpc import Kind, refuse, signed_in
from deepoj_packages.options import Dialect, ExportFormat, Told
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.commands.import_package import (
    Imported,
    ImportPackage,
    ImportRequest,
    Unimported,
)
from deepoj_question.commands.package_ports import Progress, Upload
from deepoj_question.inbound.grpc import mapper
from deepoj_question.inbound.grpc.refusals import raise_refusal, sentence_of
from deepoj_question.inbound.grpc.write_calls import shown
from deepoj_question.queries.export_package import (
    ArchiveFormat,
    ExportPackage,
    Packing,
    UnsayableError,
)


@dataclass(frozen=True, slots=True)
class PackageUseCases:
    import_package: ImportPackage
    export_package: ExportPackage


class PackageCalls:
    _packages: PackageUseCases

    async def ImportPackage(
        self, request_iterator: AsyncIterator[pb.ImportPackageRequest], context: object
    ) -> AsyncIterator[pb.ImportPackageResponse]:
        first = await anext(request_iterator, pb.ImportPackageRequest())
        if first.WhichOneof("part") != "header":
            raise InvalidValueError("header_missing", "the first message is the header")
        request = _request(first.header, request_iterator)
        async with aclosing(self._packages.import_package(request)) as events:
            async for event in events:
                if isinstance(event, Progress):
                    yield pb.ImportPackageResponse(progress=mapper.progress(event))
                else:
                    yield _done(event)

    async def ExportPackage(
        self, request: pb.ExportPackageRequest, context: object
    ) -> AsyncIterator[pb.ExportPackageResponse]:
        found = await self._packages.export_package(
            mapper.actor(request.actor),
            mapper.question_id(request.question_id),
            request.revision,
            Packing(
                format=mapper.export_format(request) or ExportFormat.V2025_09,
                archive=mapper.export_archive(request) or ArchiveFormat.ZIP,
            ),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        try:
            async with aclosing(found) as chunks:
                async for chunk in chunks:
                    yield pb.ExportPackageResponse(chunk=chunk)
        except UnsayableError as error:
            refuse(Kind.PRECONDITION, "package_unsupported", str(error))


def _request(header: pb.ImportHeader, requests: AsyncIterator[pb.ImportPackageRequest]) -> ImportRequest:
    # What the archive is shows in its first bytes; a value we do not know is refused all the same.
    mapper.import_format(header)
    return ImportRequest(
        actor=signed_in(mapper.actor(header.actor)),
        source=Upload(_chunks(requests), header.size),
        question_id=mapper.import_id(header),
        slug=mapper.import_slug(header),
        dialect=mapper.import_dialect(header) or Dialect.KATTIS,
        told=Told(title=header.title, time_ms=header.time_ms or None, memory_mib=header.memory_mib or None),
        dry_run=header.dry_run,
    )


async def _chunks(requests: AsyncIterator[pb.ImportPackageRequest]) -> AsyncIterator[bytes]:
    async for request in requests:
        if request.WhichOneof("part") != "chunk":
            raise InvalidValueError("chunk_missing", "after the header only chunks follow")
        yield request.chunk


def _done(imported: Imported) -> pb.ImportPackageResponse:
    done = pb.ImportDone(
        question=shown(imported.outcome),
        objects_uploaded=imported.stored.uploaded,
        objects_already_there=imported.stored.already_there,
        warnings=[each.text for each in imported.messages],
        messages=map(mapper.message, imported.messages),
        format=imported.format,
        problems=(
            pb.ImportedProblem(
                id=str(each.id),
                slug=each.listing.slug,
                title=each.current.content.presentation.statements[0].title,
                revision=each.current.ref.number,
            )
            for each in imported.taken
        ),
        left_out=map(_left_out, imported.left_out),
    )
    return pb.ImportPackageResponse(done=done)


def _left_out(problem: Unimported) -> pb.LeftOutProblem:
    why = problem.why
    if isinstance(why, Refused):
        return pb.LeftOutProblem(name=problem.name, code=why.reason, message=sentence_of(why)[1])
    return pb.LeftOutProblem(name=problem.name, code=why.code, message=str(why))
