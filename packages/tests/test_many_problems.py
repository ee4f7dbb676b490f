"""An archive of many problems: each for itself, whatever its format."""

from __future__ import annotations

from pathlib import Path

from deepoj_packages.foreign.problem_set import RefusedProblem
from deepoj_packages.options import ReadingOptions
from deepoj_packages.read_package import read_package, read_problems
from deepoj_packages.spec import OutputValidator, ProblemSpec
from deepoj_packages.testing import LEGACY, MODERN, write_package

ONE_CASE = "test_cases:\n- {in: a.in, out: a.out, points: 1}\n"

CHECKER = '#include "testlib.h"\nint main() {}'
CONF = "use_builtin_judger on\nn_tests 1\ninput_pre a\ninput_suf in\noutput_pre a\noutput_suf out\n"


def test_an_archive_may_hold_many_packages_of_any_format(tmp_path: Path) -> None:
    write_package(tmp_path / "contest/add", MODERN)
    write_package(tmp_path / "contest/old", LEGACY)
    write_package(tmp_path / "contest/broken", {**MODERN, "problem.yaml": "name: [\n"})
    write_package(tmp_path / "contest/words", {"init.yml": ONE_CASE})
    write_package(tmp_path / "contest/words", {"a.in": "1\n", "a.out": "1\n"})
    (tmp_path / "contest/contest.yaml").write_text("name: Finals\n")
    found = read_problems(tmp_path / "contest", tmp_path / "into")
    taken = [each for each in found.problems if isinstance(each, ProblemSpec)]
    assert [(each.short_name, each.format) for each in taken] == [
        ("add", "2025-09"), ("old", "legacy"), ("words", "dmoj"),
    ]  # fmt: skip
    refused = [each for each in found.problems if isinstance(each, RefusedProblem)]
    assert [(each.name, each.sentence) for each in refused] == [
        ("broken", "problem.yaml is not readable YAML (line 2)")
    ]
    one = read_package(tmp_path / "contest", tmp_path / "one", ReadingOptions(item="old"))
    assert one.short_name == "old"


def test_what_needs_testlib_takes_it_from_the_top_of_the_archive(tmp_path: Path) -> None:
    bridged = "checker: {name: bridged, args: {files: check.cpp, type: testlib}}\n"
    uoj = {"problem.conf": CONF, "a1.in": "1", "a1.out": "1", "chk.cpp": CHECKER}
    hydro = {
        "problem.yaml": "pid: P1\ntitle: One\n",
        "testdata/config.yaml": "checker_type: testlib\nchecker: chk.cc\n",
        "testdata/1.in": "1",
        "testdata/1.out": "1",
        "testdata/chk.cc": CHECKER,
    }
    dmoj = {"init.yml": bridged + ONE_CASE, "a.in": "1", "a.out": "1", "check.cpp": CHECKER}
    for name, files in (("uoj", uoj), ("hydro", hydro), ("dmoj", dmoj)):
        write_package(tmp_path / "all" / name, files)
    without = read_problems(tmp_path / "all", tmp_path / "without").problems
    assert all(
        isinstance(each, RefusedProblem) and "at the top of the archive" in each.sentence for each in without
    )
    (tmp_path / "all/testlib.h").write_text("// the one for all\n")
    for problem in read_problems(tmp_path / "all", tmp_path / "with").problems:
        assert isinstance(problem, ProblemSpec)
        assert isinstance(problem.validator, OutputValidator)
        assert "testlib.h" in {file.name for file in problem.validator.program.files}
    (tmp_path / "all/testlib.h").unlink()
    (tmp_path / "all/testlib.h").symlink_to("/etc/hostname")
    follow = ReadingOptions(follow_links=True)
    assert any(
        isinstance(each, RefusedProblem)
        for each in read_problems(tmp_path / "all", tmp_path / "linked", follow).problems
    )
