"""What a question puts beside a submission: graders, stubs, headers. They replace what it has itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from deepoj_domain.question.submission_form import IncludedFiles, SubmissionForm
from deepoj_judgement.commands.judge.ports import TestData
from deepoj_judgement.commands.judge.program import CompileFailed, Source, entry_of, files_of
from deepoj_languages.language import Language


@dataclass(frozen=True, slots=True)
class CompilerInput:
    files: Mapping[str, bytes]
    entry: str
    """Where the program begins; empty: in the file its language looks for."""
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """Files that nobody compiles: the program finds them where it starts."""


async def include(
    data: TestData, form: SubmissionForm, language: Language, source: Source
) -> CompilerInput | CompileFailed:
    own = CompilerInput(files_of(source, language.source_name), entry_of(source))
    included = form.included_for(language.slug)
    if included is None and form.needs_driver:
        return CompileFailed(f"this problem cannot be solved in {language.name}: nothing calls it\n".encode())
    if included is None:
        return own
    async with data.borrow([file.content for file in included.files]) as blobs:
        contents = {file.name: blobs[file.content].path.read_bytes() for file in included.files}
    return _merged(own, included, contents, language)


def _merged(
    own: CompilerInput, included: IncludedFiles, contents: Mapping[str, bytes], language: Language
) -> CompilerInput:
    first = own.entry or next((name for name in own.files if name == language.source_name), "")
    name = included.source_name or _free(first, contents)
    renamed = {(name if each == first else each): content for each, content in own.files.items()}
    if name in renamed:
        renamed[name] = _surrounded(renamed[name], included, contents)
    others = {
        each: content for each, content in contents.items() if each not in {included.before, included.after}
    }
    beside = {each: content for each, content in others.items() if not each.endswith(language.suffixes)}
    return CompilerInput({**renamed, **others}, included.main or name, beside)


def _surrounded(source: bytes, included: IncludedFiles, contents: Mapping[str, bytes]) -> bytes:
    """Each part begins a line of its own."""
    parts = (contents.get(included.before, b""), source, contents.get(included.after, b""))
    return b"\n".join(part for part in parts if part)


def _free(name: str, taken: Mapping[str, bytes]) -> str:
    """The name of a submission is ours to choose, so it never stands in the way of an included file."""
    while name in taken:
        path = PurePosixPath(name)
        name = str(path.with_name(f"submitted_{path.name}"))
    return name
