"""Which names an entry may have. Everything else in a package is read through names checked here."""

import unicodedata
from pathlib import PurePosixPath

from deepoj_packages.options import ReadingLimits
from deepoj_packages.refusal import PackageRefusedError, Reason

_COMPONENT_BYTES = 255
_PRINTED_BY_POLYGON = ".pdf"
_DELETE = 0x7F


def safe_path(name: str, limits: ReadingLimits) -> PurePosixPath | None:
    """The path an entry names; None for the top directory itself."""
    _check_characters(name)
    if name.startswith("/"):
        raise unsafe_name(name, "is absolute")
    parts = [part for part in name.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise unsafe_name(name, "leads out of the package")
    if len(parts) > limits.depth:
        raise unsafe_name(name, f"is more than {limits.depth} directories deep")
    if len(name.encode()) > limits.path_bytes or any(len(part.encode()) > _COMPONENT_BYTES for part in parts):
        raise unsafe_name(name[:100] + "…", "is too long")
    return PurePosixPath(*parts) if parts else None


def is_hidden(directory: str) -> bool:
    """Hidden directories (.git) belong to tools; nobody looks into them, or takes a file from there."""
    return directory.startswith(".") and directory != _PRINTED_BY_POLYGON


def _check_characters(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise unsafe_name(name.encode(errors="backslashreplace").decode(), "is not UTF-8") from None
    if "\\" in name or (len(name) > 1 and name[1] == ":"):
        raise unsafe_name(name, "is written in the Windows way")
    if any(ord(letter) < ord(" ") or ord(letter) == _DELETE for letter in name):
        raise unsafe_name(name, "has control characters")


def collision_key(path: PurePosixPath) -> str:
    """Two paths with one key would be one file where case or Unicode form does not count."""
    return unicodedata.normalize("NFC", str(path)).casefold()


def unsafe_name(name: str, why: str) -> PackageRefusedError:
    return PackageRefusedError(Reason.UNSAFE_NAME, f"the name {name!r} {why}")
