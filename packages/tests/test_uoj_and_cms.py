"""Two formats that number their tests."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import count
from pathlib import Path

import pytest

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import (
    Communication,
    Convention,
    IcpcChecker,
    LineChecker,
    ProgramChecker,
)
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.judge_data import judged_checker, judged_form, judged_suite
from deepoj_packages.options import ExportFormat, ReadingOptions, Told
from deepoj_packages.read_package import read_package
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import (
    FileNames,
    FormatVersion,
    GroupScoring,
    OutputValidator,
    ProblemSpec,
)
from deepoj_packages.testing import Files, hash_in, write_package

CONF = (
    "use_builtin_judger on\nuse_builtin_checker ncmp\nn_tests 3\n"
    "input_pre a\ninput_suf in\noutput_pre a\noutput_suf out\n"
)
UOJ: Files = {
    "problem.conf": CONF,
    **{
        f"{before}a{n}.{ending}": f"{before}{n}\n"
        for n in (1, 2, 3) for ending in ("in", "out") for before in ("", "ex_")
    },
    "std.cpp": "int main() {}",
    "val.cpp": "int main() {}",
    "chk.cpp": '#include "testlib.h"',
    "download/run.js": "//",
}  # fmt: skip
GROUPED = "score_type: GroupMin\nscore_type_parameters: "
TASK = "name: sums\ntitle: Sums\ntime_limit: 1.5\nmemory_limit: 64\n"
CMS: Files = {
    "task.yaml": TASK,
    **{f"{kind}put/{kind}put{n}.txt": f"{n}\n" for n in (0, 1, 2) for kind in ("in", "out")},
    "gen/GEN": "# a comment\n#ST: 40\n1\n#ST: 60\n2 # why\n\n#COPY: x\n",
    "sol/solution.py": "print(1)",
    "statement/statement.pdf": b"%PDF",
    "att/sums.zip": b"PK",
}
Read = Callable[..., ProblemSpec]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    numbers = count()

    def made(
        plain: Files, changes: Files | None = None, *, without: tuple[str, ...] = (), told: Told | None = None
    ) -> ProblemSpec:
        number = next(numbers)
        kept = {name: text for name, text in plain.items() if name not in without}
        place = write_package(tmp_path / f"sums-{number}", {**kept, **(changes or {})})
        return read_package(place, tmp_path / f"into-{number}", ReadingOptions(told=told or Told()))

    return made


def shape(spec: ProblemSpec) -> list[tuple[str, Decimal, GroupScoring, tuple[str, ...]]]:
    return [(group.name, group.points, group.scoring, group.depends_on) for group in spec.groups]


def test_a_problem_of_uoj(read: Read) -> None:
    spec = read(UOJ, told=Told(title="Sums"))
    assert (spec.format, spec.title, spec.limits.time_ms, spec.limits.memory_mib) == (
        FormatVersion.UOJ, "Sums", 1000, 256,
    )  # fmt: skip
    assert [int(case.points) for case in spec.cases] == [33, 33, 34], "all of them are worth 100"
    assert judged_checker(spec, hash_in(spec)) == IcpcChecker(case_sensitive=True)
    assert [(each.name, each.model_solution) for each in spec.submissions] == [("accepted/std.cpp", True)]
    assert [str(file) for file in spec.attachments] == ["attachments/run.js"]
    assert any("val.cpp was not run: it needs testlib.h" in warning for warning in spec.warnings)
    judged_suite(spec, hash_in(spec))


def test_subtasks_of_uoj(read: Read) -> None:
    conf = CONF + (
        "n_subtasks 3\nsubtask_end_1 1\nsubtask_score_1 30\nsubtask_end_2 2\nsubtask_score_2 30\n"
        "subtask_end_3 3\nsubtask_score_3 40\nsubtask_dependence_2 1\nsubtask_dependence_3 many\n"
        "subtask_dependence_3_1 1\nsubtask_dependence_3_2 2\nsubtask_type_3 min\n"
        "time_limit 0.5\ntime_limit_2 3\nn_ex_tests 3\nn_sample_tests 1\n"
    )
    spec = read(UOJ, {"problem.conf": conf})
    assert shape(spec) == [
        ("sample", Decimal(0), GroupScoring.PASS_FAIL, ()),
        ("secret/1", Decimal(30), GroupScoring.PASS_FAIL, ()),
        ("secret/2", Decimal(30), GroupScoring.PASS_FAIL, ("secret/1",)),
        ("secret/3", Decimal(40), GroupScoring.MIN, ("secret/1", "secret/2")),
        ("secret/extra", Decimal(0), GroupScoring.PASS_FAIL, ("secret/1", "secret/2", "secret/3")),
    ]
    assert [group.lowered_by_dependencies for group in spec.groups] == [False, False, False, True, False]
    assert (spec.limits.time_ms, [case.time_ms for case in spec.cases]) == (
        500,
        [None, None, 3000, None, None, None],
    )
    assert [sample.name for sample in spec.samples] == ["sample/001"]
    assert any("loses 3 points there" in warning for warning in spec.warnings)


def test_programs_of_uoj(read: Read) -> None:
    own = CONF.replace("use_builtin_checker ncmp\n", "")
    spec = read(UOJ, {"problem.conf": own + "submit_answer on\n", "testlib.h": "//"})
    assert isinstance(spec.validator, OutputValidator)
    assert (spec.validator.convention, spec.answers_submitted) == (Convention.TESTLIB, True)
    [validator] = spec.input_validators
    assert all(file.is_relative_to(validator.at) for file in validator.files)
    assert all(file.is_relative_to(spec.validator.program.at) for file in spec.validator.program.files)
    grader = {"implementer.cpp": "//", "require/sums.h": "//"}
    spec = read(UOJ, {"problem.conf": CONF + "with_implementer on\n", **grader})
    [included] = spec.included
    assert (included.language, included.main, [name for name, _ in included.files]) == (
        "cpp", "implementer.cpp", ["implementer.cpp", "sums.h"],
    )  # fmt: skip
    grader = {"require/implementer.cpp": "//", "require/sums.h": "//"}
    assert read(UOJ, {"problem.conf": CONF + "with_implementer on\n", **grader}).included[0].main
    spec = read(UOJ, {"problem.conf": CONF.replace("ncmp", "fcmp")})
    assert judged_checker(spec, hash_in(spec)) == LineChecker()


def test_a_program_of_uoj_may_tell_its_standard_and_give_shares_of_points(read: Read) -> None:
    own = CONF.replace("use_builtin_checker ncmp\n", "interaction_mode on\n")
    programs = {"interactor11.cpp": '#include "testlib.h"\nint main() { quitp(0.5, ""); }', "testlib.h": "//"}
    spec = read(UOJ, {"problem.conf": own, **programs})
    assert isinstance(spec.validator, OutputValidator)
    assert (spec.validator.convention, spec.validator.scores) == (Convention.UOJ, True)
    assert spec.validator.interactive
    assert not any("quitp" in warning for warning in spec.warnings)
    plain = programs | {"interactor11.cpp": "int main() {}"}
    spec = read(UOJ, {"problem.conf": own, **plain})
    assert isinstance(spec.validator, OutputValidator)
    assert (spec.validator.convention, spec.validator.scores) == (Convention.UOJ, False)


@pytest.mark.parametrize(
    ("conf", "sentence"),
    [
        (CONF.replace("use_builtin_judger on\n", ""), "a judger of the problem's own cannot be run"),
        (CONF.replace("use_builtin_checker ncmp\n", ""), r"chk\.cpp needs testlib\.h"),
        (CONF.replace("ncmp", "uncmp"), r"\(line 2\): use_builtin_checker is 'uncmp', which has no equal"),
        (CONF.replace("n_tests 3", "n_tests 4"), "a4.in is not in the package"),
        (CONF.replace("n_tests 3", "n_tests 999999999999"), "must be a whole number from 0 to 20000"),
        (CONF.replace("n_tests 3", "n_tests 1e31"), "no number a judge could use"),
        (CONF.replace("n_tests 3", "n_tests 0"), "no test data"),
        (CONF.replace("pre a", "pre ../a"), "is not in the package"),
        (CONF + "n_tests 3\n", r"\(line 8\) has the key 'n_tests' twice"),
        (CONF + "time_limit -1\n", "time_limit must be above 0"),
        (CONF + "n_subtasks 1\nsubtask_end_1 2\n", "test 3 is in no subtask"),
        (CONF + "n_subtasks 2\nsubtask_end_1 3\n", "leaves subtask 2 without tests"),
        (CONF + "n_subtasks 1\nsubtask_end_1 3\nsubtask_dependence_1 1\n", "must name an earlier subtask"),
        (CONF + "n_subtasks 1\nsubtask_end_1 3\nsubtask_type_1 odd\n", "'odd'; packed, min and sum are"),
        (CONF + "n_sample_tests 1\n", "is above n_ex_tests"),
        (CONF + "with_implementer on\n", "implementer.cpp is not in the package"),
        (CONF + "interaction_mode on\n", "interactor.cpp, which is not in the package"),
    ],
    ids=lambda text: text[-30:],
)  # fmt: skip
def test_what_is_wrong_in_problem_conf_is_said(read: Read, conf: str, sentence: str) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        read(UOJ, {"problem.conf": conf})


def test_a_task_of_cms(read: Read) -> None:
    spec = read(CMS)
    assert (spec.format, spec.short_name, spec.title) == (FormatVersion.CMS, "sums", "Sums")
    assert (spec.limits.time_ms, spec.limits.memory_mib) == (1500, 64)
    assert shape(spec) == [
        ("secret/1", Decimal(40), GroupScoring.MIN, ()),
        ("secret/2", Decimal(60), GroupScoring.MIN, ()),
    ]
    assert [case.name for case in spec.cases] == ["secret/1/000", "secret/2/001", "secret/2/002"]
    assert spec.file_names == FileNames("input.txt", "output.txt"), "files by name are the default"
    assert [(each.language, str(each.file)) for each in spec.statements] == [
        ("it", "statement/problem.it.pdf")
    ]
    assert [str(file) for file in spec.attachments] == ["attachments/sums.zip"]
    assert [each.name for each in spec.submissions] == ["accepted/solution.py"]


def test_standard_streams_are_said_by_empty_names(read: Read) -> None:
    spec = read(CMS, {"task.yaml": TASK + 'infile: ""\noutfile: ""\nprimary_language: en\n'})
    assert (spec.file_names, spec.statements[0].language) == (None, "en")
    assert judged_suite(spec, hash_in(spec)).full_score.as_decimal() == 100
    assert judged_checker(spec, hash_in(spec)) == IcpcChecker(case_sensitive=True)


def test_scores_by_type_or_by_the_number_of_tests(read: Read) -> None:
    spec = read(CMS, {"task.yaml": TASK + "total_value: 30\n"}, without=("gen/GEN",))
    assert (spec.cases[0].name, spec.cases[0].points) == ("secret/000", Decimal(10))
    by_count = "score_type: GroupSum\nscore_type_parameters: [[10, 1], [90, 2]]\n"
    spec = read(CMS, {"task.yaml": TASK + by_count})
    assert [case.points for case in spec.cases] == [10, 45, 45]
    spec = read(CMS, {"task.yaml": TASK + GROUPED + "[[10, '00[02]'], [90, '000']]"})
    assert [case.name for case in spec.cases] == ["secret/1/000", "secret/1/002", "secret/2/000"]
    assert any("test 001 is in no group" in warning for warning in spec.warnings)


def test_checkers_managers_graders_and_answers(read: Read) -> None:
    spec = read(CMS, {"check/checker": b"\x7fELF", "check/checker.cpp": "//"})
    assert isinstance(spec.validator, OutputValidator)
    assert (spec.validator.convention, spec.validator.scores) == (Convention.CMS, True)
    spec = read(CMS, {"sol/grader.cpp": "//", "sol/stub.cpp": "//"})
    assert [each.main for each in spec.included] == ["grader.cpp"]
    spec = read(CMS, {"task.yaml": TASK + "output_only: true\n", "check/manager.cpp": "//"})
    assert (spec.answers_submitted, spec.file_names, spec.interactive) == (True, None, False)


def managed(read: Read, told: str = "", changes: Files | None = None) -> tuple[ProblemSpec, ProgramChecker]:
    spec = read(CMS, {"task.yaml": TASK + told, "check/manager.cpp": "//", **(changes or {})})
    checker = judged_checker(spec, hash_in(spec), language_slug("cpp17"))
    assert isinstance(checker, ProgramChecker)
    return spec, checker


def test_a_manager_talks_with_copies_of_a_submission(read: Read) -> None:
    stubs = {"sol/stub.cpp": "//", "sol/stub.c": "//", "sol/sums.h": "//", "sol/grader.cpp": "//"}
    spec, checker = managed(read, "num_processes: 2\n", stubs)
    assert (checker.convention, checker.interactive, checker.scores) == (Convention.CMS, True, True)
    assert checker.communication == Communication(copies=2, by_name=True)
    assert spec.file_names is None
    judged_suite(spec, hash_in(spec))
    judged_form(spec, hash_in(spec))
    assert [(each.language, each.main, each.source_name) for each in spec.included] == [
        ("c", "stub.c", "sums.c"),
        ("cpp", "stub.cpp", "sums.cpp"),
    ]
    assert [name for name, _ in spec.included[1].files] == ["stub.cpp", "sums.h"]


@pytest.mark.parametrize(
    ("told", "stubs", "by_name"),
    [
        ("", {}, False),
        ("", {"sol/stub.cpp": "//"}, True),
        ("user_io: std_io\n", {"sol/stub.cpp": "//"}, False),
        ("user_io: fifo_io\n", {}, True),
    ],
)
def test_copies_have_their_channels_as_user_io_says_or_as_a_stub_expects(
    read: Read, told: str, stubs: Files, *, by_name: bool
) -> None:
    spec, checker = managed(read, told, stubs)
    assert checker.communication == Communication(by_name=by_name)
    assert not any("user_io" in warning for warning in spec.warnings)


def test_what_user_io_does_not_know_is_said(read: Read) -> None:
    spec, checker = managed(read, "user_io: pipes\n")
    assert checker.communication == Communication()
    assert "task.yaml: user_io is neither std_io nor fifo_io; std_io is used, as CMS does" in spec.warnings


def test_a_manager_needs_no_answers(read: Read) -> None:
    gone = tuple(f"output/output{n}.txt" for n in range(3))
    spec = read(CMS, {"check/manager.cpp": "//"}, without=(*gone, "sol/solution.py"))
    assert {case.answer for case in spec.cases} == {None}
    assert not spec.recipes
    judged_suite(spec, hash_in(spec))


@pytest.mark.parametrize("form", ExportFormat)
def test_no_format_that_is_written_has_managers(read: Read, tmp_path: Path, form: ExportFormat) -> None:
    spec, _ = managed(read, 'infile: ""\noutfile: ""\n')
    with pytest.raises(PackageRefusedError) as refused:
        export_directory(spec, tmp_path / "written", form)
    assert not (tmp_path / "written").exists()
    assert refused.value.sentence.count(".") <= 1, refused.value.sentence


def test_tests_that_are_not_there_are_made(read: Read) -> None:
    gone = ("input/input1.txt", "output/output1.txt")
    modules = {"gen/limits.py": "M = 1", "gen/validator.cpp": "//"}
    spec = read(CMS, {"gen/generator.py": "print(1)", **modules}, without=gone)
    program = spec.recipes[0].program
    assert program is not None
    assert ([file.name for file in program.files], program.main.name) == (
        ["generator.py", "limits.py"],
        "generator.py",
    )
    assert [(str(each.packed_as), each.arguments, each.program.main.name) for each in spec.recipes] == [
        ("input/input1.txt", ("2",), "generator.py"),
        ("output/output1.txt", (), "solution.py"),
    ]
    with pytest.raises(
        PackageRefusedError, match=r"gen/GEN \(line 5\): input/input1.txt is not in the package"
    ):
        read(CMS, without=gone)
    with pytest.raises(PackageRefusedError, match=r"no sol/solution\.\* could make it"):
        read(CMS, without=("output/output1.txt", "sol/solution.py"))
    with pytest.raises(PackageRefusedError, match=r"gen/GEN \(line 7\): 'x' is not in the package"):
        read(CMS, without=("input/input2.txt",))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"check/checker": b"\x7fELF"}, "check/checker is a compiled program, which is not run here"),
        ({"check/manager": b"\x7fELF"}, "check/manager is a compiled program, which is not run here"),
        ({"task.yaml": "name: ''\n"}, "the task has no title"),
        ({"task.yaml": TASK.replace("1.5", "0")}, "time_limit must be above 0"),
        ({"task.yaml": TASK + "score_type: GroupThreshold\n"}, "'GroupThreshold' has no equal here"),
        ({"task.yaml": TASK + "score_type: GroupMin\n"}, "must be a list of lists"),
        ({"task.yaml": TASK + GROUPED + "[[1]]"}, "a list of pairs"),
        ({"task.yaml": TASK + GROUPED + "[[1, 'x']]"}, "names no tests"),
        ({"task.yaml": TASK + GROUPED + "[[1, '(']]"}, "no regular expr"),
        ({"task.yaml": TASK + GROUPED + str([[1, "."]] * 101)}, "has more than 100 groups"),
        *(
            ({"task.yaml": TASK + f"num_processes: {count}\n", "check/manager.cpp": "//"}, "from 1 to 10")
            for count in ("1e6", "0", "-1", "1.5")
        ),
        ({"task.yaml": TASK + "primary_language: ../x\n"}, "no code of a language"),
        ({"gen/GEN": "1\n#ST: 3\n1\n"}, r"gen/GEN \(line 2\): there are tests before the first subtask"),
        ({"gen/GEN": "#ST: x\n"}, r"gen/GEN \(line 1\): the points of a subtask must be a number"),
        ({"gen/GEN": "#ST: 3\n#ST: 4\n1\n"}, "a subtask of 3 points has no tests"),
        ({"gen/GEN": "#COPY: ../../x\n" * 4}, "is not in the package"),
        ({"gen/GEN": "1\n1\n1\n'\n", "gen/generator.py": "//"}, "are no arguments of a program"),
        ({"task.yaml": "a: &a [x]\nb: *a\n" * 2}, "not readable YAML"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_task_is_said(read: Read, changes: Files, sentence: str) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        read(CMS, changes)
