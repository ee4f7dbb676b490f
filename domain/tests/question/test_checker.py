from dataclasses import replace

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import (
    Communication,
    Convention,
    ExactChecker,
    FloatChecker,
    IcpcChecker,
    ProgramChecker,
    SourceFile,
    programs_of,
    with_arguments,
)

CONTENT = hash_of(b"source")
PROGRAM = ProgramChecker(
    sources=(SourceFile("check.py", CONTENT),), language=language_slug("python3"), convention=Convention.ICPC
)


@pytest.mark.parametrize(
    ("flags", "checker"),
    [
        ("", IcpcChecker()),
        ("case_sensitive", IcpcChecker(case_sensitive=True)),
        ("space_change_sensitive", IcpcChecker(space_change_sensitive=True)),
        ("float_tolerance 1e-6", IcpcChecker(absolute="1e-6", relative="1e-6")),
        ("float_absolute_tolerance .5", IcpcChecker(absolute=".5")),
        ("float_tolerance 1 float_relative_tolerance 2", IcpcChecker(absolute="1", relative="2")),
    ],
)
def test_the_flags_of_a_package_are_read(flags: str, checker: IcpcChecker) -> None:
    assert IcpcChecker.parse(flags.split()) == checker


@pytest.mark.parametrize(
    "flags", ["casesensitive", "float_tolerance", "float_tolerance x", "float_tolerance -1"]
)
def test_a_flag_that_makes_no_sense_is_refused(flags: str) -> None:
    with pytest.raises(InvalidValueError):
        IcpcChecker.parse(flags.split())


def test_a_tolerance_is_a_number() -> None:
    with pytest.raises(InvalidValueError):
        FloatChecker(absolute="a lot")


def test_arguments_of_a_case_replace_those_of_the_question() -> None:
    assert with_arguments(PROGRAM, None) is PROGRAM
    assert with_arguments(replace(PROGRAM, arguments=("a",)), ("b",)) == replace(PROGRAM, arguments=("b",))
    assert with_arguments(replace(PROGRAM, arguments=("a",)), ()) == PROGRAM
    own = with_arguments(IcpcChecker(absolute="1e-6"), ("case_sensitive",))
    assert own == IcpcChecker(case_sensitive=True)
    with pytest.raises(InvalidValueError):
        with_arguments(ExactChecker(), ("case_sensitive",))


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../a", "a/../b", "-o", "a\0b", "a//b", "a\\b"])
def test_a_source_file_stays_in_its_directory(name: str) -> None:
    with pytest.raises(InvalidValueError):
        SourceFile(name, CONTENT)


def test_a_program_needs_files_with_names_of_their_own() -> None:
    with pytest.raises(InvalidValueError):
        replace(PROGRAM, sources=())
    with pytest.raises(InvalidValueError):
        replace(PROGRAM, sources=(SourceFile("a.h", CONTENT), SourceFile("a.h", hash_of(b"other"))))


INTERACTOR = replace(PROGRAM, interactive=True, convention=Convention.TESTLIB)


@pytest.mark.parametrize(
    ("changed", "change", "code"),
    [
        (PROGRAM, {"passes": 0}, "checker_passes"),
        (PROGRAM, {"passes": 101}, "checker_passes"),
        (INTERACTOR, {"passes": 2}, "checker_passes"),
        (replace(INTERACTOR, checker=PROGRAM), {"passes": 3}, "checker_passes"),
        (PROGRAM, {"interactive": True, "convention": Convention.HUSTOJ}, "checker_interactive"),
        (PROGRAM, {"interactive": True, "convention": Convention.CMS}, "checker_interactive"),
        (PROGRAM, {"convention": Convention.CMS, "communication": Communication()}, "checker_communication"),
        (INTERACTOR, {"communication": Communication()}, "checker_communication"),
        (PROGRAM, {"checker": PROGRAM}, "checker_after"),
        (PROGRAM, {"interactive": True, "checker": PROGRAM}, "checker_after"),
        (INTERACTOR, {"checker": INTERACTOR}, "checker_after"),
        (INTERACTOR, {"checker": replace(PROGRAM, passes=2)}, "checker_after"),
    ],
)
def test_a_program_that_no_judge_could_follow_is_refused(
    changed: ProgramChecker, change: dict[str, object], code: str
) -> None:
    with pytest.raises(InvalidValueError) as refused:
        replace(changed, **change)  # type: ignore[arg-type]  # any field
    assert refused.value.code == code


def test_the_programs_of_a_checker_are_counted_with_the_one_after_an_interactor() -> None:
    whole = replace(INTERACTOR, checker=PROGRAM)
    assert programs_of(whole) == (whole, PROGRAM)
    assert (programs_of(PROGRAM), programs_of(ExactChecker())) == ((PROGRAM,), ())


@pytest.mark.parametrize("copies", [0, 11])
def test_a_manager_talks_with_a_few_copies(copies: int) -> None:
    with pytest.raises(InvalidValueError):
        Communication(copies=copies)
