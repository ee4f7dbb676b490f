"""From what a package says to a revision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.question.listing import MOST_TAGS, Tag, tag
from deepoj_domain.question.revision import MOST_PATH, Extra, RevisionContent
from deepoj_packages.exporting.kept import kept_entries
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import ProblemSpec
from deepoj_question.commands.package_ports import Message, MessageLevel, Package
from deepoj_question.outbound.packages.files import FileIndex
from deepoj_question.outbound.packages.judging_reader import Defaults, JudgingReader
from deepoj_question.outbound.packages.texts import Texts

# Directories that only setters use, and what version 2025-09 of the format calls them.
_EXTRAS: Final = {
    "submissions": "submissions",
    "input_validators": "input_validators",
    "input_format_validators": "input_validators",
    "answer_validators": "answer_validators",
    "generators": "generators",
    "solution": "solution",
}


def package_of(spec: ProblemSpec, name: str, defaults: Defaults, room: Path) -> Package:
    """`room` takes files that we make. Raise InvalidValueError for what cannot be shown or judged."""
    _refuse_unmade(spec)
    files, empty = FileIndex(), room / "empty"
    empty.touch()
    texts, tests = Texts(spec, files), JudgingReader(spec, files, defaults, empty)
    presentation, judging = texts.presentation(), tests.judging()
    tags, strange = _tags(spec)
    extras = (*_extras(spec.root, files), *_kept(spec, files, room / "kept"))
    return Package(
        content=RevisionContent(presentation=presentation, judging=judging, extras=extras),
        name=name,
        tags=tags,
        files=files.paths,
        messages=(
            *_messages(MessageLevel.WARNING, spec.root, spec.warnings),
            *_messages(MessageLevel.INFO, spec.root, (*texts.warnings, *strange)),
            *_messages(MessageLevel.DANGER, spec.root, tests.warnings),
        ),
    )


def _refuse_unmade(spec: ProblemSpec) -> None:
    """No program of a package runs in this service."""
    if spec.recipes:
        raise PackageRefusedError(
            Reason.NOT_MADE,
            f"{len(spec.recipes)} files are not in the package ({spec.recipes[0].packed_as} is the first) "
            "and must be made by its programs: import it alone with deepoj import, which does that for you",
        )


def _messages(level: MessageLevel, root: Path, sentences: Iterable[str]) -> Iterator[Message]:
    for sentence in sentences:
        yield Message(level, _file_of(root, sentence), sentence)


def _file_of(root: Path, sentence: str) -> str:
    """Return the file that a sentence is about: it begins with its name, which may have spaces."""
    ends = [place for place, letter in enumerate(f"{sentence} "[: MOST_PATH + 2]) if letter == " "]
    names = (sentence[:end].rstrip(":,") for end in reversed(ends))
    return next((name for name in names if name and _lies_in(root, name)), "")


def _lies_in(root: Path, name: str) -> bool:
    path = root / name
    try:
        return not Path(name).is_absolute() and ".." not in path.parts and path.exists()
    except OSError:
        # Longer than the name of any file.
        return False


def _tags(spec: ProblemSpec) -> tuple[frozenset[Tag], list[str]]:
    found: list[Tag] = []
    warnings: list[str] = []
    for keyword in spec.metadata.keywords:
        try:
            found.append(tag(keyword))
        except InvalidValueError as error:
            warnings.append(f"a keyword is left out: {error}")
    if len(found) > MOST_TAGS:
        warnings.append(f"only the first {MOST_TAGS} keywords become tags")
    return frozenset(found[:MOST_TAGS]), warnings


def _extras(root: Path, files: FileIndex) -> Iterator[Extra]:
    for directory, known_as in _EXTRAS.items():
        for path in sorted((root / directory).rglob("*")):
            if path.is_file():
                inside = path.relative_to(root / directory)
                yield Extra(f"{known_as}/{inside.as_posix()}", files.add(path))


def _kept(spec: ProblemSpec, files: FileIndex, made: Path) -> Iterator[Extra]:
    for entry in kept_entries(spec):
        content = entry.content
        path = made / entry.path if isinstance(content, bytes) else content
        if isinstance(content, bytes):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        yield Extra(str(entry.path), files.add(path))
