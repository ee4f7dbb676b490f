"""What a package means to the judge."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import PurePosixPath

import pytest

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.checker import Convention, IcpcChecker, ProgramChecker
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.submission_form import SubmissionForm
from deepoj_domain.question.suite import GroupScoring, OnReject, StopPolicy
from deepoj_packages.judge_data import (
    EMPTY,
    judged_checker,
    judged_form,
    judged_languages,
    judged_limits,
    judged_suite,
    judging_programs,
    source_names,
)
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import Communication, FileNames, IncludedFiles, OutputValidator
from deepoj_packages.testing import MODERN, PackageReader

CPP = LanguageSlug("cpp17")


def by_name(file: PurePosixPath) -> ContentHash:
    return ContentHash(sha256(str(file).encode()).hexdigest())


def test_a_plain_problem_is_samples_and_then_all_or_nothing(modern: PackageReader) -> None:
    suite = judged_suite(modern(), by_name)
    assert [(group.name, str(group.points), group.scoring, group.depends_on) for group in suite.groups] == [
        ("sample", "0", GroupScoring.ALL, ()),
        ("secret", "100", GroupScoring.ALL, ("sample",)),
    ]
    assert suite.cases[1].input == by_name(PurePosixPath("data/secret/1.in"))
    assert suite.stop is StopPolicy.FIRST_FAILURE


def test_flags_of_the_default_validator_are_its_options(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": "name: Add\nvalidator_flags: float_tolerance 1e-6\n",
            "data/sample/testdata.yaml": "output_validator_flags: case_sensitive\n",
        }
    )
    assert judged_checker(spec, by_name) == IcpcChecker(absolute="1e-6", relative="1e-6")
    sample, secret = judged_suite(spec, by_name).cases
    assert sample.checker_arguments == ("float_tolerance", "1e-6", "case_sensitive")
    assert secret.checker_arguments is None


def test_a_validator_is_a_program_with_limits_of_its_own(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": (
                "validation: custom interactive\nvalidator_flags: a b\nlimits: {validation_time: 7}\n"
            ),
            "output_validators/v/validate.cpp": "",
            "output_validators/v/validate.h": "",
            "data/secret/2.in": "",
        }
    )
    checker = judged_checker(spec, by_name, CPP)
    assert isinstance(checker, ProgramChecker)
    assert {source.name for source in checker.sources} == {"main.cpp", "validate.h"}
    assert (checker.interactive, checker.convention, checker.arguments) == (True, Convention.ICPC, ("a", "b"))
    assert checker.limits is not None
    assert checker.limits.cpu_ms == 7000
    assert judged_suite(spec, by_name).cases[-1].answer == EMPTY


def test_points_and_breaks_are_kept(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": "type: scoring\nname: Add\n",
            "data/testdata.yaml": "grader_flags: ignore_sample\n",
            "data/secret/testdata.yaml": "accept_score: 2.5\nreject_score: 1\non_reject: break\n",
        }
    )
    suite = judged_suite(spec, by_name)
    assert (suite.groups[0].on_reject, suite.full_score) == (OnReject.BREAK, Score.points("2.5"))
    assert suite.cases[0].reject_points == Score.points(1)


def test_limits_have_the_usual_defaults(modern: PackageReader) -> None:
    assert judged_limits(modern().limits, 1500) == Limits(
        cpu_ms=1500, memory_kib=2048 * 1024, output_kib=8 * 1024
    )


def test_java_keeps_its_file_names(modern: PackageReader) -> None:
    spec = modern({"submissions/accepted/j/Main.java": "", "submissions/accepted/j/lib/Two.java": ""})
    java = next(each for each in spec.submissions if each.name.endswith("/j"))
    assert set(source_names(java.program)) == {"Main.java", "lib/Two.java"}


def test_the_main_file_is_not_lost_behind_another(modern: PackageReader) -> None:
    spec = modern({"submissions/accepted/p/main.py": "", "submissions/accepted/p/add.py": ""})
    program = next(each for each in spec.submissions if each.name.endswith("/p")).program
    assert set(source_names(program)) == {"main.py", "add.py"}


def test_a_name_no_compiler_could_be_given_is_refused(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": "validation: custom\n",
            "output_validators/v/check.cpp": "",
            "output_validators/v/it's.h": "",
        }
    )
    with pytest.raises(PackageRefusedError, match="cannot name a source file"):
        judged_checker(spec, by_name, CPP)


def test_allowed_languages_are_ours(modern: PackageReader) -> None:
    assert judged_languages(modern()) is None
    allowing = modern({"problem.yaml": f"{MODERN['problem.yaml']!s}languages: [cpp, python3]\n"})
    assert sorted(judged_languages(allowing) or ()) == ["cpp17", "cpp20", "pypy3", "python3"]


def test_conventions_of_packages_are_those_of_the_judge() -> None:
    assert {each.value for each in Convention} == {each.value for each in Convention}


def test_a_checker_after_an_interactor_has_a_language_of_its_own(modern: PackageReader) -> None:
    plain = modern()
    program = plain.submissions[0].program
    checker = OutputValidator(program=program, convention=Convention.TESTLIB)
    spec = replace(plain, validator=replace(checker, interactive=True, checker=checker))
    assert judging_programs(spec) == (program, program)
    judged = judged_checker(spec, by_name, CPP, LanguageSlug("python3"))
    assert isinstance(judged, ProgramChecker)
    assert judged.checker is not None
    assert (judged.language, judged.checker.language) == (CPP, "python3")
    twice = replace(spec, validator=replace(checker, interactive=True, passes=2))
    with pytest.raises(PackageRefusedError, match="only a checker of the ICPC convention asks for more runs"):
        judged_checker(twice, by_name, CPP)


def test_what_goes_with_a_submission_and_a_case_reaches_the_judge(modern: PackageReader) -> None:
    plain = modern()
    assert judged_form(plain, by_name) == SubmissionForm()
    grader = IncludedFiles(language="cpp", files=(("g.cpp", PurePosixPath("g.cpp")),), main="g.cpp")
    first, *others = plain.cases
    spec = replace(
        plain,
        file_names=FileNames("a.in", "a.out"),
        included=(grader,),
        cases=(replace(first, time_ms=500, memory_mib=16), *others),
    )
    form = judged_form(spec, by_name)
    assert (form.file_names.input, form.file_names.output) == ("a.in", "a.out")
    assert [(sorted(each.languages), each.main) for each in form.included] == [(["cpp17", "cpp20"], "g.cpp")]
    case = judged_suite(spec, by_name).cases[0]
    assert (case.time_ms, case.memory_bytes) == (500, 16 << 20)
    assert judged_form(replace(plain, answers_submitted=True), by_name).answers


def test_what_no_judge_can_do_is_refused_by_name(modern: PackageReader) -> None:
    plain = modern()
    several = OutputValidator(
        program=plain.submissions[0].program, interactive=True, communication=Communication(2)
    )
    with pytest.raises(PackageRefusedError, match="only an interactor of the CMS convention is a manager"):
        judged_checker(replace(plain, validator=several), by_name, LanguageSlug("cpp17"))
    crowd = replace(several, convention=Convention.CMS, communication=Communication(11))
    with pytest.raises(PackageRefusedError, match="1 to 10 copies of a submission"):
        judged_checker(replace(plain, validator=crowd), by_name, LanguageSlug("cpp17"))
    outside = replace(plain, file_names=FileNames("../a", ""))
    with pytest.raises(PackageRefusedError, match="cannot name a file beside a program"):
        judged_form(outside, by_name)
    both = replace(plain, file_names=FileNames("a", ""), answers_submitted=True)
    with pytest.raises(PackageRefusedError, match="answers are neither compiled nor run"):
        judged_form(both, by_name)
