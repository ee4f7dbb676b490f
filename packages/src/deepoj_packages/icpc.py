"""A package of the ICPC/Kattis format: what it leaves to be written is written first, then it is read."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from deepoj_packages.foreign.hydro import is_hydro
from deepoj_packages.generated.lay_out import describes_data, lay_out
from deepoj_packages.legacy.reader import read_legacy
from deepoj_packages.modern.constants import Constants, filled, read_constants, write_out
from deepoj_packages.modern.reader import read_modern
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import shortened, unsupported
from deepoj_packages.shared.own_validators import known_again
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import FormatVersion, ProblemSpec, Recipe
from deepoj_packages.tree import Tree

_PROBLEM = PurePosixPath("problem.yaml")
_DRAFTS = frozenset({"2025-09-draft", "2023-07-draft", "2023-07"})


def is_icpc(directory: Path) -> bool:
    """Hydro has a problem.yaml of its own."""
    return (directory / _PROBLEM).is_file() and not is_hydro(directory)


def read_icpc(root: Path, short_name: str, options: ReadingOptions, made: Path | None) -> ProblemSpec:
    """`made` takes files that must be written; nothing is there yet."""
    reading = Reading(Tree(root, options.limits), options)
    section = reading.yaml(_PROBLEM)
    version = section.text("problem_format_version", FormatVersion.LEGACY)
    is_draft = version in _DRAFTS
    is_modern = version == FormatVersion.V2025_09 or is_draft
    written = _Written(made, read_constants(section) if is_modern else {})
    reading, recipes = written.data(written.sources(reading))
    section = reading.yaml(_PROBLEM)
    section.has("problem_format_version")
    match version:
        case FormatVersion.LEGACY | FormatVersion.LEGACY_ICPC:
            spec = read_legacy(reading, section, short_name, FormatVersion(version))
        case _ if is_modern:
            spec = read_modern(reading, section, short_name, draft=is_draft)
        case _:
            raise unsupported(
                f"problem.yaml: version {shortened(version)!r} of the format is not known; "
                "legacy and 2025-09 are"
            )
    _refuse_answers_of_called(spec, recipes)
    # They stood for what is to be made, so that the cases were found.
    for recipe in recipes:
        spec.path(recipe.file).unlink()
    spec = known_again(spec)
    return replace(spec, recipes=recipes, warnings=tuple(reading.warnings), unused=reading.tree.unused())


def _refuse_answers_of_called(spec: ProblemSpec, recipes: tuple[Recipe, ...]) -> None:
    """Who makes an answer runs the solution on the input alone."""
    made = {recipe.file for recipe in recipes}
    for case in spec.cases:
        if (case.arguments or case.files) and case.answer in made:
            raise unsupported(
                f"the answer of {case.name} is not there, and is not made for a case with arguments or files"
            )


@dataclass(frozen=True, slots=True)
class _Written:
    made: Path | None
    constants: Constants

    def sources(self, reading: Reading) -> Reading:
        return write_out(reading, self.constants, self._place("constants")) if self.constants else reading

    def data(self, reading: Reading) -> tuple[Reading, tuple[Recipe, ...]]:
        if not describes_data(reading):
            return reading, ()
        fill = partial(filled, constants=self.constants)
        return lay_out(reading, reading.yaml(_PROBLEM), fill, self._place("generated"))

    def _place(self, name: str) -> Path:
        if self.made is None:
            raise ValueError("files of this package must be written, and nobody said where")
        return self.made / name
