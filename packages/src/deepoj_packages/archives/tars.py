"""Unpack a tar, plain or compressed, in one pass from front to back."""

import bz2
import gzip
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from deepoj_packages.archives.damage import damage_refused
from deepoj_packages.archives.guard import too_large
from deepoj_packages.archives.links import expand, leaves, lexical_target
from deepoj_packages.archives.names import safe_path
from deepoj_packages.archives.writer import Writer
from deepoj_packages.options import ReadingLimits
from deepoj_packages.refusal import PackageRefusedError, Reason

_GZIP = b"\x1f\x8b"
_BZIP2 = b"BZh"
_XZ = b"\xfd7zXZ\x00"
_USTAR_AT = 257
_EXECUTABLE = 0o100
# tarfile keeps the extended headers of an entry whole; ours hold names and are small.
_LARGEST_HEADERS = 1024 * 1024


def is_tar(head: bytes) -> bool:
    return head.startswith((_GZIP, _BZIP2, _XZ)) or head[_USTAR_AT : _USTAR_AT + 5] == b"ustar"


def unpack_tar(archive: Path, writer: Writer, limits: ReadingLimits) -> None:
    unpacking = _Unpacking(writer, limits)
    with damage_refused(), _decompressed(archive) as stream:
        bounded = _Bounded(stream)
        file = cast("BinaryIO", bounded)
        with tarfile.open(fileobj=file, mode="r:", encoding="utf-8", errors="strict") as tar:
            for member in tar:
                with bounded.content():
                    unpacking.take(tar, member)
    unpacking.finish()


class _Unpacking:
    def __init__(self, writer: Writer, limits: ReadingLimits) -> None:
        self._writer = writer
        self._limits = limits
        self._files: set[PurePosixPath] = set()
        self._links: dict[PurePosixPath, PurePosixPath] = {}
        self._entries = 0

    def take(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        # Counted before anything else: tarfile remembers every entry, also those that name nothing.
        self._entries += 1
        if self._entries > self._limits.files:
            raise too_large(f"the package has more than {self._limits.files} entries")
        path = safe_path(member.name, self._limits)
        if path is None:
            return
        if self._links.keys() & set(path.parents):
            raise PackageRefusedError(Reason.UNSAFE_ENTRY, f"{path} would be written through a link")
        if member.isdir():
            self._writer.directory(path)
        elif member.issym():
            self._links[path] = lexical_target(path, member.linkname)
        elif member.islnk():
            self._links[path] = safe_path(member.linkname, self._limits) or path
        elif member.isreg() and not member.issparse():
            self._write(tar, member, path)
        else:
            raise PackageRefusedError(Reason.UNSAFE_ENTRY, f"{path} is neither a file nor a directory")

    def _write(self, tar: tarfile.TarFile, member: tarfile.TarInfo, path: PurePosixPath) -> None:
        content = tar.extractfile(member)
        if content is None:
            raise leaves(path)
        executable = bool(member.mode & _EXECUTABLE)
        self._writer.file(path, content, member.size, executable=executable)
        self._files.add(path)

    def finish(self) -> None:
        for name, target in expand(self._links, frozenset(self._files)):
            self._writer.same(name, target)


@contextmanager
def _decompressed(archive: Path) -> Iterator[BinaryIO]:
    with archive.open("rb") as packed:
        head = packed.read(len(_XZ))
        packed.seek(0)
        if head.startswith(_XZ):
            # Its header may ask for gigabytes of memory, and the library offers no bound.
            raise PackageRefusedError(Reason.BROKEN_ARCHIVE, "xz archives are not taken: use gzip or zip")
        if head.startswith(_GZIP):
            with gzip.open(packed) as plain:
                yield cast("BinaryIO", plain)
        elif head.startswith(_BZIP2):
            with bz2.open(packed) as unpacked:
                yield cast("BinaryIO", unpacked)
        else:
            yield packed


class _Bounded:
    """A file whose headers are refused before they would fill the memory, in one piece or in many."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left: int | None = _LARGEST_HEADERS

    @contextmanager
    def content(self) -> Iterator[None]:
        """What is read of a file is counted elsewhere; then come the headers of the next entry."""
        self._left = None
        yield
        self._left = _LARGEST_HEADERS

    def read(self, size: int = -1) -> bytes:
        if self._left is not None:
            if not 0 <= size <= self._left:
                raise too_large("an entry of the archive has a header of more than a mebibyte")
            self._left -= size
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()
