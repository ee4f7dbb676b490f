"""What people read: statements, samples and the files beside them."""

from __future__ import annotations

from pathlib import PurePosixPath

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.question.presentation import (
    MOST_SAMPLE,
    MOST_SAMPLES,
    Asset,
    Presentation,
    Sample,
    Statement,
    StatementFormat,
)
from deepoj_packages.spec import ProblemSpec
from deepoj_packages.spec import Sample as PackageSample
from deepoj_packages.spec import Statement as PackageStatement
from deepoj_packages.spec import StatementFormat as PackageFormat
from deepoj_packages.statements.assets import assets_of, content_type
from deepoj_question.outbound.packages.files import FileIndex


class Texts:
    def __init__(self, spec: ProblemSpec, files: FileIndex) -> None:
        self.warnings: list[str] = []
        self._spec = spec
        self._files = files
        self._assets: dict[str, Asset] = {}

    def presentation(self) -> Presentation:
        statements, samples = self._statements(), self._samples()
        for name, file in assets_of(self._spec).items():
            self._add_asset(name, file)
        assets = tuple(self._assets[name] for name in sorted(self._assets))
        return Presentation(statements=statements, samples=samples, assets=assets)

    def _statements(self) -> tuple[Statement, ...]:
        texts = {
            each.language: each for each in self._spec.statements if each.format is not PackageFormat.PDF
        }
        prints = {each.language: each for each in self._spec.statements if each.format is PackageFormat.PDF}
        languages = sorted({*texts, *prints}, key=lambda language: (language != "en", language))
        made = [self._statement(each, texts.get(each), prints.get(each)) for each in languages]
        return tuple(made) or (Statement("en", self._spec.title, ""),)

    def _statement(
        self, language: str, text: PackageStatement | None, printed: PackageStatement | None
    ) -> Statement:
        return Statement(
            language,
            dict(self._spec.names).get(language, self._spec.title),
            "" if text is None else self._source(text),
            StatementFormat.TEX if text and text.format is PackageFormat.TEX else StatementFormat.MARKDOWN,
            "" if printed is None else printed.file.name,
        )

    def _source(self, statement: PackageStatement) -> str:
        text = self._text(statement.file)
        match statement.format:
            case PackageFormat.MARKDOWN | PackageFormat.TEX | PackageFormat.PDF:
                return text
            case PackageFormat.TEXT | PackageFormat.HTML:
                return f"````\n{text}\n````\n"

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
        try:
            self._assets[name] = Asset(name, content_type(file), self._files.add(path), path.stat().st_size)
        except InvalidValueError as error:
            raise InvalidValueError(error.code, f"{file}: {error}") from error

    def _size(self, file: PurePosixPath) -> int:
        return self._spec.path(file).stat().st_size

    def _text(self, file: PurePosixPath) -> str:
        text = self._spec.path(file).read_text(encoding="utf-8", errors="replace")
        return text.replace("\0", "\ufffd")
