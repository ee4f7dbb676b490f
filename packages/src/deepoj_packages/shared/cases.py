"""Test data files, gathered into cases by their base name."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from deepoj_packages.refusal import invalid
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import Sample

DATA = PurePosixPath("data")
FILES = ".files"
_IMAGES = (".png", ".jpg", ".jpeg", ".svg")
_DOWNLOADS = (".in.download", ".ans.download")


@dataclass(frozen=True, slots=True)
class CaseFiles:
    """`stem` is the path without an extension, so `stem` + ".in" is the input."""

    stem: PurePosixPath
    answer: PurePosixPath | None
    illustration: PurePosixPath | None
    files: tuple[tuple[str, PurePosixPath], ...] = ()
    """For the working directory of a submission, by the names they have there."""

    @property
    def input(self) -> PurePosixPath:
        return beside(self.stem, ".in")

    @property
    def name(self) -> str:
        return str(self.stem.relative_to(DATA))


def find_cases(reading: Reading, files: Iterable[PurePosixPath], *, interactive: bool) -> Iterator[CaseFiles]:
    """The cases among these files, in their order."""
    for file in files:
        if file.suffix == ".in" and not file.name.startswith(".") and not _is_of_a_case(file):
            yield _case_files(reading, file, interactive=interactive)


def _is_of_a_case(file: PurePosixPath) -> bool:
    """What lies in `.files` is for submissions, whatever it is called."""
    return any(parent.name.endswith(FILES) for parent in file.parents)


def _case_files(reading: Reading, file: PurePosixPath, *, interactive: bool) -> CaseFiles:
    tree, stem = reading.tree, file.with_suffix("")
    directory = beside(stem, FILES)
    files = tuple((str(each.relative_to(directory)), each) for each in tree.use_below(directory))
    answer = beside(stem, ".ans")
    tree.use(file, answer)
    if not tree.has(answer):
        if not interactive:
            raise invalid(f"{file} has no answer: {answer.name} is missing")
        reading.warn(f"{file} has no answer file; an empty one is given to the interactor")
    picture = next((beside(stem, end) for end in _IMAGES if tree.has(beside(stem, end))), None)
    if picture:
        tree.use(picture)
    return CaseFiles(stem, answer if tree.has(answer) else None, picture, files)


def beside(stem: PurePosixPath, ending: str) -> PurePosixPath:
    return stem.with_name(stem.name + ending)


def read_samples(reading: Reading, *, interactive: bool) -> tuple[Sample, ...]:
    """What the statement shows: overrides come first, an interaction replaces input and output."""
    directory = DATA / "sample"
    endings = (".in.statement", ".in", ".interaction")
    stems = set()
    for file in reading.tree.below(directory):
        ending = next((end for end in endings if file.name.endswith(end)), None)
        if ending and not file.name.startswith("."):
            stems.add(file.with_name(file.name.removesuffix(ending)))
    return tuple(_sample(reading, stem, interactive=interactive) for stem in sorted(stems))


def _sample(reading: Reading, stem: PurePosixPath, *, interactive: bool) -> Sample:
    tree = reading.tree

    def first(*endings: str) -> PurePosixPath | None:
        there = [beside(stem, ending) for ending in endings if tree.has(beside(stem, ending))]
        tree.use(*there)
        return there[0] if there else None

    for ending in _DOWNLOADS:
        if tree.has(beside(stem, ending)):
            tree.use(beside(stem, ending))
            reading.warn(f"{beside(stem, ending)} is not offered for download: samples are what they show")
    interaction = first(".interaction")
    name = str(stem.relative_to(DATA))
    if interaction is not None:
        return Sample(name=name, interaction=interaction)
    if interactive:
        reading.warn(f"the sample {name} has no .interaction file, so its data is shown to everybody")
    return Sample(
        name=name, input=first(".in.statement", ".in"), output=first(".ans.statement", ".out", ".ans")
    )
