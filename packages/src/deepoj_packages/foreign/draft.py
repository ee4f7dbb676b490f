"""One problem of another format on its way to a ProblemSpec: its files, in a directory of their own."""

import os
import re
import shutil
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from pathlib import Path, PurePosixPath

from deepoj_domain.question.checker import Convention
from deepoj_packages.foreign.html_text import markdown_of
from deepoj_packages.languages import ending_of
from deepoj_packages.options import ReadingLimits
from deepoj_packages.refusal import PackageRefusedError, Reason, invalid, unsupported
from deepoj_packages.shared.programs import UnusableProgramError, program_of
from deepoj_packages.spec import (
    FULL_SCORE,
    SAMPLE,
    SECRET,
    Case,
    Expectation,
    FormatVersion,
    Group,
    IncludedFiles,
    LineValidator,
    Metadata,
    Outcome,
    OutputValidator,
    ProblemLimits,
    ProblemSpec,
    Sample,
    Source,
    Statement,
    StatementFormat,
    Submission,
    Validator,
)

_DATA = PurePosixPath("data")
_STATEMENT = PurePosixPath("statement")
_CHECKER = PurePosixPath("output_validator")
_NO_POINTS = Decimal(0)
_PICTURE = re.compile(r"\.(png|jpe?g|gif|webp|svg)$", re.IGNORECASE)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_OTHER = re.compile(r"[^a-z0-9]+")
_MOST_SHORT_NAME = 50
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,4})?")
_NUMBERS = re.compile(r"([0-9]+)")
_LONGEST_NUMBER = 30
_FILES_A_FILE = 4
"""A file of a package may be used in several places, and lines of it may each become one."""
_HEADINGS = {
    "en": {"input": "Input", "output": "Output", "hint": "Notes"},
    "zh": {"input": "输入", "output": "输出", "hint": "提示"},
}


@dataclass(frozen=True, slots=True)
class Section:
    """`kind` is empty for what comes first and has no heading."""

    kind: str
    text: str
    is_html: bool


