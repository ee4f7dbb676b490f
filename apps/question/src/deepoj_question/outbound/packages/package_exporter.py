"""A revision as an archive of a package."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from deepoj_domain.question.listing import Listing
from deepoj_domain.question.revision import RevisionContent
from deepoj_languages.scripts import BUILD, RUN
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.exporting.kept import ARGUMENTS, with_arguments, with_kept
from deepoj_packages.options import ExportFormat
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import ProblemSpec
from deepoj_question.outbound.objects.contents import ContentStore
from deepoj_question.outbound.packages.description import describe
from deepoj_question.outbound.packages.work_directories import Rooms, in_thread
from deepoj_question.queries.export_package import Packing, UnsayableError

_CHUNK: Final = 256 * 1024


class PackageExporter:
    def __init__(self, rooms: Rooms, store: ContentStore) -> None:
        self._rooms = rooms
        self._store = store

    async def export(
        self, listing: Listing, content: RevisionContent, packing: Packing
    ) -> AsyncGenerator[bytes, None]:
        async with self._rooms.take() as room:
            try:
                packed = await self._pack(room, listing, content, packing)
            except PackageRefusedError as error:
                raise UnsayableError(error.sentence) from error
            with packed.open("rb") as file:
                while chunk := await asyncio.to_thread(file.read, _CHUNK):
                    yield chunk

    async def _pack(self, room: Path, listing: Listing, content: RevisionContent, packing: Packing) -> Path:
        source, extras = room / "source", room / "extras"
        found = describe(source, listing, content)
        wanted = {source / path: each for path, each in found.objects.items()}
        wanted |= {extras / each.path: each.content for each in content.extras}
        for path in (*wanted, *(source / path for path in found.texts)):
            path.parent.mkdir(parents=True, exist_ok=True)
        await self._store.download(wanted)
        for text_path, text in found.texts.items():
            (source / text_path).write_text(text, encoding="utf-8", newline="")
        return await in_thread(lambda _: _archive(room, _told(found.spec, extras), extras, packing))


def _told(spec: ProblemSpec, extras: Path) -> ProblemSpec:
    """Take out of the extras what is written elsewhere in a package."""
    arguments = extras / ARGUMENTS
    if not arguments.exists():
        return spec
    text = arguments.read_text(encoding="utf-8")
    arguments.unlink()
    return with_arguments(spec, text)


def _archive(room: Path, spec: ProblemSpec, extras: Path, packing: Packing) -> Path:
    """Pack a directory that is named as the problem, as the formats want it."""
    packages = room / "packages"
    directory = packages / spec.short_name
    extras.mkdir(exist_ok=True)
    # An object has no mode, and other judges execute these.
    for script in (path for path in extras.rglob("*") if path.name in {BUILD, RUN} and path.is_file()):
        script.chmod(0o755)
    if packing.format is ExportFormat.V2025_09:
        export_directory(spec, directory)
        # They lie as this format has them, also those that we cannot read.
        shutil.copytree(extras, directory, dirs_exist_ok=True)
    else:
        shutil.copytree(extras, spec.root, dirs_exist_ok=True)
        export_directory(with_kept(spec), directory, packing.format)
    return Path(shutil.make_archive(str(room / "package"), packing.archive, packages, spec.short_name))
