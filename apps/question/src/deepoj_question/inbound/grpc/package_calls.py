"""ImportPackage and ExportPackage."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.question.listing import question_slug
from deepoj_kit.grpc import signed_in
from deepoj_packages.options import Dialect
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.commands.import_package import (
    Imported,
    ImportPackage,
    ImportRequest,
    Unimported,
)
from deepoj_question.commands.package_ports import Progress, Stage, Upload
from deepoj_question.inbound.grpc import decode, encode
from deepoj_question.inbound.grpc.refusals import raise_refusal, sentence_of
from deepoj_question.inbound.grpc.write_calls import shown
from deepoj_question.queries.export_package import ArchiveFormat, ExportPackage

_DIALECTS: Final[Mapping[int, Dialect]] = {
    pb.SCORING_DIALECT_UNSPECIFIED: Dialect.KATTIS,
    pb.SCORING_DIALECT_KATTIS: Dialect.KATTIS,
    pb.SCORING_DIALECT_DOMJUDGE: Dialect.DOMJUDGE,
}
_ARCHIVES: Final[Mapping[int, ArchiveFormat]] = {
    pb.ARCHIVE_FORMAT_UNSPECIFIED: ArchiveFormat.ZIP,
    pb.ARCHIVE_FORMAT_ZIP: ArchiveFormat.ZIP,
    pb.ARCHIVE_FORMAT_TAR: ArchiveFormat.TAR,
}
_STAGES: Final = {stage: pb.ImportStage.Value(f"IMPORT_STAGE_{stage.name}") for stage in Stage}


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
                    yield _progress(event)
                else:
                    yield _done(event)

    async def ExportPackage(
        self, request: pb.ExportPackageRequest, context: object
    ) -> AsyncIterator[pb.ExportPackageResponse]:
        found = await self._packages.export_package(
            decode.actor(request.actor),
            decode.question_id(request.question_id),
            request.revision,
            decode.enum(_ARCHIVES, request.format, "format"),
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        async with aclosing(found) as chunks:
            async for chunk in chunks:
                yield pb.ExportPackageResponse(chunk=chunk)


def _request(header: pb.ImportHeader, requests: AsyncIterator[pb.ImportPackageRequest]) -> ImportRequest:
    # What the archive is shows in its first bytes; a value we do not know is refused all the same.
    decode.enum(_ARCHIVES, header.format, "format")
    return ImportRequest(
        actor=signed_in(decode.actor(header.actor)),
        source=Upload(_chunks(requests), header.size),
        question_id=decode.question_id(header.question_id) if header.question_id else None,
        slug=question_slug(header.slug) if header.slug else None,
        dialect=decode.enum(_DIALECTS, header.dialect, "dialect"),
        dry_run=header.dry_run,
    )


async def _chunks(requests: AsyncIterator[pb.ImportPackageRequest]) -> AsyncIterator[bytes]:
    async for request in requests:
        if request.WhichOneof("part") != "chunk":
            raise InvalidValueError("chunk_missing", "after the header only chunks follow")
        yield request.chunk


def _progress(progress: Progress) -> pb.ImportPackageResponse:
    stage = _STAGES[progress.stage]
    return pb.ImportPackageResponse(
        progress=pb.ImportProgress(stage=stage, done=progress.done, total=progress.total)
    )


def _done(imported: Imported) -> pb.ImportPackageResponse:
    done = pb.ImportDone(
        question=shown(imported.outcome),
        objects_uploaded=imported.stored.uploaded,
        objects_already_there=imported.stored.already_there,
        warnings=[each.text for each in imported.messages],
        messages=map(encode.message, imported.messages),
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
