"""From what the caller has, a directory or an archive, to a directory that may be read."""

import shutil
from collections.abc import Callable
from pathlib import Path

from deepoj_packages.archives.directories import look_over
from deepoj_packages.archives.guard import Guard
from deepoj_packages.archives.tars import is_tar, unpack_tar
from deepoj_packages.archives.writer import Writer
from deepoj_packages.archives.zips import is_zip, unpack_zip
from deepoj_packages.options import ReadingLimits, ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, Reason

_HEAD_BYTES = 512


def unpack(archive: Path, into: Path, options: ReadingOptions) -> None:
    """`into` must not exist; it is there completely or not at all."""
    unpack_it = _unpacker(archive)
    into.mkdir(parents=True)
    try:
        guard = Guard(options, packed_bytes=archive.stat().st_size)
        unpack_it(archive, Writer(into, guard), options.limits)
    except BaseException:
        shutil.rmtree(into, ignore_errors=True)
        raise


def check_directory(root: Path, options: ReadingOptions) -> tuple[str, ...]:
    """Return what is to be said of it."""
    return tuple(
        f"{link} is a link that leads nowhere and was left out"
        for link in look_over(root, Guard(options), options)
    )


def _unpacker(archive: Path) -> Callable[[Path, Writer, ReadingLimits], None]:
    with archive.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if is_zip(head):
        return unpack_zip
    if is_tar(head):
        return unpack_tar
    raise PackageRefusedError(
        Reason.NOT_A_PACKAGE, f"{archive.name} is neither a directory nor a zip nor a tar"
    )
