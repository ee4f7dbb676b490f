from collections.abc import Callable
from dataclasses import replace

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import (
    Convention,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    ProgramChecker,
    SourceFile,
)
from deepoj_domain.question.limits import Allowance, LanguageAllowance
from deepoj_domain.question.listing import Level, Listing, question_slug, tag
from deepoj_domain.question.presentation import (
    MOST_MARKDOWN,
    MOST_SAMPLE,
    MOST_TITLE,
    Asset,
    Presentation,
    Sample,
    Statement,
)
from deepoj_domain.question.revision import MOST_CASES, Extra, Judging
from deepoj_domain.question.submission_form import FileNames, IncludedFiles, SubmissionForm
from deepoj_domain.question.suite import StopPolicy, Suite
from deepoj_domain.testing import some_content, some_judging

PYTHON = language_slug("python3")
JUDGING = some_judging()
SUITE = JUDGING.suite
PICTURE = Asset("a.png", "image/png", hash_of(b"picture"), 7)
ENGLISH = Statement("en", "Sum", "Add.")
SOURCE = SourceFile("check.py", hash_of(b"check"))
INCLUDED = IncludedFiles(languages=frozenset(), files=(SourceFile("grader.cpp", hash_of(b"g")),))
PROGRAM = ProgramChecker(sources=(SOURCE,), language=PYTHON, convention=Convention.ICPC)
OF_SOURCE = replace(PROGRAM, convention=Convention.SOURCE)


def _suite(**changes: object) -> Suite:
    return replace(SUITE, cases=(replace(SUITE.cases[0], **changes), *SUITE.cases[1:]))  # type: ignore[arg-type]  # any field


def _many_cases(**changes: object) -> Suite:
    [case, *_] = _suite(**changes).cases
    return replace(SUITE, cases=tuple(replace(case, name=str(number)) for number in range(60)))


def _files(*names: str) -> tuple[SourceFile, ...]:
    return tuple(SourceFile(name, hash_of(b"")) for name in names)


READS_A_FILE = SubmissionForm(file_names=FileNames(input="a.in", output="a.out"))


@pytest.mark.parametrize(
    "other",
    [
        replace(JUDGING, suite=_suite(input=hash_of(b"other"))),
        replace(JUDGING, suite=_suite(answer=hash_of(b"other"))),
        replace(JUDGING, suite=replace(SUITE, cases=SUITE.cases[::-1])),
        replace(JUDGING, suite=replace(SUITE, stop=StopPolicy.RUN_ALL)),
        replace(JUDGING, checker=LineChecker()),
        replace(JUDGING, checker=FloatChecker()),
        replace(JUDGING, languages=frozenset({PYTHON})),
        replace(JUDGING, suite=_suite(time_ms=500)),
        replace(JUDGING, suite=_suite(memory_bytes=1 << 24)),
        replace(JUDGING, suite=_suite(arguments=("",))),
        replace(JUDGING, suite=_suite(files=_files("a"))),
        replace(JUDGING, form=SubmissionForm(file_names=FileNames(input="a.in"))),
        replace(JUDGING, form=SubmissionForm(included=(INCLUDED,))),
        replace(JUDGING, form=SubmissionForm(answers=True)),
        replace(JUDGING, suite=_suite(of_source=True), source_checker=OF_SOURCE),
        replace(
            JUDGING,
            suite=replace(SUITE, groups=(replace(SUITE.groups[0], lowered_by_dependencies=True),)),
        ),
        replace(JUDGING, allowance=replace(JUDGING.allowance, time_ms=1001)),
        replace(JUDGING, allowance=replace(JUDGING.allowance, memory_bytes=1 << 20)),
        replace(
            JUDGING,
            allowance=replace(
                JUDGING.allowance, per_language=(LanguageAllowance(language=PYTHON, time_ms=9),)
            ),
        ),
    ],
)
def test_the_judge_hash_changes_with_whatever_can_change_a_verdict(other: Judging) -> None:
    assert other.hash != JUDGING.hash


def test_the_judge_hash_changes_with_what_a_checker_program_asks_for() -> None:
    plain = replace(PROGRAM, interactive=True, convention=Convention.TESTLIB)
    others = (
        replace(plain, convention=Convention.COCI),
        replace(plain, checker=PROGRAM),
        replace(PROGRAM, passes=2),
        replace(PROGRAM, passes=3),
    )
    hashes = {replace(JUDGING, checker=each).hash for each in (plain, PROGRAM, *others)}
    assert len(hashes) == len(others) + 2


def test_what_an_older_revision_does_not_know_leaves_its_judge_hash_as_it_was() -> None:
    assert JUDGING.hash == "ee876c26a9d6bbcf53f281bfc0a5469a9db0069f07da422c2004be0f082af407"
    program = replace(PROGRAM, sources=(SourceFile("main.py", hash_of(b"1")),), convention=Convention.TESTLIB)
    judging = replace(JUDGING, checker=program)
    assert judging.hash == "1fdcd75abfe82bd161a435fe8b2964911e69cee8cb3d3daaeefdd061d842f945"


