"""Packages on the local disk: received, unpacked and read, and removed in the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_packages.foreign.problem_set import RefusedProblem
from deepoj_packages.options import Dialect, ReadingLimits, ReadingOptions, Told
from deepoj_packages.options import Progress as ReadingProgress
from deepoj_packages.read_package import read_problems
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import ProblemSpec
from deepoj_question.commands.package_ports import (
    Package,
    PackageSet,
    Progress,
    RefusedPackage,
    Stage,
    Tell,
    Upload,
)
from deepoj_question.outbound.packages.judging_reader import Defaults
from deepoj_question.outbound.packages.revision_of_package import package_of
from deepoj_question.outbound.packages.work_directories import Rooms, in_thread

_ARCHIVE: Final = "archive"
_STEPS: Final = 100
_UNKNOWN_STEP: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagePolicy:
    archive_bytes: int
    limits: ReadingLimits
    defaults: Defaults


class LocalPackages:
    def __init__(self, rooms: Rooms, policy: PackagePolicy) -> None:
        self._rooms = rooms
        self._policy = policy

    @asynccontextmanager
    async def open(
        self, source: Upload | Path, dialect: Dialect, told: Told, tell: Tell
    ) -> AsyncIterator[PackageSet]:
        async with self._rooms.take() as room:
            archive = source
            if isinstance(archive, Upload):
                archive = await self._receive(archive, room / _ARCHIVE, tell)
            options = ReadingOptions(limits=self._policy.limits, dialect=dialect, told=told)
            yield await self._read(archive, room, options, tell)

    async def _read(self, archive: Path, room: Path, options: ReadingOptions, tell: Tell) -> PackageSet:
        loop = asyncio.get_running_loop()

        def pass_on(progress: Progress) -> None:
            loop.call_soon_threadsafe(tell, progress)

        def parse(check: Callable[[], None]) -> PackageSet:
            steps = _Steps(pass_on)

            def on_progress(progress: ReadingProgress) -> None:
                check()
                steps.told(Progress(Stage.READING, progress.done, progress.total))

            return self._parse(archive, room, replace(options, progress=on_progress))

        return await in_thread(parse)

    def _parse(self, archive: Path, room: Path, options: ReadingOptions) -> PackageSet:
        try:
            found = read_problems(archive, room / "package", options)
        except PackageRefusedError as error:
            raise refused(error) from error
        packages = tuple(
            self._package(problem, room / "made" / f"{number}")
            for number, problem in enumerate(found.problems)
        )
        match packages:
            case (RefusedPackage() as only,):
                raise only.why
            case _:
                return PackageSet(found.format, packages)

    def _package(self, problem: ProblemSpec | RefusedProblem, room: Path) -> Package | RefusedPackage:
        if isinstance(problem, RefusedProblem):
            why = InvalidValueError(f"package_{problem.reason}", problem.sentence)
            return RefusedPackage(problem.name, why)
        room.mkdir(parents=True)
        name = "" if problem.short_name == _ARCHIVE else problem.short_name
        try:
            return package_of(problem, name, self._policy.defaults, room)
        except PackageRefusedError as error:
            return RefusedPackage(problem.title, refused(error))
        except InvalidValueError as error:
            return RefusedPackage(problem.title, error)

    async def _receive(self, upload: Upload, path: Path, tell: Tell) -> Path:
        done, most = 0, self._policy.archive_bytes
        too_large = InvalidValueError("package_too_large", f"an archive has at most {most} bytes")
        if upload.size > most:
            raise too_large
        steps = _Steps(tell)
        with path.open("wb") as file:
            async for chunk in upload.chunks:
                done += len(chunk)
                if done > most:
                    raise too_large
                await asyncio.to_thread(file.write, chunk)
                steps.told(Progress(Stage.RECEIVING, done, upload.size))
        if upload.size and done != upload.size:
            raise InvalidValueError(
                "package_incomplete", f"{done} of {upload.size} bytes of the archive came"
            )
        return path


class _Steps:
    """Passes on every hundredth of the way, not every file."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._last = -1

    def told(self, progress: Progress) -> None:
        done, total = progress.done, progress.total
        step = done * _STEPS // total if total else done // _UNKNOWN_STEP
        if step != self._last:
            self._last = step
            self._tell(progress)


def refused(error: PackageRefusedError) -> InvalidValueError:
    return InvalidValueError(f"package_{error.reason}", error.sentence)
