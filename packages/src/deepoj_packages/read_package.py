"""Read problem packages, whatever they are packed in and whichever format they have."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath

from deepoj_packages.archives.unpack import check_directory, unpack
from deepoj_packages.foreign.formats import ForeignFiles, find_foreign
from deepoj_packages.foreign.fps import is_fps
from deepoj_packages.foreign.problem_set import ProblemSet
from deepoj_packages.legacy.reader import read_legacy
from deepoj_packages.modern.reader import read_modern
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, Reason, unsupported
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import FormatVersion, ProblemSpec
from deepoj_packages.tree import Tree, find_root

_DEFAULTS = ReadingOptions()
_ENDINGS = re.compile(r"(\.kpp|\.zip|\.tar|\.tar\.gz|\.tgz|\.tar\.bz2|\.tbz2)$", re.IGNORECASE)


def read_package(source: Path, into: Path, options: ReadingOptions = _DEFAULTS) -> ProblemSpec:
    """Read the only problem of a directory or an archive, or the one that the options name.

    A directory is read where it lies; an archive is unpacked to `into`, which must not exist. Files that a
    format of another judge holds otherwise are written beside it. Raise PackageRefusedError; after it
    nothing of that is left.
    """
    with _all_or_nothing(into):
        return _problems(source, into, options).only(options.item)


def read_problems(source: Path, into: Path, options: ReadingOptions = _DEFAULTS) -> ProblemSet:
    """As `read_package`, but all problems there are: one that is refused does not stop the others."""
    with _all_or_nothing(into):
        return _problems(source, into, options)


def _problems(source: Path, into: Path, options: ReadingOptions) -> ProblemSet:
    made = _made(into)
    if source.is_dir():
        foreign = find_foreign(source)
        if foreign is None:
            return _one(read_directory(source, options))
        check_directory(source, options)
        return foreign.read(made, options)
    if not source.exists():
        raise PackageRefusedError(Reason.NOT_FOUND, f"{source} does not exist")
    if is_fps(source):
        return ForeignFiles(FormatVersion.FPS, (source,)).read(made, options)
    unpack(source, into, options)
    foreign = find_foreign(into)
    if foreign is not None:
        return foreign.read(made, options)
    root = find_root(into)
    name = root.name if root != into else _ENDINGS.sub("", source.name)
    return _one(_read(root, name, options))


def _one(spec: ProblemSpec) -> ProblemSet:
    return ProblemSet(spec.format, (spec,))


def _made(into: Path) -> Path:
    return into.with_name(f"{into.name}.problems")


@contextmanager
def _all_or_nothing(into: Path) -> Iterator[None]:
    if into.exists() or _made(into).exists():
        raise FileExistsError(into)
    try:
        yield
    except BaseException:
        for directory in (into, _made(into)):
            shutil.rmtree(directory, ignore_errors=True)
        raise


def read_directory(directory: Path, options: ReadingOptions = _DEFAULTS) -> ProblemSpec:
    root = find_root(directory)
    check_directory(root, options)
    return _read(root, root.resolve().name, options)


def _read(root: Path, short_name: str, options: ReadingOptions) -> ProblemSpec:
    tree = Tree(root, options.limits)
    reading = Reading(tree, options)
    section = reading.yaml(PurePosixPath("problem.yaml"))
    version = section.text("problem_format_version", FormatVersion.LEGACY)
    match version:
        case FormatVersion.LEGACY | FormatVersion.LEGACY_ICPC:
            spec = read_legacy(reading, section, short_name, FormatVersion(version))
        case FormatVersion.V2025_09:
            spec = read_modern(reading, section, short_name)
        case _:
            raise unsupported(
                f"problem.yaml: version {version!r} of the format is not known; legacy and 2025-09 are"
            )
    return replace(spec, warnings=tuple(reading.warnings), unused=tree.unused())