def test_the_judge_hash_is_the_same_for_the_same_judging_whatever_the_statement_says() -> None:
    assert some_content("Sum").judging.hash == some_content("Total").judging.hash
    languages = [frozenset(map(language_slug, names)) for names in (["c11", "go"], ["go", "c11"])]
    first, second = (replace(JUDGING, languages=each).hash for each in languages)
    assert first == second


def test_a_restriction_to_no_language_is_refused() -> None:
    with pytest.raises(InvalidValueError):
        replace(JUDGING, languages=frozenset())


def test_more_cases_than_fit_a_message_are_refused() -> None:
    cases = tuple(Case(str(n), "all", hash_of(b""), hash_of(b"")) for n in range(MOST_CASES + 1))
    with pytest.raises(InvalidValueError) as refused:
        replace(JUDGING, suite=replace(SUITE, cases=cases))
    assert refused.value.code == "too_many_cases"


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: replace(JUDGING, suite=_suite(time_ms=-1)), "time_limit_out_of_range"),
        (lambda: replace(JUDGING, suite=_suite(memory_bytes=1)), "memory_limit_out_of_range"),
        (lambda: replace(JUDGING, suite=_suite(of_source=True)), "source_checker_missing"),
        (lambda: replace(JUDGING, source_checker=OF_SOURCE), "source_checker_unused"),
        (
            lambda: replace(JUDGING, suite=_suite(of_source=True), source_checker=PROGRAM),
            "source_checker",
        ),
        (lambda: replace(JUDGING, checker=OF_SOURCE), "checker_of_source"),
        (lambda: replace(OF_SOURCE, interactive=True), "checker_interactive"),
        (lambda: replace(OF_SOURCE, passes=2), "checker_passes"),
        (
            lambda: replace(
                JUDGING,
                suite=_suite(of_source=True),
                source_checker=replace(OF_SOURCE, arguments=("x" * 200,)),
            ),
            "checker_arguments_too_long",
        ),
        (
            lambda: replace(
                JUDGING,
                suite=_suite(of_source=True),
                source_checker=OF_SOURCE,
                form=SubmissionForm(answers=True),
            ),
            "answers_alone",
        ),
        (lambda: _suite(of_source=True, arguments=("a",)), "case_of_source"),
        (lambda: _suite(of_source=True, time_ms=500), "case_of_source"),
        (
            lambda: replace(
                JUDGING,
                checker=replace(PROGRAM, interactive=True),
                form=SubmissionForm(file_names=FileNames(output="a.out")),
            ),
            "form_interactive",
        ),
        (
            lambda: replace(JUDGING, checker=replace(PROGRAM, passes=2), form=SubmissionForm(answers=True)),
            "form_passes",
        ),
        (lambda: _suite(arguments=("a\0b",)), "case_arguments"),
        (lambda: _suite(arguments=("\ud800",)), "case_arguments"),
        (lambda: _suite(arguments=("",) * 101), "case_arguments"),
        (lambda: _suite(arguments=("é" * 1000,)), "case_arguments"),
        (lambda: replace(JUDGING, suite=_many_cases(arguments=("x" * 1999,))), "case_arguments"),
        (lambda: _suite(files=(SOURCE, SOURCE)), "case_files"),
        (lambda: _suite(files=_files("a", "a/b")), "case_files"),
        (lambda: _suite(files=_files("a/b", "a/b/c/d")), "case_files"),
        (lambda: _suite(files=_files(*map(str, range(51)))), "case_files"),
        (lambda: replace(JUDGING, suite=_many_cases(files=_files(*map(str, range(50))))), "case_files"),
        (lambda: replace(JUDGING, suite=_suite(files=_files("a.in/x")), form=READS_A_FILE), "case_files"),
        (lambda: replace(JUDGING, suite=_suite(files=_files("a.out")), form=READS_A_FILE), "case_files"),
        (
            lambda: replace(JUDGING, suite=_suite(arguments=("x",)), form=SubmissionForm(answers=True)),
            "answers_alone",
        ),
        (
            lambda: replace(JUDGING, suite=_suite(files=_files("a")), form=SubmissionForm(answers=True)),
            "answers_alone",
        ),
        (lambda: replace(JUDGING, suite=_suite(name="x" * 101)), "name_too_long"),
        (lambda: replace(JUDGING, suite=_suite(checker_arguments=("fast",))), "checker_arguments"),
        (
            lambda: replace(JUDGING, checker=IcpcChecker(), suite=_suite(checker_arguments=("no_such",))),
            "checker_flag",
        ),
        (
            lambda: replace(JUDGING, checker=replace(PROGRAM, arguments=("x" * 200,))),
            "checker_arguments_too_long",
        ),
        (
            lambda: replace(
                JUDGING,
                checker=replace(PROGRAM, sources=tuple(replace(SOURCE, name=f"{n}.h") for n in range(51))),
            ),
            "checker_sources",
        ),
        (lambda: Statement("en", " ", ""), "title_empty"),
        (lambda: Statement("en", "a\nb", ""), "title_empty"),
        (lambda: Statement("en", "x" * (MOST_TITLE + 1), ""), "title_too_long"),
        (lambda: Statement("english!", "Sum", ""), "locale_malformed"),
        (lambda: Statement("en", "Sum", "é" * MOST_MARKDOWN), "statement_too_large"),
        (lambda: Statement("en", "Sum", "\0"), "text_malformed"),
        (lambda: Statement("en", "Sum", "\ud800"), "text_malformed"),
        (lambda: Sample("x" * (MOST_SAMPLE + 1), ""), "sample_too_large"),
        (lambda: replace(PICTURE, name="../a.png"), "asset_name_malformed"),
        (lambda: replace(PICTURE, name=".hidden"), "asset_name_malformed"),
        (lambda: replace(PICTURE, name="a/../b.png"), "asset_name_malformed"),
        (lambda: replace(PICTURE, name="a/" + "b" * 99), "asset_name_malformed"),
        (lambda: Extra("a/../b", PICTURE.content), "extra_path_malformed"),
        (lambda: Extra("/a", PICTURE.content), "extra_path_malformed"),
        (lambda: replace(some_content(), extras=(Extra("a", PICTURE.content),) * 2001), "too_many_extras"),
        (lambda: replace(PICTURE, content_type="text/html"), "asset_type_refused"),
        (lambda: replace(PICTURE, size=1 << 40), "asset_too_large"),
        (lambda: Presentation(statements=()), "no_statement"),
        (lambda: Presentation(statements=(ENGLISH, replace(ENGLISH, locale="EN"))), "locale_twice"),
        (lambda: Presentation(statements=(ENGLISH,), assets=(PICTURE, PICTURE)), "asset_twice"),
        (lambda: Presentation(statements=(ENGLISH,), samples=(Sample("", ""),) * 21), "too_many_samples"),
        (
            lambda: Presentation(statements=(ENGLISH,), samples=(Sample("x" * MOST_SAMPLE, ""),) * 17),
            "texts_too_large",
        ),
        (lambda: question_slug("A B"), "slug_malformed"),
        (lambda: question_slug("-a"), "slug_malformed"),
        (lambda: question_slug("01980000-0000-7000-8000-00000000000a"), "slug_malformed"),
        (lambda: tag("a,b"), "tag_malformed"),
        (lambda: tag(""), "tag_malformed"),
        (
            lambda: Listing(slug=question_slug("a"), tags=frozenset(map(tag, "abcdefghijklmnopqrstu"))),
            "too_many_tags",
        ),
        (lambda: Allowance(time_ms=0, memory_bytes=1 << 20), "time_limit_out_of_range"),
        (lambda: Allowance(time_ms=1, memory_bytes=1), "memory_limit_out_of_range"),
        (
            lambda: Allowance(time_ms=1, memory_bytes=1 << 20, source_bytes=1 << 30),
            "source_limit_out_of_range",
        ),
        (
            lambda: Allowance(
                time_ms=1, memory_bytes=1 << 20, per_language=(LanguageAllowance(language=PYTHON),) * 2
            ),
            "language_twice",
        ),
    ],
)
def test_what_cannot_be_shown_or_judged_is_refused_by_name(make: Callable[[], object], code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        make()
    assert refused.value.code == code


@pytest.mark.parametrize(
    "name",
    [
        "", ".", "..", "../x", "/etc/passwd", "a/../b", "a//b", "a/./b", "a/", "a b", "a\n", "a\0b", "a\\b",
        "-rf", "a/-rf", ".profile", "a/.profile", "é" * 51, "$(id)",
    ],
)  # fmt: skip
def test_a_file_of_a_case_cannot_have_a_name_that_leads_elsewhere(name: str) -> None:
    with pytest.raises(InvalidValueError):
        _suite(files=_files(name))


def test_a_case_may_have_arguments_of_any_text_and_files_in_directories() -> None:
    suite = _suite(arguments=("", " ", "'\"$(id)", "a\nb", "é"), files=_files("map.txt", "a/b/c.txt", "é"))
    assert suite.cases[0].contents == (SUITE.cases[0].input, SUITE.cases[0].answer, *(hash_of(b""),) * 3)


def test_a_case_about_the_source_has_arguments_that_the_checker_of_outputs_would_not_take() -> None:
    suite = _suite(of_source=True, checker_arguments=("--strict",))
    judging = replace(JUDGING, suite=suite, source_checker=OF_SOURCE)
    assert judging.programs == (OF_SOURCE,)


def test_tags_are_folded_so_that_two_spellings_are_one() -> None:
    assert {tag("Graph  Theory"), tag("graph theory"), tag("C++")} == {"graph theory", "c++"}
    assert Listing(slug=question_slug("a"), level=Level.HARD).tags == frozenset()