@dataclass(slots=True)
class Draft:
    root: Path
    format: FormatVersion
    limits: ReadingLimits
    title: str
    warnings: list[str] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    submissions: list[Submission] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)
    """By the address a statement uses, the name they have here."""
    titles: dict[str, str] = field(default_factory=dict)
    """By language, where they differ."""
    statements: dict[str, Statement] = field(default_factory=dict)
    printed: dict[str, Statement] = field(default_factory=dict)
    _taken: dict[Path, PurePosixPath] = field(default_factory=dict)
    _places: int = 0
    _put: dict[PurePosixPath, Path] = field(default_factory=dict)

    def warn(self, sentence: str) -> None:
        if sentence not in self.warnings:
            self.warnings.append(sentence)

    def place(self, file: PurePosixPath) -> Path:
        if file.is_absolute() or ".." in file.parts:
            raise PackageRefusedError(
                Reason.UNSAFE_NAME, f"the name {str(file)[:80]!r} leads out of the package"
            )
        self._places += 1
        if self._places > _FILES_A_FILE * self.limits.files:
            raise PackageRefusedError(
                Reason.TOO_LARGE,
                f"the problem would have more than {_FILES_A_FILE * self.limits.files} files",
            )
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, file: PurePosixPath, content: bytes | str) -> PurePosixPath:
        self.place(file).write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def take(self, file: PurePosixPath, source: Path) -> PurePosixPath:
        """Give the content of a file that lies elsewhere a place here; one that has a place keeps it."""
        if source not in self._taken:
            self._taken[source] = self.put(file, source)
        return self._taken[source]

    def put(self, file: PurePosixPath, source: Path) -> PurePosixPath:
        """As `take`, but at this very place: a program has its files beside it."""
        if self._put.setdefault(file, source) != source:
            raise invalid(f"two files of the package would be {file}: rename one of them")
        place = self.place(file)
        if not place.exists():
            try:
                os.link(source.resolve(), place)
            except OSError:
                shutil.copyfile(source, place)
        return file

    def add_picture(self, address: str, content: bytes) -> None:
        ending = _PICTURE.search(address)
        name = f"picture-{len(self.pictures) + 1}{ending[0].lower() if ending else '.png'}"
        self.write(_STATEMENT / name, content)
        self.pictures[address] = name

    def add_statement(self, sections: list[Section]) -> None:
        whole = "".join(section.text for section in sections)
        language = "zh" if _CHINESE.search(self.title + whole) else "en"
        parts = []
        for section in sections:
            if section.text.strip():
                text = markdown_of(section.text, self.pictures) if section.is_html else section.text
                heading = _HEADINGS[language].get(section.kind, "")
                parts.append(f"## {heading}\n\n{text.strip()}\n" if heading else f"{text.strip()}\n")
        if not parts:
            self.warn("there is no problem statement")
        self.keep_statement(language, "\n".join(parts))

    def keep_statement(
        self, language: str, text: str, format_: StatementFormat = StatementFormat.MARKDOWN
    ) -> None:
        file = self.write(_STATEMENT / f"problem.{_language(language)}.{format_}", text)
        self.statements[language] = Statement(language, format_, file)

    def keep_print(self, language: str, pdf: Path) -> None:
        file = self.put(_STATEMENT / f"problem.{_language(language)}.pdf", pdf)
        self.printed[language] = Statement(language, StatementFormat.PDF, file)

    def add_sample(self, given: str, answer: str) -> None:
        """Samples are judged before the rest, and shown."""
        name = f"{SAMPLE}/{len(self.samples) + 1}"
        files = self.write(_DATA / f"{name}.in", given), self.write(_DATA / f"{name}.ans", answer)
        self.cases.append(_case(name, SAMPLE, *files))
        self.samples.append(Sample(name=name, input=files[0], output=files[1]))

    def add_case(
        self, name: str, group: str, given: Path, answer: Path, points: Decimal = _NO_POINTS
    ) -> None:
        files = self.take(_DATA / f"{name}.in", given), self.take(_DATA / f"{name}.ans", answer)
        self.cases.append(_case(name, group, *files, points))

    def add_solution(self, language: str, code: str) -> None:
        """An example that must be accepted; what we cannot run is left out."""
        ending = ending_of(language)
        if ending is None:
            self.warn(f"a solution is left out: its language {language[:40]!r} is not known here")
            return
        number = len(self.submissions) + 1
        name = f"accepted/solution-{number}{ending}"
        at = self.write(PurePosixPath("submissions", name), code)
        try:
            program = program_of(at, (at,))
        except UnusableProgramError as error:
            self.warn(f"a solution is left out: {error.sentence}")
            return
        expected = Expectation(permitted=frozenset({Outcome.AC}))
        self.submissions.append(Submission(name=name, program=program, expectations=(expected,)))

    def special_judge(
        self, language: str, code: str, convention: Convention, headers: tuple[Path, ...] = ()
    ) -> OutputValidator:
        """A checker that stands in the description of a problem."""
        ending = ending_of(language)
        if ending is None:
            raise unsupported(f"its checker is written in {language[:40]!r}, which is not known here")
        at = self.write(_CHECKER / f"checker{ending}", code)
        try:
            files = (at, *(self.put(_CHECKER / header.name, header) for header in headers))
            return OutputValidator(program=program_of(_CHECKER, files), convention=convention)
        except UnusableProgramError as error:
            raise unsupported(f"its checker cannot be used: {error.sentence}") from error

    def spec(
        self,
        *,
        short_name: str,
        limits: ProblemLimits,
        groups: tuple[Group, ...] = (),
        validator: Validator | None = None,
        source: str = "",
        keywords: tuple[str, ...] = (),
        included: tuple[IncludedFiles, ...] = (),
    ) -> ProblemSpec:
        """Without groups every case must be right."""
        if not any(not case.is_sample for case in self.cases):
            raise invalid("it has no test data")
        judged = any(case.group == SAMPLE for case in self.cases)
        samples = (Group(name=SAMPLE, points=Decimal(0)),) if judged else ()
        secret = Group(name=SECRET, points=FULL_SCORE, depends_on=(SAMPLE,) if samples else ())
        for needed, sentence in (
            (self.samples, "there are no sample cases"),
            (self.submissions, "there is no accepted submission, so nothing shows that it can be solved"),
        ):
            if not needed:
                self.warn(sentence)
        pictures = tuple(_STATEMENT / name for name in self.pictures.values())
        return ProblemSpec(
            root=self.root,
            short_name=short_name,
            format=self.format,
            names=tuple(
                (language, self.titles.get(language, self.title))
                for language in sorted({*self.statements, *self.printed})
            ),
            scoring=bool(groups),
            metadata=Metadata(sources=(Source(source),) if source else (), keywords=keywords),
            limits=limits,
            statements=tuple(
                shelf[language]
                for language in sorted({*self.statements, *self.printed})
                for shelf in (self.statements, self.printed)
                if language in shelf
            ),
            images=pictures,
            samples=tuple(self.samples),
            groups=(*samples, *(groups or (secret,))),
            cases=tuple(self.cases),
            validator=validator or LineValidator(),
            included=included,
            submissions=tuple(self.submissions),
            warnings=tuple(self.warnings),
        )


def _language(code: str) -> str:
    if not _LANGUAGE.fullmatch(code):
        raise invalid(f"a statement is in {code[:40]!r}, which is no code of a language")
    return code


def _case(
    name: str, group: str, given: PurePosixPath, answer: PurePosixPath, points: Decimal = _NO_POINTS
) -> Case:
    return Case(
        name=name,
        group=group,
        input=given,
        answer=answer,
        points=points,
        is_sample=group == SAMPLE,
        full_feedback=group == SAMPLE,
    )


def numeric_key(name: str) -> tuple[tuple[str, int], ...]:
    """Text and numbers in turn, so that 2 comes before 10."""
    parts = _NUMBERS.split(name)
    return tuple(
        (text, int(number[:_LONGEST_NUMBER]) if number else -1)
        for text, number in zip(parts[::2], [*parts[1::2], ""], strict=True)
    )


def short_name_of(format_: FormatVersion, *texts: str) -> str:
    """The first text that has letters for it, else one that is the same whenever it is read again."""
    for text in texts:
        name = _OTHER.sub("-", text.lower()).strip("-")
        if text.isascii() and 0 < len(name) <= _MOST_SHORT_NAME:
            return name
    return f"{format_}-{sha256(' '.join(texts).encode()).hexdigest()[:10]}"
