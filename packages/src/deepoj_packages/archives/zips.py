"""Unpack a zip, entry by entry in the order of its directory."""

import stat
import struct
import zipfile
from pathlib import Path

from deepoj_packages.archives.damage import damage_refused
from deepoj_packages.archives.guard import too_large
from deepoj_packages.archives.names import safe_path, unsafe_name
from deepoj_packages.archives.writer import Writer
from deepoj_packages.options import ReadingLimits
from deepoj_packages.refusal import PackageRefusedError, Reason

_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_END_RECORD = b"PK\x05\x06"
_END_RECORD_BYTES = 22
_LONGEST_COMMENT = 0xFFFF
_DIRECTORY_SIZE_AT = 12
_ENTRY_BYTES = 1024
_ENCRYPTED = 0x1
_UTF8_NAME = 0x800
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2})


def is_zip(head: bytes) -> bool:
    return head.startswith(_MAGIC)


def unpack_zip(archive: Path, writer: Writer, limits: ReadingLimits) -> None:
    _check_directory_size(archive, limits)
    with damage_refused(), zipfile.ZipFile(archive) as opened:
        if len(opened.infolist()) > limits.files:
            raise too_large(f"the package has more than {limits.files} entries")
        for entry in opened.infolist():
            _take(opened, entry, writer, limits)


def _check_directory_size(archive: Path, limits: ReadingLimits) -> None:
    """Look at its size first: zipfile reads the directory at the end of a zip into memory."""
    size = archive.stat().st_size
    with archive.open("rb") as file:
        file.seek(max(0, size - _END_RECORD_BYTES - _LONGEST_COMMENT))
        tail = file.read()
    at = tail.rfind(_END_RECORD)
    if at < 0 or len(tail) - at < _END_RECORD_BYTES:
        raise PackageRefusedError(Reason.BROKEN_ARCHIVE, "the archive is cut off or damaged")
    (directory,) = struct.unpack_from("<L", tail, at + _DIRECTORY_SIZE_AT)
    # A zip64 archive writes the largest number here; one with that many bytes of names is no package.
    if directory > limits.files * _ENTRY_BYTES:
        raise too_large(f"the package has more than {limits.files} entries")


def _take(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, writer: Writer, limits: ReadingLimits) -> None:
    path = safe_path(_name_of(entry), limits)
    if path is None:
        return
    mode = entry.external_attr >> 16
    kind = stat.S_IFMT(mode)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise PackageRefusedError(Reason.UNSAFE_ENTRY, f"{path} is neither a file nor a directory")
    if entry.flag_bits & _ENCRYPTED:
        raise PackageRefusedError(Reason.UNSAFE_ENTRY, f"{path} is encrypted")
    if entry.compress_type not in _METHODS:
        raise PackageRefusedError(Reason.BROKEN_ARCHIVE, f"{path} is compressed in a way that is not taken")
    if entry.is_dir():
        writer.directory(path)
        return
    with opened.open(entry) as content:
        writer.file(path, content, entry.file_size, executable=bool(mode & stat.S_IXUSR))


def _name_of(entry: zipfile.ZipInfo) -> str:
    """Names without the UTF-8 flag were decoded as code page 437; most are UTF-8 all the same."""
    name = entry.orig_filename
    if not entry.flag_bits & _UTF8_NAME:
        try:
            name = name.encode("cp437").decode()
        except UnicodeError:
            raise unsafe_name(name, "is not UTF-8") from None
    return name
