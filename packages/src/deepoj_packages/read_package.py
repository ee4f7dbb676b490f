"""Read a problem package, whatever it is packed in and whichever version it has."""

import re
import shutil
from dataclasses import replace
from pathlib import Path, PurePosixPath

from deepoj_packages.archives.unpack import check_directory, unpack
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
    """Read a directory where it lies, or unpack an archive to `into`, which must not exist, and read that.

    Raise PackageRefusedError; after it `into` does not exist.
    """
    if source.is_dir():
        return read_directory(source, options)
    if not source.exists():
        raise PackageRefusedError(Reason.NOT_FOUND, f"{source} does not exist")
    unpack(source, into, options)
    try:
        root = find_root(into)
        name = root.name if root != into else _ENDINGS.sub("", source.name)
        return _read(root, name, options)
    except BaseException:
        shutil.rmtree(into, ignore_errors=True)
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
