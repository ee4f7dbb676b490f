"""The files of one package, all known before any is read, and which of them were of use."""

import os
from bisect import bisect_left
from pathlib import Path, PurePosixPath

from deepoj_packages.archives.names import is_hidden
from deepoj_packages.options import ReadingLimits
from deepoj_packages.refusal import PackageRefusedError, Reason, invalid

_PROBLEM = PurePosixPath("problem.yaml")
_AFTER_ANY_NAME = "\U0010ffff"
_BYTE_ORDER_MARK = "\ufeff"


class Tree:
    def __init__(self, root: Path, limits: ReadingLimits, name: str = "", top: Path | None = None) -> None:
        """`top` is where the archive begins: what lies there is for all its problems."""
        self.root = root
        self.top = top or root
        self.name = name or root.name
        self.limits = limits
        self.files = tuple(sorted(_files_below(root), key=lambda file: file.parts))
        self._places = [file.parts for file in self.files]
        self._known = frozenset(self.files)
        self._directories = frozenset(parent for file in self.files for parent in file.parents)
        self._used: set[PurePosixPath] = set()

    def has(self, path: PurePosixPath) -> bool:
        return path in self._known

    def has_directory(self, path: PurePosixPath) -> bool:
        return path in self._directories

    def first(self, *directories: PurePosixPath) -> PurePosixPath:
        """The one that is there, else the first, which the format wants."""
        return next(filter(self.has_directory, directories), directories[0])

    def below(self, directory: PurePosixPath) -> tuple[PurePosixPath, ...]:
        """Every file in a directory and its subdirectories, in order."""
        first = bisect_left(self._places, (*directory.parts, ""))
        return self.files[first : bisect_left(self._places, (*directory.parts, _AFTER_ANY_NAME))]

    def entries(self, directory: PurePosixPath) -> tuple[PurePosixPath, ...]:
        """What lies directly in a directory, files and directories, in order."""
        depth = len(directory.parts) + 1
        return tuple(sorted({PurePosixPath(*file.parts[:depth]) for file in self.below(directory)}))

    def use(self, *paths: PurePosixPath) -> None:
        self._used.update(paths)

    def use_below(self, directory: PurePosixPath) -> tuple[PurePosixPath, ...]:
        files = self.below(directory)
        self.use(*files)
        return files

    def unused(self) -> tuple[PurePosixPath, ...]:
        return tuple(file for file in self.files if file not in self._used and not _is_for_tools(file))

    def text(self, path: PurePosixPath, limit: int | None = None) -> str:
        self.use(path)
        place = self.root / path
        most = limit or self.limits.text_bytes
        if place.stat().st_size > most:
            raise PackageRefusedError(Reason.TOO_LARGE, f"{path} is larger than {most} bytes")
        try:
            return place.read_text(encoding="utf-8").removeprefix(_BYTE_ORDER_MARK)
        except UnicodeDecodeError:
            raise invalid(f"{path} is not UTF-8 text") from None

    def head(self, path: PurePosixPath) -> str:
        """The beginning of a file in whatever encoding: what is not UTF-8 is replaced."""
        with self.path(path).open("rb") as file:
            return file.read(self.limits.text_bytes).decode(errors="replace")

    def path(self, path: PurePosixPath) -> Path:
        return self.root / path


def find_root(directory: Path) -> Path:
    """Where problem.yaml lies: at the top, or in the only directory there."""
    if (directory / _PROBLEM).is_file():
        return directory
    inner = [each for each in directory.iterdir() if each.is_dir() and not each.name.startswith((".", "__"))]
    if len(inner) == 1 and (inner[0] / _PROBLEM).is_file():
        return inner[0]
    raise PackageRefusedError(
        Reason.NOT_A_PACKAGE,
        f"{directory.name} has no problem.yaml and no file of another format, so it is not a problem package",
    )


def _files_below(root: Path) -> list[PurePosixPath]:
    found = []
    for directory, names, files in os.walk(root, followlinks=True):
        names[:] = [name for name in names if not is_hidden(name)]
        place = PurePosixPath(Path(directory).relative_to(root).as_posix())
        found += [place / file for file in files if Path(directory, file).exists()]
    return found


def _is_for_tools(file: PurePosixPath) -> bool:
    """Hidden files, and what explains the package to people."""
    return file.name.startswith((".", "-")) or file.stem.upper() in {"README", "LICENSE", "LICENCE"}
