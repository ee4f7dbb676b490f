"""A revision as an archive of a package of version 2025-09."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from deepoj_domain.question.listing import Listing
from deepoj_domain.question.revision import RevisionContent
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.exporting.kept import ARGUMENTS, with_arguments
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import ProblemSpec
from deepoj_question.outbound.objects.contents import ContentStore
from deepoj_question.outbound.packages.description import describe
from deepoj_question.outbound.packages.local_packages import refused
from deepoj_question.outbound.packages.work_directories import Rooms, in_thread
from deepoj_question.queries.export_package import ArchiveFormat

_CHUNK: Final = 256 * 1024


class PackageExporter:
    def __init__(self, rooms: Rooms, store: ContentStore) -> None:
        self._rooms = rooms
        self._store = store

    async def export(
        self, listing: Listing, content: RevisionContent, archive: ArchiveFormat
    ) -> AsyncGenerator[bytes, None]:
        async with self._rooms.take() as room:
            try:
                packed = await self._pack(room, listing, content, archive)
            except PackageRefusedError as error:
                raise refused(error) from error
            with packed.open("rb") as file:
                while chunk := await asyncio.to_thread(file.read, _CHUNK):
                    yield chunk

    async def _pack(
        self, room: Path, listing: Listing, content: RevisionContent, archive: ArchiveFormat
    ) -> Path:
        source, extras = room / "source", room / "extras"
        found = describe(source, listing, content)
        wanted = {source / path: each for path, each in found.objects.items()}
        wanted |= {extras / each.path: each.content for each in content.extras}
        for path in (*wanted, *(source / path for path in found.texts)):
            path.parent.mkdir(parents=True, exist_ok=True)
        await self._store.download(wanted)
        for text_path, text in found.texts.items():
            (source / text_path).write_text(text, encoding="utf-8", newline="")
        return await in_thread(lambda _: _archive(room, _told(found.spec, extras), extras, archive))


def _told(spec: ProblemSpec, extras: Path) -> ProblemSpec:
    """Take out of the extras what is written elsewhere in a package."""
    arguments = extras / ARGUMENTS
    if not arguments.exists():
        return spec
    text = arguments.read_text(encoding="utf-8")
    arguments.unlink()
    return with_arguments(spec, text)


def _archive(room: Path, spec: ProblemSpec, extras: Path, archive: ArchiveFormat) -> Path:
    """Pack a directory that is named as the problem, as the format wants it."""
    packages = room / "packages"
    export_directory(spec, packages / spec.short_name)
    if extras.exists():
        shutil.copytree(extras, packages / spec.short_name, dirs_exist_ok=True)
    return Path(shutil.make_archive(str(room / "package"), archive, packages, spec.short_name))
