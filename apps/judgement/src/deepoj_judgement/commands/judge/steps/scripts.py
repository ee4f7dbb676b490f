"""Programs of packages that say with scripts how they are built and run."""

import tarfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import PurePosixPath

from deepoj_judgement.commands.judge.program import CompileFailed, Program
from deepoj_judgement.commands.judge.sandbox_port import Blob
from deepoj_languages.scripts import ARCHIVE, BUILD, RUN

MOST_FILES = 1000
_NO_SCRIPTS = f"a program with scripts has a file {RUN}, or a file {BUILD} that makes one\n"


class _UnfitError(Exception):
    """What a script left cannot be kept."""


def lacks_scripts(files: Mapping[str, bytes]) -> CompileFailed | None:
    return None if BUILD in files or RUN in files else CompileFailed(_NO_SCRIPTS.encode())


def unpack(made: Program) -> Program | CompileFailed:
    """Return the program that is all a build script left; nothing in its archive is believed."""
    log = made.log
    try:
        files = dict(_members(_read(made.files[ARCHIVE])))
    except (tarfile.TarError, ValueError, _UnfitError) as error:
        return CompileFailed(log + f"what {BUILD} left cannot be kept: {error}\n".encode())
    if RUN not in files:
        return CompileFailed(log + f"{BUILD} made no file {RUN}\n".encode())
    return Program(files, RUN, log)


def _read(archive: Blob | bytes) -> bytes:
    return archive if isinstance(archive, bytes) else archive.path.read_bytes()


def _members(archive: bytes) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=BytesIO(archive), mode="r:") as opened:
        found = 0
        for member in opened:
            if not member.isreg():
                continue
            found += 1
            if found > MOST_FILES:
                raise _UnfitError(f"more than {MOST_FILES} files")
            yield _name(member), _content(opened, member, len(archive))


def _name(member: tarfile.TarInfo) -> str:
    path = PurePosixPath(member.name)
    name = str(path)
    if not path.parts or path.is_absolute() or ".." in path.parts or not name.isprintable() or "\\" in name:
        raise _UnfitError(f"the name {name[:40]!a} is not allowed here")
    return name


def _content(opened: tarfile.TarFile, member: tarfile.TarInfo, most: int) -> bytes:
    # Only holes make a file larger than the archive it lies in.
    if member.issparse() or member.size > most:
        raise _UnfitError(f"{member.name[:40]!a} has holes")
    content = opened.extractfile(member)
    return b"" if content is None else content.read()
