"""Counts what comes out of an archive and stops it before it is too much."""

from pathlib import PurePosixPath

from deepoj_packages.archives.names import collision_key
from deepoj_packages.options import Progress, ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, Reason


class Guard:
    """`packed_bytes` is the size of the archive, 0 for a directory, which cannot be a bomb by ratio."""

    def __init__(self, options: ReadingOptions, packed_bytes: int = 0) -> None:
        self._limits = options.limits
        self._progress = options.progress
        self._packed = packed_bytes
        self._written = 0
        self._entries = 0
        self._kinds: dict[str, tuple[PurePosixPath, bool]] = {}

    def admit(self, path: PurePosixPath, *, is_directory: bool) -> None:
        self._entries += 1
        if self._entries > self._limits.files:
            raise too_large(f"the package has more than {self._limits.files} entries")
        known = self._kinds.get(collision_key(path))
        if known is not None and not (is_directory and known == (path, True)):
            raise _collision(known[0], path)
        self._kinds[collision_key(path)] = (path, is_directory)
        self._admit_parents(path)

    def _admit_parents(self, path: PurePosixPath) -> None:
        for parent in path.parents[:-1]:
            known = self._kinds.setdefault(collision_key(parent), (parent, True))
            if known != (parent, True):
                raise _collision(known[0], path)

    def expect(self, path: PurePosixPath, size: int) -> None:
        """Refuse by the declared size already; what really comes is counted too."""
        if size > self._limits.file_bytes:
            raise too_large(f"{path} is larger than {self._limits.file_bytes} bytes")
        self._check(self._written + size)

    def count(self, size: int, consumed: int = 0) -> None:
        self._written += size
        self._check(self._written)
        self._progress(Progress("reading", consumed or self._written, self._packed))

    def _check(self, total: int) -> None:
        limits = self._limits
        if total > limits.total_bytes:
            raise too_large(f"the package is larger than {limits.total_bytes} bytes")
        if self._packed and total > max(limits.ratio_floor_bytes, limits.ratio * self._packed):
            raise too_large(f"the archive unpacks to more than {limits.ratio} times its size")


def too_large(sentence: str) -> PackageRefusedError:
    return PackageRefusedError(Reason.TOO_LARGE, sentence)


def _collision(one: PurePosixPath, other: PurePosixPath) -> PackageRefusedError:
    what = f"{one} appears twice" if one == other else f"{one} and {other} are one file on some systems"
    return PackageRefusedError(Reason.NAME_COLLISION, what)
