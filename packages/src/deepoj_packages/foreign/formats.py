"""Which format of another judge lies in a directory, found by the files that only it has."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from deepoj_packages.foreign.draft import numeric_key
from deepoj_packages.foreign.fps import is_fps, read_fps
from deepoj_packages.foreign.hydro import is_hydro, read_hydro
from deepoj_packages.foreign.problem_set import ProblemSet, RefusedProblem
from deepoj_packages.foreign.qduoj import is_qduoj, read_qduoj
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import FormatVersion, ProblemSpec
from deepoj_packages.tree import Tree


@dataclass(frozen=True, slots=True)
class ForeignFiles:
    """FPS files, or directories with a problem each."""

    format: FormatVersion
    places: tuple[Path, ...]

    def read(self, into: Path, options: ReadingOptions) -> ProblemSet:
        """`into` takes the files that are made of them."""
        if len(self.places) > options.limits.problems:
            raise PackageRefusedError(
                Reason.TOO_LARGE, f"the archive holds more than {options.limits.problems} problems"
            )
        found = tuple(
            problem
            for number, place in enumerate(self.places, start=1)
            for problem in self._read(place, into / f"{number}", options)
        )
        if not found:
            raise PackageRefusedError(Reason.NOT_A_PACKAGE, f"{self.places[0].name} holds no problem")
        return ProblemSet(self.format, _with_names_of_their_own(found))

    def _read(
        self, place: Path, into: Path, options: ReadingOptions
    ) -> Iterator[ProblemSpec | RefusedProblem]:
        if self.format is FormatVersion.FPS:
            yield from read_fps(place, into, options)
            return
        read = read_qduoj if self.format is FormatVersion.QDUOJ else read_hydro
        try:
            yield read(Tree(place, options.limits), into, options)
        except PackageRefusedError as error:
            yield RefusedProblem(place.name, error.reason, error.sentence)


def find_foreign(directory: Path) -> ForeignFiles | None:
    """At the top, in its directories, or, where there is but one, in the directories of that."""
    inner = _directories(directory)
    tops = (directory, *inner) if len(inner) == 1 else (directory,)
    for top in tops:
        if (top / "problem.yaml").is_file() and not is_hydro(top):
            return None
        for is_one, format_ in ((is_qduoj, FormatVersion.QDUOJ), (is_hydro, FormatVersion.HYDRO)):
            places = [top] if is_one(top) else [each for each in _directories(top) if is_one(each)]
            if places:
                return ForeignFiles(format_, tuple(places))
        files = sorted(each for each in top.glob("*.xml") if each.is_file() and is_fps(each))
        if files:
            return ForeignFiles(FormatVersion.FPS, tuple(files))
    return None


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
