"""What people read: statements, samples and the files beside them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.question.presentation import (
    MOST_SAMPLE,
    MOST_SAMPLES,
    Asset,
    Presentation,
    Sample,
    Statement,
)
from deepoj_packages.spec import ProblemSpec, StatementFormat
from deepoj_packages.spec import Sample as PackageSample
from deepoj_packages.spec import Statement as PackageStatement
from deepoj_question.outbound.packages.files import FileIndex

# What a browser shows best comes first.
_PREFERRED: Final = (
    StatementFormat.MARKDOWN,
    StatementFormat.TEXT,
    StatementFormat.TEX,
    StatementFormat.PDF,
    StatementFormat.HTML,
)
_CONTENT_TYPES: Final[Mapping[str, str]] = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webp": "image/webp",
    ".zip": "application/zip",
}
_BINARY: Final = "application/octet-stream"


class Texts:
    def __init__(self, spec: ProblemSpec, files: FileIndex) -> None:
        self.warnings: list[str] = []
        self._spec = spec
        self._files = files
        self._assets: dict[str, Asset] = {}

    def presentation(self) -> Presentation:
        statements, samples = self._statements(), self._samples()
        for image in self._spec.images:
            # Named as the Markdown beside it names them.
            self._add_asset("/".join(image.parts[1:]), image)
        for attachment in self._spec.attachments:
            self._add_asset(str(attachment), attachment)
        assets = tuple(self._assets[name] for name in sorted(self._assets))
        return Presentation(statements=statements, samples=samples, assets=assets)

    def _statements(self) -> tuple[Statement, ...]:
        by_language: dict[str, PackageStatement] = {}
        for each in sorted(self._spec.statements, key=lambda found: _PREFERRED.index(found.format)):
            by_language.setdefault(each.language, each)
        titles = dict(self._spec.names)
        languages = sorted(by_language, key=lambda language: (language != "en", language))
        made = [
            Statement(language, titles.get(language, self._spec.title), self._markdown(by_language[language]))
            for language in languages
        ]
        return tuple(made) or (Statement("en", self._spec.title, ""),)

    def _markdown(self, statement: PackageStatement) -> str:
        match statement.format:
            case StatementFormat.MARKDOWN:
                return self._text(statement.file)
            case StatementFormat.TEXT | StatementFormat.TEX | StatementFormat.HTML:
                self.warnings.append(f"{statement.file}: shown as its source; write it in Markdown")
                return f"````\n{self._text(statement.file)}\n````\n"
            case StatementFormat.PDF:
                name = statement.file.name
                self._add_asset(name, statement.file)
                return f"[{name}]({name})\n"

    def _samples(self) -> tuple[Sample, ...]:
        found = [sample for each in self._spec.samples if (sample := self._sample(each)) is not None]
        if len(found) > MOST_SAMPLES:
            self.warnings.append(f"only the first {MOST_SAMPLES} of {len(found)} samples are shown")
        return tuple(found[:MOST_SAMPLES])

    def _sample(self, sample: PackageSample) -> Sample | None:
        parts = (sample.input, sample.output, sample.interaction)
        if any(part is not None and self._size(part) > MOST_SAMPLE for part in parts):
            self.warnings.append(f"{sample.name}: not shown, it is larger than {MOST_SAMPLE} bytes")
            return None
        given, answer, talk = (self._text(part) if part is not None else "" for part in parts)
        return Sample(given, answer, f"```\n{talk}```\n" if talk else "")

    def _add_asset(self, name: str, file: PurePosixPath) -> None:
        path = self._spec.path(file)
        content_type = _CONTENT_TYPES.get(file.suffix.lower(), _BINARY)
        try:
            self._assets[name] = Asset(name, content_type, self._files.add(path), path.stat().st_size)
        except InvalidValueError as error:
            raise InvalidValueError(error.code, f"{file}: {error}") from error

    def _size(self, file: PurePosixPath) -> int:
        return self._spec.path(file).stat().st_size

    def _text(self, file: PurePosixPath) -> str:
        text = self._spec.path(file).read_text(encoding="utf-8", errors="replace")
        return text.replace("\0", "\ufffd")
