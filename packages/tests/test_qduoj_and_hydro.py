"""Two formats that have a directory for each problem."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import count
from pathlib import Path

import pytest

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import Convention, IcpcChecker, LineChecker, ProgramChecker
from deepoj_packages.foreign.problem_set import ProblemSet, RefusedProblem
from deepoj_packages.judge_data import judged_checker, judged_form, judged_suite
from deepoj_packages.read_package import read_package, read_problems
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import FormatVersion, GroupScoring, ProblemSpec
from deepoj_packages.testing import Files, hash_in, write_package

ABOUT: Mapping[str, object] = {
    "display_id": "A-1",
    "title": "Add",
    "description": {"format": "html", "value": "<p>Add <b>them</b>.</p>"},
    "input_description": {"format": "markdown", "value": "Two *numbers*"},
    "output_description": {"format": "html", "value": ""},
    "hint": None,
    "time_limit": 1000,
    "memory_limit": 256,
    "samples": [{"input": "1 2", "output": "3"}],
    "test_case_score": [
        {"score": 30, "input_name": "1.in", "output_name": "1.out"},
        {"score": 70, "input_name": "10.in", "output_name": "10.out"},
    ],
    "template": {"C": {"prepend": "", "template": "int main", "append": ""}},
    "spj": None,
    "rule_type": "OI",
    "source": "Here",
    "tags": ["sums"],
    "answers": [{"language": "Python3", "code": "print(3)"}],
}
TESTS: Files = {f"testcase/{n}.{ending}": f"{n}\n" for n in (1, 2, 10) for ending in ("in", "out")}
CONFIG = "type: default\ntime: 2s\nmemory: 64MB\n"
HYDRO: Files = {
    "problem.yaml": "title: Add\npid: P7\ntag: [sums]\n",
    "problem_zh.md": "求和。\n\n```input1\n1 2\n```\n\n```output1\n3\n```\n",
    "testdata/config.yaml": CONFIG,
    **{f"testdata/add{n}.{ending}": f"{n}\n" for n in (1, 2, 10) for ending in ("in", "out")},
}
Read = Callable[..., ProblemSet]


def qduoj(changes: Mapping[str, object] | None = None, tests: Files = TESTS) -> Files:
    return {"problem.json": json.dumps({**ABOUT, **(changes or {})}), **tests}


def archive(path: Path, problems: Mapping[str, Files]) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as opened:
        for name, files in problems.items():
            for file, content in files.items():
                opened.writestr(f"{name}/{file}", content)
    path.write_bytes(packed.getvalue())
    return path


@pytest.fixture
def read(tmp_path: Path) -> Read:
    numbers = count()

    def made(*problems: Files) -> ProblemSet:
        named = {str(number): files for number, files in enumerate(problems, start=1)}
        return read_problems(archive(tmp_path / "set.zip", named), tmp_path / f"into-{next(numbers)}")

    return made


def only(found: ProblemSet) -> ProblemSpec:
    [problem] = found.problems
    assert isinstance(problem, ProblemSpec), problem
    return problem


def refusal(found: ProblemSet) -> str:
    [problem] = found.problems
    assert isinstance(problem, RefusedProblem), problem
    return problem.sentence


def test_a_problem_of_qduoj_with_points(read: Read) -> None:
    found = read(qduoj())
    spec = only(found)
    assert (found.format, spec.short_name, spec.title) == (FormatVersion.QDUOJ, "a-1", "Add")
    assert (spec.limits.time_ms, spec.limits.memory_mib, spec.metadata.keywords) == (1000, 256, ("sums",))
    assert [(group.name, group.points, group.scoring) for group in spec.groups] == [
        ("sample", Decimal(0), GroupScoring.PASS_FAIL),
        ("secret", Decimal(100), GroupScoring.SUM),
    ]
    assert [(case.name, int(case.points)) for case in spec.cases] == [
        ("sample/1", 0), ("secret/001", 30), ("secret/002", 70),
    ]  # fmt: skip
    assert spec.path(spec.statements[0].file).read_text() == "Add **them**.\n\n## Input\n\nTwo *numbers*\n"
    assert [each.name for each in spec.submissions] == ["accepted/solution-1.py"]
    assert judged_checker(spec, hash_in(spec)) == LineChecker()
    assert judged_suite(spec, hash_in(spec)).full_score.as_decimal() == 100


def test_a_template_of_qduoj_stands_around_submissions(read: Read) -> None:
    template = {"Python3": {"prepend": "def add():", "template": "...", "append": "add()"}}
    spec = only(read(qduoj({"template": template})))
    [included] = judged_form(spec, hash_in(spec)).included
    assert "python3" in included.languages
    assert (included.before, included.after) == ("before.py", "after.py")
    assert (spec.root / "include/python3/after.py").read_text() == "add()"


def test_tests_that_are_not_listed_are_found_in_order(read: Read) -> None:
    spec = only(read(qduoj({"test_case_score": None, "rule_type": "ACM"})))
    assert [case.name for case in spec.cases[1:]] == ["secret/1", "secret/2", "secret/10"]
    assert (spec.scoring, spec.groups[1].scoring) == (False, GroupScoring.PASS_FAIL)


def one_test(score: int, name: str) -> Mapping[str, object]:
    return {"test_case_score": [{"score": score, "input_name": name, "output_name": "1.out"}]}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"spj": {"language": "Basic", "code": "x"}}, "Add: its checker is written in 'Basic', which is not"),
        ({"template": {"Basic": {"prepend": "x"}}}, "puts code around submissions in 'Basic'"),
        ({"template": {"C": "x"}}, "template: C must be an object"),
        ({"title": ""}, "problem.json: the problem has no title"),
        ({"time_limit": 0}, "time_limit must be whole milliseconds above 0"),
        ({"time_limit": "1e99"}, "no number a judge could use"),
        ({"samples": {}}, "samples must be a list"),
        ({"samples": [1]}, "samples must be an object"),
        (one_test(1, "../problem.json"), "not in testcase/"),
        (one_test(1, "/etc/passwd"), "not in testcase/"),
        (one_test(-1, "1.in"), "negative"),
        ({"test_case_score": []}, "it has no test data"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_problem_is_said(read: Read, changes: Mapping[str, object], sentence: str) -> None:
    assert sentence in refusal(read(qduoj(changes)))


def test_a_title_of_megabytes_is_not_repeated(read: Read) -> None:
    document = json.dumps({"display_id": "1", "title": "long " * 500_000, "test_case_score": None})
    said = refusal(read({"1/problem.json": document}))
    assert len(said) < 300
    assert "…: it has no test data" in said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{\n'", r"problem.json is not readable JSON \(line 2\)"),
        ("[" * 100_000, "problem.json is nested too deep"),
        ('{"time_limit": ' + "1" * 5000 + "}", "has a number that is too long"),
        ("[]", "must be an object"),
    ],
)
def test_hostile_json_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        read_package(write_package(tmp_path / "p", {"problem.json": text}), tmp_path / "into")


def test_one_bad_directory_does_not_stop_the_others(read: Read) -> None:
    found = read(qduoj(), qduoj({"spj": {"code": "x"}}), qduoj({"display_id": "排序"}))
    assert [isinstance(each, ProblemSpec) for each in found.problems] == [True, False, True]


def test_a_problem_of_hydro(read: Read) -> None:
    found = read(HYDRO)
    spec = only(found)
    assert (found.format, spec.short_name, spec.names) == (FormatVersion.HYDRO, "p7", (("zh", "Add"),))
    assert (spec.limits.time_ms, spec.limits.memory_mib) == (2000, 64)
    assert [(case.name, int(case.points)) for case in spec.cases] == [
        ("secret/1", 33), ("secret/2", 33), ("secret/3", 34),
    ]  # fmt: skip
    assert spec.path(spec.cases[2].input).read_text() == "10\n", "ten comes after two"
    [sample] = spec.samples
    assert sample.input is not None
    assert spec.path(sample.input).read_text() == "1 2\n"
    assert "```" not in spec.path(spec.statements[0].file).read_text()
    judged_suite(spec, hash_in(spec))


SUBTASKS = CONFIG + """subtasks:
- {id: 1, score: 20, cases: [{input: add1.in, output: add1.out}]}
- {id: 2, type: max, if: [1], cases: [{input: add2.in, output: add2.out}, {input: add1.in, output: add1.out}]}
- {id: 3, type: sum, cases: [{input: add10.in, output: add10.out}, {input: add1.in, output: add1.out}]}
"""  # fmt: skip


def test_subtasks_share_what_is_left_of_a_hundred_points(read: Read) -> None:
    spec = only(read({**HYDRO, "testdata/config.yaml": SUBTASKS}))
    assert [(group.name, int(group.points), group.scoring, group.depends_on) for group in spec.groups] == [
        ("secret/1", 20, GroupScoring.MIN, ()),
        ("secret/2", 40, GroupScoring.MAX, ("secret/1",)),
        ("secret/3", 40, GroupScoring.SUM, ()),
    ]
    assert judged_suite(spec, hash_in(spec)).full_score.as_decimal() == 100


def test_names_of_files_tell_subtasks(read: Read) -> None:
    kept = {name: text for name, text in HYDRO.items() if "add" not in name}
    named = {f"testdata/t{n}.{ending}": "" for n in ("1-1", "1-2", "2-1") for ending in ("in", "ans")}
    spec = only(read({**kept, **named}))
    assert [(group.name, int(group.points)) for group in spec.groups] == [("secret/1", 50), ("secret/2", 50)]
    others = {
        "testdata/input1.txt": "",
        "testdata/output1.txt": "",
        "testdata/x.in2": "",
        "testdata/x.ou2": "",
    }
    assert len(only(read({**kept, **others})).cases) == 2
    lonely = read({**kept, **others, "testdata/3.in": ""})
    assert "testdata/3.in has no answer: 3.out is missing" in refusal(lonely)


def test_checkers_of_hydro(read: Read) -> None:
    standard = only(
        read({**HYDRO, "testdata/config.yaml": CONFIG + "checker_type: testlib\nchecker: rcmp6\n"})
    )
    assert judged_checker(standard, hash_in(standard)) == IcpcChecker(
        case_sensitive=True, absolute="1e-6", relative="1e-6"
    )
    own = {
        "testdata/c.cc": "int main() {}",
        "testdata/config.yaml": CONFIG + "checker_type: testlib\nchecker: c.cc\n",
    }
    assert "testdata/c.cc needs testlib.h" in refusal(read({**HYDRO, **own}))
    spec = only(read({**HYDRO, **own, "testdata/testlib.h": "//"}))
    checker = judged_checker(spec, hash_in(spec), language_slug("cpp17"))
    assert isinstance(checker, ProgramChecker)
    assert (checker.convention, len(checker.sources)) == (Convention.TESTLIB, 2)


@pytest.mark.parametrize("kind", ["hustoj", "qduoj", "lemon", "syzoj"])
def test_checkers_of_other_judges_are_called_in_their_way(read: Read, kind: str) -> None:
    config = CONFIG + f"checker_type: {kind}\nchecker: c.cc\n"
    spec = only(read({**HYDRO, "testdata/c.cc": "int main() {}", "testdata/config.yaml": config}))
    checker = judged_checker(spec, hash_in(spec), language_slug("cpp17"))
    assert isinstance(checker, ProgramChecker)
    assert (checker.convention, checker.scores) == (Convention(kind), kind in {"lemon", "syzoj"})


def test_what_hydro_says_of_submissions_and_cases_reaches_the_judge(read: Read) -> None:
    config = CONFIG + (
        "filename: add\nuser_extra_files: [add.h]\n"
        "subtasks: [{time: 3s, cases: [{input: add1.in, output: add1.out},"
        " {input: add2.in, output: add2.out, time: 5s, memory: 64m}]}]\n"
    )
    spec = only(read({**HYDRO, "testdata/add.h": "", "testdata/config.yaml": config}))
    form = judged_form(spec, hash_in(spec))
    assert (form.file_names.input, form.file_names.output) == ("add.in", "add.out")
    assert [file.name for each in form.included for file in each.files] == ["add.h"]
    cases = judged_suite(spec, hash_in(spec)).cases
    assert [(case.time_ms, case.memory_bytes) for case in cases] == [(3000, 0), (5000, 0)]


def test_a_special_judge_of_qduoj_needs_no_answers(read: Read) -> None:
    inputs = {name: text for name, text in TESTS.items() if name.endswith(".in")}
    special = {"spj": {"language": "C++", "code": "int main() {}"}, "test_case_score": None}
    spec = only(read(qduoj(special, inputs)))
    checker = judged_checker(spec, hash_in(spec), language_slug("cpp17"))
    assert isinstance(checker, ProgramChecker)
    assert checker.convention is Convention.QDUOJ
    assert {spec.path(case.answer).read_bytes() for case in spec.cases[1:] if case.answer} == {b""}


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ("type: interactive\n", "problems of type interactive"),
        (CONFIG + "user_extra_files: [../problem.yaml]\n", "of user_extra_files is not in testdata/"),
        (CONFIG + "checker_type: syzoj\nchecker: c.cc\n", "the checker 'c.cc' is not in testdata/"),
        (CONFIG + "checker_type: strict\nchecker: c.cc\n", "checkers of type strict cannot be used"),
        (CONFIG + "cases: [{input: ../problem.yaml, output: add1.out}]\n", "is not in testdata/"),
        (CONFIG + "cases: [{input: /etc/passwd, output: add1.out}]\n", "is not in testdata/"),
        (CONFIG + "cases: 3\n", "cases must be a list of maps"),
        (CONFIG + "subtasks: [{if: [9], cases: [{input: add1.in, output: add1.out}]}]\n", "needs 9, which"),
        ("time: soon\n", "time is not understood: 'soon'"),
        ("time: 0\n", "time must be above 0"),
        ("a: &a [x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b,*b]\n" + "d: [*b]\n" * 2, "twice"),
        ("x: !!python/object:os.system {}\n", "tags are not taken"),
    ],
)  # fmt: skip
def test_what_hydro_asks_for_and_is_not_here_is_refused(read: Read, config: str, sentence: str) -> None:
    assert sentence in refusal(read({**HYDRO, "testdata/config.yaml": config}))


def test_statements_of_all_languages_may_lie_in_one_file(read: Read) -> None:
    kept = {name: text for name, text in HYDRO.items() if name != "problem_zh.md"}
    spec = only(read({**kept, "problem.md": json.dumps({"en": "Add.", "zh_TW": "求和。"})}))
    assert [each.language for each in spec.statements] == ["en", "zh-TW"]


@pytest.mark.parametrize("language", ["../../x", "/x", "", "x" * 300, "a/b"])
def test_no_name_leads_out_of_the_place_of_a_problem(read: Read, tmp_path: Path, language: str) -> None:
    kept = {name: text for name, text in HYDRO.items() if name != "problem_zh.md"}
    assert "no code of a language" in refusal(read({**kept, "problem.md": json.dumps({language: "Add."})}))
    subtask = f"subtasks: [{{id: {json.dumps(language)}, cases: [{{input: add1.in, output: add1.out}}]}}]\n"
    assert "no id of a subtask" in refusal(read({**HYDRO, "testdata/config.yaml": CONFIG + subtask}))
    assert not list(tmp_path.glob("x*"))


def test_a_file_that_is_named_often_lies_there_once(read: Read) -> None:
    again = "".join("- {input: add1.in, output: add1.out}\n" for _ in range(300))
    spec = only(read({**HYDRO, "testdata/config.yaml": f"{CONFIG}cases:\n{again}"}))
    assert (len(spec.cases), len({case.input for case in spec.cases})) == (300, 1)


def test_a_directory_is_read_where_it_lies_and_not_changed(tmp_path: Path) -> None:
    place = write_package(tmp_path / "p", HYDRO)
    before = sorted(place.rglob("*"))
    spec = read_package(place, tmp_path / "into")
    assert sorted(place.rglob("*")) == before
    assert spec.root.is_relative_to(tmp_path / "into.problems")


def test_a_link_out_of_the_directory_is_refused(tmp_path: Path) -> None:
    place = write_package(tmp_path / "p", HYDRO)
    (place / "testdata/add3.in").symlink_to("/etc/passwd")
    (place / "testdata/add3.out").write_text("")
    with pytest.raises(PackageRefusedError, match=r"add3\.in"):
        read_package(place, tmp_path / "into")


def test_an_icpc_package_is_none_of_them(tmp_path: Path) -> None:
    files: Files = {
        "problem.yaml": "name: Add\n",
        "data/secret/1.in": "",
        "data/secret/1.ans": "",
        "testdata/x": "",
        "attachments/problem.json": "{}",
        "x.xml": "<fps></fps>",
    }
    assert (
        read_package(write_package(tmp_path / "p", files), tmp_path / "into").format is FormatVersion.LEGACY
    )
