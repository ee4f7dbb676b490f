"""Read problem packages, whatever they are packed in and whichever format they have."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from deepoj_packages.archives.unpack import check_directory, unpack
from deepoj_packages.foreign.formats import FoundProblems, find_problems
from deepoj_packages.foreign.fps import is_fps
from deepoj_packages.foreign.problem_set import ProblemSet
from deepoj_packages.icpc import read_icpc
from deepoj_packages.options import ReadingOptions, Told
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import FormatVersion, ProblemSpec
from deepoj_packages.tree import find_root

_DEFAULTS = ReadingOptions()
_ENDINGS = re.compile(r"(\.kpp|\.zip|\.tar|\.tar\.gz|\.tgz|\.tar\.bz2|\.tbz2)$", re.IGNORECASE)


def read_package(source: Path, into: Path, options: ReadingOptions = _DEFAULTS) -> ProblemSpec:
    """Read the only problem of a directory or an archive, or the one that the options name.

    A directory is read where it lies; an archive is unpacked to `into`, which must not exist. Files that a
    format of another judge holds otherwise are written beside it. Raise PackageRefusedError; after it
    nothing of that is left.
    """
    with _all_or_nothing(into):
        return _filled(_problems(source, into, options), options.told).only(options.item)


def read_problems(source: Path, into: Path, options: ReadingOptions = _DEFAULTS) -> ProblemSet:
    """As `read_package`, but all problems there are: one that is refused does not stop the others."""
    with _all_or_nothing(into):
        return _filled(_problems(source, into, options), options.told)


def _filled(found: ProblemSet, told: Told) -> ProblemSet:
    """With the limits that were told for problems which name none."""

    def with_limits(problem: ProblemSpec) -> ProblemSpec:
        own = problem.limits
        limits = replace(
            own, time_ms=own.time_ms or told.time_ms, memory_mib=own.memory_mib or told.memory_mib
        )
        return replace(problem, limits=limits)

    return replace(
        found,
        problems=tuple(
            with_limits(each) if isinstance(each, ProblemSpec) else each for each in found.problems
        ),
    )


def _problems(source: Path, into: Path, options: ReadingOptions) -> ProblemSet:
    made = _made(into)
    if source.is_dir():
        found = find_problems(source)
        if found is None:
            return _one(read_directory(source, options, made))
        said = check_directory(source, options)
        return _saying(said, found.read(made, options))
    if not source.exists():
        raise PackageRefusedError(Reason.NOT_FOUND, f"{source} does not exist")
    if is_fps(source):
        return FoundProblems(((FormatVersion.FPS, source),)).read(made, options)
    unpack(source, into, options)
    name = _ENDINGS.sub("", source.name)
    found = find_problems(into, name)
    if found is not None:
        return found.read(made, options)
    root = find_root(into)
    return _one(read_icpc(root, root.name if root != into else name, options, made))


def _saying(said: tuple[str, ...], found: ProblemSet) -> ProblemSet:
    problems = (
        replace(each, warnings=(*said, *each.warnings)) if isinstance(each, ProblemSpec) else each
        for each in found.problems
    )
    return replace(found, problems=tuple(problems)) if said else found


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


def read_directory(
    directory: Path, options: ReadingOptions = _DEFAULTS, made: Path | None = None
) -> ProblemSpec:
    """`made` takes files that must be written; nothing is there yet."""
    root = find_root(directory)
    said = check_directory(root, options)
    spec = read_icpc(root, root.resolve().name, options, made)
    return replace(spec, warnings=(*said, *spec.warnings))
