"""A directory of backups: files by their content, shared by all backups in it, and one manifest a backup.

repository.json     the format, and whether the files are sealed
files/ab/abcd…      a content under its SHA-256, or under a keyed hash of it where files are sealed
backups/NAME.json   what a backup consists of; written last, so that a backup is there whole or not at all
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import msgspec

from deepoj.backup.seal import Seal, SealBrokenError, Writer, sealed_size
from deepoj.errors import Exit, Failure
from deepoj_kit.private import private_directory

FORMAT: Final = 1
CHUNK: Final = 64 * 1024
MOST_MANIFEST: Final = 64 * 1024
_MARK: Final = "repository.json"
_ASIDE: Final = ".damaged"
# Names of files are made of them: where nothing is sealed, anybody may have written the rest.
Digest = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Size = Annotated[int, msgspec.Meta(ge=0)]


class Content(msgspec.Struct, frozen=True):
    sha256: Digest
    size: Size


class Manifest(msgspec.Struct, frozen=True):
    name: str
    taken_at: datetime
    version: str
    database: Content
    """The archive that pg_dump wrote."""
    objects: Content
    """A line of JSON for each object: Entry."""
    object_count: int
    object_bytes: int
    secrets: Content | None
    """What the database cannot be used without; None where the operator keeps it."""
    revisions: dict[str, str] = {}
    """Of each schema; empty in backups of earlier releases."""


class Entry(msgspec.Struct, frozen=True):
    key: str
    size: Size
    etag: str
    sha256: Digest

    @property
    def content(self) -> Content:
        return Content(self.sha256, self.size)


class DamagedError(Exception):
    """A file of a backup is missing, or is not what its hash says."""


class Draft:
    """A file that gets its name when its content is known."""

    def __init__(self, file: BinaryIO, sealed: Writer | None) -> None:
        self._file = file
        self._sealed = sealed
        self._hash = sha256()
        self._size = 0

    @property
    def content(self) -> Content:
        return Content(self._hash.hexdigest(), self._size)

    def write(self, chunk: bytes) -> None:
        self._hash.update(chunk)
        self._size += len(chunk)
        if self._sealed is None:
            self._file.write(chunk)
        else:
            self._sealed.write(chunk)

    def finish(self) -> None:
        if self._sealed is not None:
            self._sealed.finish()


class Repository:
    def __init__(self, root: Path, seal: Seal | None) -> None:
        self._root = root
        self._seal = seal
        self._files = root / "files"
        self._backups = root / "backups"

    def has(self, content: Content) -> bool:
        size = content.size if self._seal is None else sealed_size(content.size)
        path = self._path(content.sha256)
        return path.is_file() and path.stat().st_size == size

    @contextmanager
    def draft(self) -> Iterator[Draft]:
        """Give a file to write to; it is kept when the block ends well."""
        handle, temporary = tempfile.mkstemp(dir=self._files, prefix=".draft-")
        try:
            with os.fdopen(handle, "wb") as file:
                draft = Draft(file, None if self._seal is None else self._seal.writer(file))
                yield draft
                draft.finish()
            path = self._path(draft.content.sha256)
            path.parent.mkdir(mode=0o700, exist_ok=True)
            Path(temporary).replace(path)
        finally:
            Path(temporary).unlink(missing_ok=True)

    def read(self, content: Content) -> Iterator[bytes]:
        """Give the content piece by piece; what is wrong with it is raised at its end at the latest."""
        found, size = sha256(), 0
        try:
            with self._path(content.sha256).open("rb") as file:
                for chunk in _plain(file) if self._seal is None else self._seal.read(file):
                    found.update(chunk)
                    size += len(chunk)
                    if size > content.size:
                        break
                    yield chunk
        except (OSError, SealBrokenError) as error:
            raise DamagedError(_why(content.sha256, error)) from error
        if Content(found.hexdigest(), size) != content:
            raise DamagedError(content.sha256)

    def set_aside(self, content: Content) -> None:
        """Let a damaged content be one that is not there, which the next backup copies again."""
        path = self._path(content.sha256)
        with suppress(OSError):  # it is gone, or the disk is read-only
            path.replace(path.with_suffix(_ASIDE))

    def entries(self, manifest: Manifest) -> Iterator[Entry]:
        held = b""
        try:
            for chunk in self.read(manifest.objects):
                *lines, held = (held + chunk).split(b"\n")
                yield from map(_entry, lines)
        except DamagedError as error:
            raise DamagedError(f"the list of objects of {manifest.name}") from error

    def names(self) -> list[str]:
        return sorted(path.stem for path in self._backups.glob("*.json"))

    def manifest(self, name: str) -> Manifest:
        path = self._backups / f"{name}.json"
        try:
            with path.open("rb") as file:
                chunks = _plain(file) if self._seal is None else self._seal.read(file, name)
                text = b"".join(chunks) if path.stat().st_size <= MOST_MANIFEST else b""
            return msgspec.json.decode(text, type=Manifest)
        except (OSError, SealBrokenError, msgspec.DecodeError) as error:
            raise DamagedError(_why(f"the manifest of {name}", error)) from error

    def commit(self, manifest: Manifest) -> None:
        os.sync()  # all files of the backup at once; one by one would take as long as copying them
        path = self._backups / f"{manifest.name}.json"
        draft = path.with_suffix(".new")
        draft.touch(mode=0o600)
        with draft.open("wb") as file:
            text = msgspec.json.format(msgspec.json.encode(manifest))
            if self._seal is None:
                file.write(text)
            else:
                sealed = self._seal.writer(file, manifest.name)
                sealed.write(text)
                sealed.finish()
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)

    def drop(self, names: list[str]) -> None:
        """Remove backups, and then the files that no other one needs."""
        needed = {
            self._path(digest) for name in self.names() if name not in names for digest in self._digests(name)
        }
        for name in names:
            (self._backups / f"{name}.json").unlink()
        for path in self._files.glob("*/*"):
            if path not in needed:
                path.unlink()

    def _digests(self, name: str) -> Iterator[str]:
        manifest = self.manifest(name)
        yield from (each.sha256 for each in (manifest.database, manifest.objects, manifest.secrets) if each)
        yield from (entry.sha256 for entry in self.entries(manifest))

    def _path(self, digest: str) -> Path:
        name = digest if self._seal is None else self._seal.name(digest)
        return self._files / name[:2] / name


@contextmanager
def opened(root: Path, seal: Seal | None, *, make: bool = False) -> Iterator[Repository]:
    """Open a directory of backups, one process at a time."""
    if make:
        for directory in (root, root / "files", root / "backups"):
            private_directory(directory)
        if not (root / _MARK).exists():
            _refuse_others_files(root)
            _write_mark(root, sealed=seal is not None)
    _check_mark(root, sealed=seal is not None)
    with (root / _MARK).open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Failure(
                f"another deepoj uses the backups in {root}: wait for its end", Exit.BUSY
            ) from error
        if make:
            for left in (root / "files").glob(".draft-*"):
                left.unlink()
        yield Repository(root, seal)


def _why(name: str, error: Exception) -> str:
    return f"{name}: {error.strerror}" if isinstance(error, OSError) else name


def _entry(line: bytes) -> Entry:
    try:
        return msgspec.json.decode(line, type=Entry)
    except msgspec.DecodeError as error:
        raise DamagedError("the list of objects") from error


def _refuse_others_files(root: Path) -> None:
    if {path.name for path in root.iterdir()} - {"files", "backups"}:
        raise Failure(
            f"{root} is not empty and no directory of backups: choose one that is empty or does not exist "
            "yet",
            Exit.UNUSABLE,
        )


def _write_mark(root: Path, *, sealed: bool) -> None:
    draft = root / "files" / ".draft-mark"
    draft.write_text(json.dumps({"format": FORMAT, "sealed": sealed}))
    draft.replace(root / _MARK)


def _check_mark(root: Path, *, sealed: bool) -> None:
    mark: object = None
    with suppress(OSError, ValueError):
        mark = json.loads((root / _MARK).read_text())
    if not isinstance(mark, dict) or mark.get("format") != FORMAT:
        raise Failure(
            f"{root} holds no backups that this deepoj reads: name the directory that deepoj backup wrote to",
            Exit.UNUSABLE,
        )
    if mark.get("sealed") != sealed:
        wanted = (
            "sealed: name its key with --key-file"
            if mark.get("sealed")
            else "not sealed, so no key proves who wrote them: leave --key-file out if you know that you did"
        )
        raise Failure(f"the backups in {root} are {wanted}", Exit.USAGE)


def _plain(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk
