"""What a package says becomes a revision, and a revision a package that says the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.checker import (
    Checker,
    Convention,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    ProgramChecker,
    SourceFile,
    TokenChecker,
)
from deepoj_domain.question.limits import LanguageAllowance
from deepoj_domain.question.presentation import StatementFormat
from deepoj_domain.question.revision import Judging
from deepoj_domain.question.submission_form import FileNames, IncludedFiles, SubmissionForm
from deepoj_domain.question.suite import GroupScoring, StopPolicy
from deepoj_domain.testing import a_listing, some_content
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.exporting.modern import modern_entries
from deepoj_packages.options import ExportFormat, ReadingOptions
from deepoj_packages.read_package import read_directory
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import Recipe
from deepoj_packages.testing import LEGACY, MODERN, Files, write_package
from deepoj_question.commands.package_ports import MessageLevel, Package
from deepoj_question.outbound.packages.description import describe
from deepoj_question.outbound.packages.judging_reader import Defaults
from deepoj_question.outbound.packages.revision_of_package import package_of

DEFAULTS = Defaults(time_ms=1234, memory_bytes=64 << 20)
SCORING: Files = {
    **{name: text for name, text in MODERN.items() if not name.startswith("data/secret")},
    "problem.yaml": "problem_format_version: 2025-09\ntype: scoring\nname: Add\n"
    "uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nkeywords: [Sums, 'a,b']\nlanguages: [cpp, python3]\n"
    "limits:\n  memory: 100\n  output: 4\n  code: 64\n",
    "data/secret/test_group.yaml": "max_score: 100\nscore_aggregation: sum\n",
    "data/secret/a/test_group.yaml": "max_score: 40\n",
    "data/secret/a/1.in": "1 1\n",
    "data/secret/a/1.ans": "2\n",
    "data/secret/b/test_group.yaml": "max_score: 60\nrequire_pass: [secret/a]\nscore_aggregation: sum\n",
    "data/secret/b/1.in": "2 2\n",
    "data/secret/b/1.ans": "4\n",
    "data/secret/b/2.in": "3 3\n",
    "data/secret/b/2.ans": "6\n",
}  # fmt: skip
CALLED_WITH = ("", " a  b ", "'\"$x`", "é\n", "--", "yes", "1.10")
CALLED: Files = {
    "data/secret/test_group.yaml": "args: [all]\n",
    "data/secret/1.yaml": f"args: {json.dumps(CALLED_WITH)}\n",
    "data/secret/1.files/data.in": "1",
    "data/secret/1.files/maps/a.txt": "map",
    "data/secret/2.in": "4 5\n",
    "data/secret/2.ans": "9\n",
}
TRANSLATED: Files = {
    "problem.yaml": "problem_format_version: 2025-09\nname: {en: Add, sv: Addera, de: Plus}\n"
    "uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n",
    "statement/problem.sv.tex": "Addera $a+b$",
    "statement/problem.sv.pdf": b"%PDF-1.4",
    "statement/problem.de.pdf": b"%PDF-1.5",
}
LOOKED_AT: Files = {
    "static_validator/look.py": "import sys; sys.exit(42)",
    "data/sample/test_group.yaml": "static_validation_score: pass-fail\n",
    "data/secret/a/test_group.yaml": "static_validation_score: pass-fail\nstatic_validator_args: [a]\n",
    "data/secret/b/test_group.yaml": "",
    "data/secret/b/1.in": "",
    "data/secret/b/1.ans": "",
}
LOOKED_AT_FOR_POINTS: Files = {
    "static_validator/look.py": "import sys; sys.exit(42)",
    "data/secret/b/test_group.yaml": (
        "max_score: 60\nrequire_pass: [secret/a]\nscore_aggregation: sum\nstatic_validation_score: 30\n"
    ),
}
PASSES: Files = {
    "problem.yaml": "problem_format_version: 2025-09\nname: Add\ntype: [multi-pass, interactive]\n"
    "uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nlimits: {validation_passes: 3}\n",
    "output_validator/validate.py": "import sys; sys.exit(42)",
}
DRIVEN: Files = {
    "include/python3/main.py": "import add",
    "include/cpp/add.h": "int add(int, int);",
    "include/default/data.txt": "1",
}


def read(root: Path, files: Files) -> Package:
    spec = read_directory(write_package(root / "add", files), ReadingOptions())
    return package_of(spec, "add", DEFAULTS, root)


def test_what_programs_must_make_first_is_refused(tmp_path: Path) -> None:
    spec = read_directory(write_package(tmp_path / "add", MODERN), ReadingOptions())
    file = spec.cases[0].input
    made = Recipe(file=file, packed_as=file, program=spec.submissions[0].program)
    with pytest.raises(PackageRefusedError, match="import it alone with deepoj import") as refused:
        package_of(replace(spec, recipes=(made,)), "add", DEFAULTS, tmp_path)
    assert refused.value.reason is Reason.NOT_MADE


def test_a_plain_package_is_all_or_nothing_with_its_samples_shown(tmp_path: Path) -> None:
    package = read(tmp_path, MODERN)
    presentation, judging = package.content.presentation, package.content.judging
    [statement] = presentation.statements
    assert (statement.locale, statement.title, statement.markdown) == ("en", "Add", "Add two numbers.\n")
    assert [(each.input, each.output) for each in presentation.samples] == [("1 2\n", "3\n")]
    assert (judging.allowance.time_ms, judging.allowance.memory_bytes) == (2000, 64 << 20)
    assert [(case.name, case.is_sample) for case in judging.suite.cases] == [
        ("sample/1", True), ("secret/1", False),
    ]  # fmt: skip
    assert (judging.suite.full_score, judging.suite.stop) == (Score.points(100), StopPolicy.FIRST_FAILURE)
    assert (judging.checker, judging.languages) == (IcpcChecker(), None)
    assert [each.path for each in package.content.extras] == [
        "submissions/accepted/add.py", "input_validators/check.py",
    ]  # fmt: skip
    for content, path in package.files.items():
        assert hash_of(path.read_bytes()) == content
    assert judging.suite.cases[1].input == hash_of(b"4 5\n")


def test_subtasks_limits_languages_and_keywords_are_taken_over(tmp_path: Path) -> None:
    package = read(tmp_path, SCORING)
    judging = package.content.judging
    groups = {group.name: group for group in judging.suite.groups}
    assert groups["secret/a"].points == Score.points(40)
    assert (groups["secret/b"].scoring, groups["secret/b"].depends_on) == (GroupScoring.SUM, ("secret/a",))
    assert [case.points for case in judging.suite.cases_of(groups["secret/b"])] == [Score.points(30)] * 2
    allowance = judging.allowance
    assert (allowance.time_ms, allowance.memory_bytes) == (1234, 100 << 20)
    assert (allowance.output_bytes, allowance.source_bytes) == (4 << 20, 64 << 10)
    assert sorted(judging.languages or ()) == ["cpp17", "cpp20", "pypy3", "python3"]
    assert package.tags == {"sums"}
    assert any("a,b" in warning for warning in package.warnings)
    assert any("no time limit: it is 1234 ms" in warning for warning in package.warnings)


def test_flags_of_the_default_validator_are_written_once_and_where_they_differ(tmp_path: Path) -> None:
    extra = {
        "data/secret/test_group.yaml": "output_validator_args: [float_tolerance, 1e-6]\n",
        "data/secret/2.in": "1 1\n",
        "data/secret/2.ans": "2\n",
        "data/secret/2.yaml": "output_validator_args: [case_sensitive]\n",
        "data/secret/3.in": "1 1\n",
        "data/secret/3.ans": "2\n",
    }
    judging = read(tmp_path, {**MODERN, **extra}).content.judging
    assert judging.checker == IcpcChecker(absolute="1e-6", relative="1e-6")
    assert [(case.name, case.checker_arguments) for case in judging.suite.cases] == [
        ("sample/1", ()), ("secret/1", None), ("secret/2", ("case_sensitive",)), ("secret/3", None),
    ]  # fmt: skip


def test_an_output_validator_brings_all_its_files(tmp_path: Path) -> None:
    extra = {
        "problem.yaml": "name: Add\nvalidation: custom interactive\nlimits:\n  validation_time: 7\n",
        "output_validators/judge/aaa.h": "// header\n",
        "output_validators/judge/validate.cpp": "int main() {}\n",
    }
    checker = read(tmp_path, {**LEGACY, **extra}).content.judging.checker
    assert isinstance(checker, ProgramChecker)
    assert sorted(source.name for source in checker.sources) == ["aaa.h", "main.cpp"]
    assert (checker.convention, checker.interactive, checker.scores) == (Convention.ICPC, True, False)
    assert checker.language == "cpp20"
    assert checker.limits is not None
    assert checker.limits.cpu_ms == 7000


def test_images_and_attachments_become_assets_named_as_the_statement_names_them(tmp_path: Path) -> None:
    extra: Files = {
        "statement/problem.en.md": "![](fig/a.png)\n",
        "statement/fig/a.png": b"\x89PNG",
        "attachments/helper.py": "pass\n",
    }
    assets = read(tmp_path, {**MODERN, **extra}).content.presentation.assets
    assert [(asset.name, asset.content_type, asset.size) for asset in assets] == [
        ("attachments/helper.py", "application/octet-stream", 5), ("fig/a.png", "image/png", 4),
    ]  # fmt: skip


def test_a_statement_is_kept_in_its_format_and_a_pdf_beside_the_text(tmp_path: Path) -> None:
    package = read(tmp_path, {**MODERN, **TRANSLATED})
    by_locale = {each.locale: each for each in package.content.presentation.statements}
    assert list(by_locale) == ["en", "de", "sv"]
    swedish, german = by_locale["sv"], by_locale["de"]
    assert (swedish.title, swedish.markdown, swedish.format) == (
        "Addera", "Addera $a+b$", StatementFormat.TEX,
    )  # fmt: skip
    assert (swedish.pdf, german.pdf) == ("problem.sv.pdf", "problem.de.pdf")
    assert german.markdown == ""
    assert {asset.name for asset in package.content.presentation.assets} == {swedish.pdf, german.pdf}
    assert not any("problem.sv" in warning for warning in package.warnings)


def test_messages_tell_what_they_are_about_and_the_file(tmp_path: Path) -> None:
    files = {**SCORING, "data/sample/2.in": "1" * 70_000, "data/sample/2.ans": "1\n"}
    package = read(tmp_path, {**files, "statement/problem.en.md": "", "statement/problem.en.tex": ""})
    told = [(each.level, each.file, each.text[:20]) for each in package.messages]
    assert (MessageLevel.DANGER, "", "the package names no") in told
    assert (MessageLevel.INFO, "", "a keyword is left ou") in told
    assert (MessageLevel.WARNING, "statement/problem.en.tex", "statement/problem.en") in told
    assert package.warnings == tuple(each.text for each in package.messages)


def test_a_file_whose_name_has_spaces_is_told_whole_and_one_too_long_to_be_a_file_is_none(
    tmp_path: Path,
) -> None:
    case, long = "data/sample/of each", "长" * 400
    spaced = f"{case}.in.download"
    settings = str(MODERN["problem.yaml"]) + f"{long}: 1\n"
    package = read(
        tmp_path, {**MODERN, f"{case}.in": "", f"{case}.ans": "", spaced: "", "problem.yaml": settings}
    )
    told = {each.file: each.text for each in package.messages}
    assert told[spaced].startswith(f"{spaced} is not offered")
    assert any(long in each.text for each in package.messages)


def test_a_statement_in_html_is_shown_as_its_source(tmp_path: Path) -> None:
    package = read(tmp_path, {**LEGACY, "problem_statement/problem.sv.html": "<b>Addera</b>"})
    swedish = package.content.presentation.statement("sv")
    assert swedish.markdown == "````\n<b>Addera</b>\n````\n"
    assert any("problem.sv.html" in warning for warning in package.warnings)


def test_a_sample_that_is_too_large_is_judged_but_not_shown(tmp_path: Path) -> None:
    package = read(tmp_path, {**MODERN, "data/sample/2.in": "1" * 70_000, "data/sample/2.ans": "1\n"})
    assert len(package.content.presentation.samples) == 1
    assert len(package.content.judging.suite.cases) == 3
    assert any("sample/2" in warning for warning in package.warnings)


def test_what_cannot_be_shown_is_refused_with_the_name_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match="sum of images") as refused:
        read(tmp_path, {**MODERN, "statement/sum of images.png": bytes(10 * 1024 * 1024 + 1)})
    assert refused.value.code == "asset_too_large"


@pytest.mark.parametrize(
    "files",
    [
        MODERN,
        SCORING,
        LEGACY,
        {**MODERN, **TRANSLATED},
        {**MODERN, **PASSES},
        {**MODERN, **DRIVEN},
        {**MODERN, **CALLED},
        {**MODERN, "output_validator/build": "#!/bin/sh\n", "output_validator/a.cpp": ""},
        {**{name: text for name, text in MODERN.items() if "data/secret" not in name}, **LOOKED_AT},
        {**SCORING, **LOOKED_AT_FOR_POINTS},
    ],
    ids=[
        "pass-fail",
        "scoring",
        "legacy",
        "translated",
        "several runs",
        "included files",
        "arguments and files of cases",
        "scripts",
        "static validation",
        "static validation for points",
    ],
)
def test_an_exported_package_says_the_same(tmp_path: Path, files: Files) -> None:
    first = read(tmp_path / "first", files)
    again = exported(tmp_path, first)
    assert again.content.judging == first.content.judging
    assert again.content.judging.hash == first.content.judging.hash
    assert again.content.presentation == first.content.presentation
    assert again.tags == first.tags


def test_arguments_and_files_of_cases_are_taken_over(tmp_path: Path) -> None:
    package = read(tmp_path, {**MODERN, **CALLED})
    sample, first, second = package.content.judging.suite.cases
    assert (sample.arguments, first.arguments, second.arguments) == ((), CALLED_WITH, ("all",))
    assert [file.name for file in first.files] == ["data.in", "maps/a.txt"]
    assert package.files[first.files[1].content].read_bytes() == b"map"
    assert (sample.files, second.files) == ((), ())


@pytest.mark.parametrize(
    ("extra", "sentence"),
    [
        ({"data/secret/1.files/a b": ""}, "'a b' cannot name a file beside a program"),
        ({"data/secret/1.files/-rf": ""}, "'-rf' cannot name"),
        ({"data/secret/1.yaml": 'args: ["a\\0b"]\n'}, "zero byte"),
        ({"data/secret/1.yaml": f"args: [{'x' * 2000}]\n"}, "at most 100 arguments of 2000 bytes"),
    ],
    ids=["a space", "an option", "zero byte", "long"],
)
def test_arguments_and_files_that_no_run_could_have_are_refused(
    tmp_path: Path, extra: Files, sentence: str
) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        read(tmp_path, {**MODERN, **extra})


CHECKED = {"output_validator/main.cpp": "int main() {}", "output_validator/a.h": "//"}


@pytest.mark.parametrize(
    "files", [MODERN, LEGACY, {**MODERN, **CHECKED}], ids=["modern", "legacy", "checked"]
)
def test_a_legacy_export_says_the_same(tmp_path: Path, files: Files) -> None:
    first = read(tmp_path / "first", files)
    again = exported(tmp_path, first, ExportFormat.LEGACY)
    assert again.content.judging == first.content.judging


def exported(tmp_path: Path, package: Package, form: ExportFormat = ExportFormat.V2025_09) -> Package:
    listing = replace(a_listing("add"), tags=package.tags)
    described = describe(tmp_path / "source", listing, package.content)
    for path, content in described.objects.items():
        place(tmp_path / "source" / path).write_bytes(package.files[content].read_bytes())
    for path, text in described.texts.items():
        place(tmp_path / "source" / path).write_text(text)
    export_directory(described.spec, tmp_path / "out" / "add", form)
    return package_of(read_directory(tmp_path / "out" / "add", ReadingOptions()), "add", DEFAULTS, tmp_path)


def place(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


PYTHON = language_slug("python3")
JUDGING = some_content().judging
PROGRAM = ProgramChecker(
    sources=(SourceFile("check.py", hash_of(b"check")),), language=PYTHON, convention=Convention.ICPC
)
SHORT = replace(JUDGING.suite.cases[0], time_ms=500)
OF_SOURCE = [replace(case, of_source=True) for case in JUDGING.suite.cases[:2]]
LOWERED = replace(JUDGING.suite.groups[0], lowered_by_dependencies=True)


def graded(
    language: LanguageSlug | None, name: str, main: str | None = None, source_name: str = ""
) -> SubmissionForm:
    included = IncludedFiles(
        languages=frozenset({language} if language else ()),
        files=(SourceFile(name, hash_of(b"grader")),),
        main=name if main is None else main,
        source_name=source_name,
    )
    return SubmissionForm(included=(included,))


PER_LANGUAGE = replace(JUDGING.allowance, per_language=(LanguageAllowance(language=PYTHON, time_ms=1),))


@pytest.mark.parametrize(
    "judging",
    [
        replace(JUDGING, checker=LineChecker(collapse_spaces=True)),
        replace(JUDGING, checker=replace(PROGRAM, convention=Convention.TESTLIB)),
        replace(JUDGING, allowance=PER_LANGUAGE),
        replace(JUDGING, form=SubmissionForm(file_names=FileNames(input="a.in"))),
        replace(JUDGING, form=graded(PYTHON, "grader.py", source_name="solution.py")),
        replace(JUDGING, form=graded(language_slug("cpp17"), "grader.cpp")),
        replace(JUDGING, suite=replace(JUDGING.suite, cases=(SHORT, *JUDGING.suite.cases[1:]))),
        replace(JUDGING, suite=replace(JUDGING.suite, groups=(LOWERED,))),
        replace(
            JUDGING,
            source_checker=replace(PROGRAM, convention=Convention.SOURCE),
            suite=replace(JUDGING.suite, cases=(*OF_SOURCE, *JUDGING.suite.cases[2:])),
        ),
    ],
    ids=[
        "lines", "testlib", "limits of a language", "files by name", "a grader of another name",
        "one language of several", "limits of a case", "a lowered group",
        "two cases about the source",
    ],
)  # fmt: skip
def test_what_no_package_can_say_is_refused_instead_of_being_lost(tmp_path: Path, judging: Judging) -> None:
    content = replace(some_content(), judging=judging)
    with pytest.raises(PackageRefusedError):
        list(modern_entries(describe(tmp_path, a_listing(), content).spec))


@pytest.mark.parametrize(
    ("checker", "flags"),
    [
        (TokenChecker(), ("case_sensitive",)),
        (FloatChecker(absolute="1e-3"),
         ("case_sensitive", "float_absolute_tolerance", "1e-3", "float_relative_tolerance", "0")),
        (IcpcChecker(space_change_sensitive=True, relative="1"),
         ("space_change_sensitive", "float_relative_tolerance", "1")),
    ],
)  # fmt: skip
def test_our_own_checkers_become_flags_of_the_default_validator(
    tmp_path: Path, checker: Checker, flags: tuple[str, ...]
) -> None:
    content = replace(some_content(), judging=replace(JUDGING, checker=checker))
    described = describe(tmp_path, a_listing(), content)
    assert {case.output_validator_args for case in described.spec.cases} == {flags}
    assert [case.name for case in described.spec.cases] == ["secret/1", "secret/2", "secret/3"]
