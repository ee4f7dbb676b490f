"""Which problems lie in a directory, found by the files that only their format has."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from deepoj_packages.foreign.cms import is_cms, read_cms
from deepoj_packages.foreign.dmoj import is_dmoj, read_dmoj
from deepoj_packages.foreign.draft import numeric_key
from deepoj_packages.foreign.fps import is_fps, read_fps
from deepoj_packages.foreign.hydro import is_hydro, read_hydro
from deepoj_packages.foreign.polygon import is_polygon, read_polygon
from deepoj_packages.foreign.problem_set import ProblemSet, RefusedProblem
from deepoj_packages.foreign.qduoj import is_qduoj, read_qduoj
from deepoj_packages.foreign.uoj import is_uoj, read_uoj
from deepoj_packages.icpc import is_icpc, read_icpc
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import FormatVersion, ProblemSpec
from deepoj_packages.tree import Tree


class _Directory(NamedTuple):
    """A format that has a directory for each problem."""

    found: Callable[[Path], bool]
    read: Callable[[Tree, Path, ReadingOptions], ProblemSpec]


def _read_icpc(tree: Tree, into: Path, options: ReadingOptions) -> ProblemSpec:
    return read_icpc(tree.root, tree.name, options, into)


_DIRECTORIES = {
    FormatVersion.LEGACY: _Directory(is_icpc, _read_icpc),
    FormatVersion.QDUOJ: _Directory(is_qduoj, read_qduoj),
    FormatVersion.HYDRO: _Directory(is_hydro, read_hydro),
    FormatVersion.POLYGON: _Directory(is_polygon, read_polygon),
    FormatVersion.DMOJ: _Directory(is_dmoj, read_dmoj),
    FormatVersion.UOJ: _Directory(is_uoj, read_uoj),
    FormatVersion.CMS: _Directory(is_cms, read_cms),
}


@dataclass(frozen=True, slots=True)
class FoundProblems:
    """FPS files, or directories with a problem each."""

    places: tuple[tuple[FormatVersion, Path], ...]
    archive: str = ""
    """Its name, where the only problem lies at the top of it."""
    top: Path | None = None

    def read(self, into: Path, options: ReadingOptions) -> ProblemSet:
        """`into` takes the files that are made of them."""
        if len(self.places) > options.limits.problems:
            raise PackageRefusedError(
                Reason.TOO_LARGE, f"the archive holds more than {options.limits.problems} problems"
            )
        found = tuple(
            problem
            for number, (format_, place) in enumerate(self.places, start=1)
            for problem in self._read(format_, place, into / f"{number}", options)
        )
        first, place = self.places[0]
        if not found:
            raise PackageRefusedError(Reason.NOT_A_PACKAGE, f"{place.name} holds no problem")
        taken = next((each.format for each in found if isinstance(each, ProblemSpec)), first)
        return ProblemSet(taken, _with_names_of_their_own(found))

    def _read(
        self, format_: FormatVersion, place: Path, into: Path, options: ReadingOptions
    ) -> Iterator[ProblemSpec | RefusedProblem]:
        if format_ is FormatVersion.FPS:
            yield from self._read_fps(place, into, options)
            return
        try:
            yield _DIRECTORIES[format_].read(
                Tree(place, options.limits, self.archive, self.top), into, options
            )
        except PackageRefusedError as error:
            yield RefusedProblem(place.name, error.reason, error.sentence)

    def _read_fps(
        self, file: Path, into: Path, options: ReadingOptions
    ) -> Iterator[ProblemSpec | RefusedProblem]:
        """What comes before a damage is taken."""
        is_alone = len(self.places) == 1
        try:
            for problem in read_fps(file, into, options, self.top):
                yield problem
                is_alone = False
        except PackageRefusedError as error:
            if is_alone:
                raise
            yield RefusedProblem(file.name, error.reason, error.sentence)


def find_problems(directory: Path, archive: str = "") -> FoundProblems | None:
    """At the top, in its directories, or, where there is but one, in the directories of that.

    A contest of Polygon has its problems in a directory beside others. None: there is none, or a package of
    the ICPC format alone.
    """
    inner = _directories(directory)
    if is_icpc(directory) or (len(inner) == 1 and is_icpc(inner[0])):
        return None
    tops = (directory, *inner) if len(inner) == 1 or (directory / "contest.xml").is_file() else (directory,)
    for top in tops:
        if format_ := _format_of(top):
            return FoundProblems(((format_, top),), archive if top == directory else "", directory)
        places = tuple((found, each) for each in _directories(top) if (found := _format_of(each)))
        if places:
            return FoundProblems(places, top=top)
        files = sorted(each for each in top.glob("*.xml") if each.is_file() and is_fps(each))
        if files:
            return FoundProblems(tuple((FormatVersion.FPS, file) for file in files), top=top)
    return None


def _format_of(directory: Path) -> FormatVersion | None:
    return next((format_ for format_, known in _DIRECTORIES.items() if known.found(directory)), None)


def _directories(directory: Path) -> list[Path]:
    found = (
        each
        for each in directory.iterdir()
        if each.is_dir() and not each.is_symlink() and not each.name.startswith((".", "__"))
    )
    return sorted(found, key=lambda each: numeric_key(each.name))


def _with_names_of_their_own(
    problems: tuple[ProblemSpec | RefusedProblem, ...],
) -> tuple[ProblemSpec | RefusedProblem, ...]:
    """Two problems of one title are two problems."""
    seen: dict[str, int] = {}
    named: list[ProblemSpec | RefusedProblem] = []
    for problem in problems:
        if isinstance(problem, RefusedProblem):
            named.append(problem)
            continue
        times = seen[problem.short_name] = seen.get(problem.short_name, 0) + 1
        named.append(problem if times == 1 else replace(problem, short_name=f"{problem.short_name}-{times}"))
    return tuple(named)
