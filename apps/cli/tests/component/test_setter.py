"""judge, verify and languages as a setter or a CI job uses them: the real judge on this machine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deepoj.cli import cli
from deepoj.setter.events import Finished
from deepoj.setter.process import events
from deepoj_kit.testing.conditions import PATIENCE, until
from deepoj_kit.testing.scratch import scratch_directory
from deepoj_packages.read_package import read_package

EXAMPLES = Path(__file__).parents[4] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/problem.yaml"))
ADD = "print(sum(map(int, input().split())))\n"
LANGUAGES = "python3,c11,cpp17,cpp20"
# Reads the input from the file it is told and the answer from its standard input.
ANSWERS = """import sys
expected = sum(map(int, open(sys.argv[1]).read().split()))
if int(input()) != expected:
    sys.exit(str(expected))
sys.exit(42)
"""
# The judge of a busy machine; nothing here waits for a clock.
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def judge_home() -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("needs root: the sandbox makes boxes with users of their own")
    with scratch_directory() as home:
        yield home


@pytest.fixture(autouse=True)
def settings(judge_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPOJ_JUDGEMENT_HOME", str(judge_home))
    monkeypatch.setenv("DEEPOJ_JUDGEMENT_SANDBOX_STATE", str(judge_home / "sandbox"))
    monkeypatch.setenv("DEEPOJ_JUDGEMENT_PRECOMPILE", "false")
    # Each run asks the compilers of these for their versions, and no others.
    monkeypatch.setenv("DEEPOJ_JUDGEMENT_LANGUAGES", LANGUAGES)


def deepoj(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in arguments])


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A copy of an example with one submission, to be broken."""
    package = tmp_path / "aplusb"
    shutil.copytree(EXAMPLES / "aplusb", package)
    shutil.rmtree(package / "submissions")
    (package / "submissions/accepted").mkdir(parents=True)
    (package / "submissions/accepted/sum.py").write_text(ADD)
    return package


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_as_it_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEEPOJ_JUDGEMENT_LANGUAGES")
    verified = deepoj("verify", EXAMPLES / name)
    assert verified.exit_code == 0, verified.output
    assert "everything is as it says" in verified.stdout


def test_what_is_broken_is_said_and_fails(small: Path) -> None:
    (small / "submissions/wrong_answer").mkdir()
    (small / "submissions/wrong_answer/right.py").write_text(ADD)
    (small / "submissions/accepted/crash.py").write_text("raise SystemExit(3)\n")
    (small / "data/secret/02-small.ans").write_text("43\n")
    (small / "data/secret/01-zero.in").write_text("0  0\r\n")
    (small / "data/invalid_input/three-numbers.in").write_text("1 2\n")
    (small / "data/sample/lonely.ans").write_text("1\n")
    for end in ("in", "ans"):
        shutil.copy(small / f"data/sample/1.{end}", small / f"data/secret/09.{end}")
    (small / "answer_validators").mkdir()
    (small / "answer_validators/sums.py").write_text(ANSWERS)
    (small / "data/invalid_answer").mkdir()
    for name, answer in (("right", 3), ("wrong", 4)):
        (small / f"data/invalid_answer/{name}.in").write_text("1 2\n")
        (small / f"data/invalid_answer/{name}.ans").write_text(f"{answer}\n")
    verified = deepoj("verify", small)
    assert verified.exit_code == 1
    said = verified.stdout
    assert "accepted/crash.py: sample/1 and 7 more should be AC, and is RE" in said
    assert "line 1, column 1: expected '43', got '42'" in said
    assert "validate.py does not confirm secret/01-zero" in said
    assert "no input validator refuses invalid_input/three-numbers" in said
    assert "sums.py does not confirm secret/02-small: 42" in said
    assert "no answer validator refuses invalid_answer/right" in said
    assert "refuses invalid_answer/wrong" not in said
    assert "files with CRLF line ends: data/secret/01-zero.in" in said
    assert "nothing uses data/sample/lonely.ans" in said
    assert "note tests: sample/1 and secret/09 of different groups have the same input" in said
    assert "something is wrong" in said


def test_several_packages_are_verified_in_part_and_a_bad_one_does_not_stop_the_others(
    small: Path, tmp_path: Path
) -> None:
    (small / "submissions/accepted/sum.py").write_text(f"{ADD}# 1 < 2\nassert 1 + 1 == 2\n")
    (small / "submissions/wrong_answer").mkdir()
    (small / "submissions/wrong_answer/one.py").write_text("print(1)\n")
    (small / "data/secret/06-again.in").write_bytes((small / "data/secret/01-zero.in").read_bytes())
    (small / "data/secret/06-again.ans").write_bytes((small / "data/secret/01-zero.ans").read_bytes())
    (small / "statement/problem.en.md").write_text("Look: ![it](lost.png) and $\\nonsense{x}$.\n")
    chosen = ("--case", "secret/0{1,6}-*", "--submission={accepted/sum,wrong_answer/one}.py")
    limits = ("--time-limit=7.5", "--threads=2", "--mutants=3", "--warnings-as-errors", "--json")
    verified = deepoj("verify", small, tmp_path / "nowhere", *chosen, *limits)
    assert verified.exit_code == 1, verified.output
    assert "nowhere does not exist" in verified.stderr
    whole = json.loads(verified.stdout)
    first, second = whole["packages"]
    assert (whole["ok"], first["ok"], first["finished"], second["finished"]) == (False, False, True, False)
    assert "does not exist" in second["error"]
    assert {each["name"]: len(each["cases"]) for each in first["submissions"]} == {
        "accepted/sum.py": 2,
        "wrong_answer/one.py": 2,
    }
    assert all(not each["problems"] for each in first["submissions"])
    assert {each["time_limit_ms"] for each in first["submissions"]} == {22_500}, "three times that of C"
    said = [each["message"] for each in first["findings"]]
    assert "secret/01-zero and secret/06-again have the same input" in said
    assert "statement/problem.en.md names the picture lost.png, which the package does not have" in said
    assert "statement/problem.en.md: a formula is shown as its source: \\nonsense{x}" in said
    caught = {"submission": "wrong_answer/one.py", "caught_by": ["secret/01-zero", "secret/06-again"]}
    assert first["strength"]["catches"] == [caught]
    assert len(first["mutants"]) == 3
    assert {each["verdict"] for each in first["mutants"]} == {"RE"}
    assert first["cost"]["cases"] == 2


def test_one_problem_of_a_file_of_another_judge(tmp_path: Path) -> None:
    item = (
        "<item><title>{}</title><sample_input>1 2</sample_input><sample_output>3</sample_output>"
        "<test_input>4 5</test_input><test_output>9 </test_output><time_limit>2</time_limit>"
        "<solution language='Python'>{}</solution></item>"
    )
    (tmp_path / "set.xml").write_text(f"<fps>{item.format('Sum', ADD)}{item.format('Other', '')}</fps>")
    verified = deepoj("verify", tmp_path / "set.xml")
    assert verified.exit_code == 1
    assert "choose one of them by its name: sum (Sum), other (Other)" in verified.output
    verified = deepoj("verify", tmp_path / "set.xml", "--item", "sum")
    assert verified.exit_code == 0, verified.output
    assert "Sum (fps, 2 cases)" in verified.stdout


def test_a_report_for_programs(small: Path) -> None:
    verified = deepoj("verify", small, "--json")
    assert verified.exit_code == 0, verified.output
    report = json.loads(verified.stdout)
    assert (report["ok"], report["package"]["title"], report["findings"]) == (True, "A + B", [])
    (judged,) = report["submissions"]
    assert (judged["verdict"], judged["expected"], len(judged["cases"])) == ("AC", "AC", 7)
    assert (report["time_limit"]["current_ms"], report["time_limit"]["suggested_ms"]) == (1000, 1000)


def test_without_a_time_limit_one_is_suggested(small: Path) -> None:
    about = small / "problem.yaml"
    about.write_text(about.read_text().replace("  time_limit: 1\n", ""))
    report = json.loads(deepoj("verify", small, "--json").stdout)
    assert report["time_limit"]["current_ms"] is None
    assert any("has no time limit" in each["message"] for each in report["findings"])


def test_a_validator_that_does_not_compile_is_an_error(small: Path) -> None:
    (small / "input_validators/broken.cpp").write_text("int main( {}\n")
    verified = deepoj("verify", small)
    assert verified.exit_code == 1
    assert "broken.cpp does not compile" in verified.stdout


def test_validators_that_cannot_be_run_here_are_warned_about(small: Path) -> None:
    (small / "input_validators/check.sh").write_text("exit 42\n")
    (small / "input_validators/check.hs").write_text("main = return ()\n")
    verified = deepoj("verify", small)
    assert verified.exit_code == 0, verified.output
    assert "check.sh does not begin with a line such as #!/bin/bash" in verified.stdout
    assert "check.hs was not run: " in verified.stdout


def test_programs_with_scripts_of_their_own_are_built_and_run(small: Path) -> None:
    programs = {
        "input_validators/two/build": "#!/bin/sh\necho 'read -r line && exit 42' > one\n",
        "input_validators/two/run": '#!/bin/sh\n. "${0%/*}/one"\n',
        "submissions/accepted/shell/run": "#!/bin/sh\nread -r a b\necho $((a + b))\n",
        "submissions/wrong_answer/shell/run": "#!/bin/sh\necho none\n",
    }
    for name, text in programs.items():
        (small / name).parent.mkdir(parents=True, exist_ok=True)
        (small / name).write_text(text)
    verified = deepoj("verify", small)
    assert verified.exit_code == 0, verified.output
    assert "accepted/shell (scripts): AC" in verified.stdout
    assert "wrong_answer/shell (scripts): WA" in verified.stdout
    (small / "input_validators/two/build").write_text("#!/bin/sh\necho nothing to build with; exit 1\n")
    verified = deepoj("verify", small, "--part", "validators")
    assert verified.exit_code == 1
    assert "two does not compile: nothing to build with" in verified.stdout


def test_sources_of_example_submissions_are_looked_at(small: Path) -> None:
    files = {
        "problem.yaml": "problem_format_version: 2025-09\ntype: scoring\nname: Add\n"
        "uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nlimits: {time_limit: 2}\n",
        "static_validator/look.py": "import sys\n"
        "text = open(sys.argv[2]).read()\nsys.exit(43 if sys.argv[4] in text else 42)\n",
        "data/secret/test_group.yaml": "score_aggregation: sum\nstatic_validation_score: 30\n"
        "static_validator_args: ['import']\n",
        "submissions/submissions.yaml": "accepted: {score: 100}\n"
        "rejected: {score: 70, secret/static_validation: {required: [WA]}}\n",
        "submissions/rejected/imports.py": "import sys\n" + ADD,
    }
    for name, text in files.items():
        (small / name).parent.mkdir(parents=True, exist_ok=True)
        (small / name).write_text(text)
    verified = deepoj("verify", small)
    assert verified.exit_code == 0, verified.output
    again = small.parent / "again"
    assert deepoj("export", small, again).exit_code == 0
    verified = deepoj("verify", next(again.rglob("problem.yaml")).parent, "--case", "secret/*")
    assert verified.exit_code == 0, verified.output
    (small / "submissions/submissions.yaml").write_text("rejected: {score: 100}\n")
    verified = deepoj("verify", small)
    assert verified.exit_code == 1
    assert "imports.py" in verified.stdout


def test_what_a_validator_says_of_every_input_is_said_once(small: Path) -> None:
    (small / "input_validators/crash.py").write_text("import sys\nsys.exit('no input pleases me')\n")
    verified = deepoj("verify", small)
    assert verified.exit_code == 1
    assert verified.stdout.count("no input pleases me") == 1


def test_solutions_are_judged_case_by_case(small: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("a, b = map(int, input().split())\nprint(a + b + (a > 100))\n")
    judged = deepoj("judge", small, small / "submissions/accepted/sum.py", wrong)
    assert judged.exit_code == 1
    assert "sum.py (python3): AC" in judged.stdout
    assert "wrong.py (python3): WA" in judged.stdout
    assert "line 1, column 1: expected '7000000000', got '7000000001'" in judged.stdout
    assert "skipped" in judged.stdout
    assert "\x1b" not in judged.output, "colours and bars are for terminals"

    everything = deepoj("judge", small, wrong, "--all-cases", "--json")
    (only,) = json.loads(everything.stdout)["solutions"]
    assert [case["verdict"] for case in only["cases"]] == ["AC", "AC", "AC", "AC", "WA", "WA", "AC"]


def test_whatever_one_solution_does_the_others_are_judged_and_shown(small: Path, tmp_path: Path) -> None:
    unstartable = tmp_path / "unstartable.c"
    unstartable.write_text(
        'const char i[] __attribute__((section(".interp"))) = "/nonexistent";\nint main(void) { return 0; }\n'
    )
    unfit = tmp_path / "unfit"
    unfit.mkdir()
    (unfit / "main.py").write_text(ADD)
    (unfit / "a\\b.txt").write_text("no box has a file of that name")
    right = small / "submissions/accepted/sum.py"
    judged = deepoj("judge", small, unstartable, unfit, right)
    assert judged.exit_code == 1
    assert "unstartable.c (c11): RE" in judged.stdout
    assert "the program cannot be started: No such file or directory" in judged.stdout
    assert "unfit (python3): SE" in judged.stdout
    assert "it could not be judged: the sandbox refuses: name" in judged.stdout
    assert "sum.py (python3): AC" in judged.stdout


def test_the_standard_error_of_a_crash_is_shown(small: Path, tmp_path: Path) -> None:
    crash = tmp_path / "crash.py"
    crash.write_text(f"{ADD}raise RuntimeError('here it broke')\n")
    judged = deepoj("judge", small, crash)
    assert "standard error of sample/1:" in judged.stdout
    assert "RuntimeError: here it broke" in judged.stdout
    (only,) = json.loads(deepoj("judge", small, crash, "--json").stdout)["solutions"]
    assert only["cases"][0]["stderr"].endswith("RuntimeError: here it broke\n")
    assert {case["stderr"] for case in only["cases"][1:]} == {""}


def until_runs(*argv: str) -> None:
    """Wait for a program in a box; the host sees into it."""
    wanted = "".join(f"{word}\0" for word in argv).encode()
    until(lambda: any(command_line(each) == wanted for each in Path("/proc").glob("[0-9]*")), f"{argv} runs")


def command_line(process: Path) -> bytes:
    try:
        return process.joinpath("cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize("verb", ["judge", "verify"])
def test_results_come_as_they_are_known_and_ctrl_c_keeps_them(
    small: Path, tmp_path: Path, verb: str, options: tuple[str, ...]
) -> None:
    about = small / "problem.yaml"
    about.write_text(about.read_text().replace("  time_limit: 1\n", "  time_limit: 100\n"))
    busy = ("python3", "-c", "while True: pass", f"{os.getpid()}")
    endless = (small / "submissions/accepted" if verb == "verify" else tmp_path) / "z.py"
    endless.write_text(f"import os\nos.execv('/usr/bin/python3', {busy})\n")
    solutions = [str(small / "submissions/accepted/sum.py"), str(endless)]
    more = solutions if verb == "judge" else ["--threads=1", "--part=submissions"]
    argv = [sys.executable, "-m", "deepoj", verb, str(small), *more, *options]
    with (tmp_path / "shown").open("w") as sink:
        process = subprocess.Popen(argv, stdout=sink, stderr=subprocess.DEVNULL, start_new_session=True)
    until_runs(*busy)
    shown = (tmp_path / "shown").read_text()
    assert ("sum.py (python3): AC" in shown) == (not options)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    if options:
        report = json.loads((tmp_path / "shown").read_text())
        judged = report["solutions" if verb == "judge" else "submissions"]
        assert [each["verdict"] for each in judged] == ["AC"]
    elif verb == "verify":
        assert "broken off with 1 of 2 submissions judged" in (tmp_path / "shown").read_text()


def test_a_package_is_written_in_another_format_or_not_at_all(small: Path, tmp_path: Path) -> None:
    target = tmp_path / "legacy"
    written = deepoj("export", small, target, "--format", "legacy")
    assert (written.exit_code, written.stdout) == (0, f"written: {target}\n"), written.output
    assert "validation: default" in (target / "problem.yaml").read_text()
    refused = deepoj("export", small, target)
    assert (refused.exit_code, "is there already" in refused.stderr) == (2, True), refused.output
    refused = deepoj("export", EXAMPLES / "guess", tmp_path / "polygon", "--format=polygon")
    assert (refused.exit_code, "cannot say it: interaction" in refused.stderr) == (1, True), refused.output
    assert not (tmp_path / "polygon").exists()


def test_a_zip_is_judged_like_its_directory(small: Path, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", small)
    judged = deepoj("judge", archive, small / "submissions/accepted/sum.py")
    assert judged.exit_code == 0, judged.output


def test_what_cannot_be_done_is_one_sentence(small: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello\n")
    solution = small / "submissions/accepted/sum.py"
    wanted = {
        ("judge", tmp_path / "nowhere", solution): (2, "does not exist"),
        ("judge", small, tmp_path / "nowhere.py"): (2, "there is no solution"),
        ("judge", small, solution, "--language", "cobol"): (2, "there is no language cobol"),
        ("verify", tmp_path / "notes.txt"): (1, "neither a directory nor a zip nor a tar"),
        ("verify", small / "data"): (1, "it is not a problem package"),
    }
    for arguments, (code, sentence) in wanted.items():
        refused = deepoj(*arguments)
        assert (refused.exit_code, sentence in refused.stderr) == (code, True), refused.output
        assert refused.stderr.startswith("error: ")


def test_a_sandbox_that_cannot_start_is_named(
    small: Path, judge_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = judge_home / "file"
    in_the_way.write_text("")
    monkeypatch.setenv("DEEPOJ_JUDGEMENT_SANDBOX_STATE", str(in_the_way))
    refused = deepoj("verify", small)
    assert refused.exit_code == 5
    assert "the sandbox does not work" in refused.stderr
    assert "deepoj doctor" in refused.stderr


def test_languages_say_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEEPOJ_JUDGEMENT_LANGUAGES")
    shown = json.loads(deepoj("languages", "--json").stdout)
    by_slug = {each["slug"]: each for each in shown}
    assert by_slug["python3"]["installed"]
    assert all(each["package"] for each in shown)
    table = deepoj("languages").stdout
    assert by_slug["python3"]["version"] in table
    assert all(each["slug"] in table for each in shown)


def test_languages_that_are_left_out_are_as_if_they_were_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPOJ_JUDGEMENT_LANGUAGES", "python3")
    shown = json.loads(deepoj("languages", "--json").stdout)
    assert [each["slug"] for each in shown if each["installed"]] == ["python3"]
    monkeypatch.setenv("DEEPOJ_JUDGEMENT_LANGUAGES", "python3,cobol")
    refused = deepoj("languages")
    assert (refused.exit_code, refused.stderr.startswith("error: languages names cobol")) == (2, True)


def test_a_place_that_another_user_prepared_is_refused(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEEPOJ_JUDGEMENT_HOME")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    victim = tmp_path / "of-root"
    victim.write_text("kept")
    trap = tmp_path / f"deepoj-judgement-{os.geteuid()}"
    (trap / "precompiled" / "cpp17").mkdir(parents=True)
    (trap / "precompiled" / "cpp17" / "source.h").symlink_to(victim)
    os.chown(trap, 54321, 54321)
    judged = deepoj("judge", small, small / "submissions/accepted/sum.py")
    assert judged.exit_code == 5
    assert "belongs to another user" in judged.stderr
    assert "DEEPOJ_JUDGEMENT_HOME" in judged.stderr
    assert victim.read_text() == "kept"


def test_a_compile_log_does_not_speak_to_the_terminal(small: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.c").write_text("#error \x1b[31m :x: [red]\n")
    judged = deepoj("judge", small, tmp_path / "wrong.c")
    assert "CE" in judged.stdout
    assert "\x1b" not in judged.output
    assert ":x: [red]" in judged.stdout


def polygon(root: Path) -> Path:
    """A standard package: nearly all of its tests are still to be made."""
    files = {
        "problem.xml": """<problem short-name="add"><names><name language="english" value="Add"/></names>
<judging><testset name="tests"><time-limit>5000</time-limit><memory-limit>268435456</memory-limit>
<input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
<tests><test sample="true"/><test cmd="gen 4 '5 6'"/><test cmd="gen 7"/></tests></testset></judging>
<files><executables>
<executable><source path="files/gen.py" type="python.3"/></executable></executables></files>
<assets><checker name="std::ncmp.cpp"><source path="files/gen.py"/></checker>
<validators><validator><source path="files/val.cpp" type="cpp.g++17"/></validator></validators>
<solutions><solution tag="main"><source path="solutions/add.py" type="python.3"/></solution></solutions>
</assets>
</problem>""",
        "files/gen.py": "import sys\nprint(*sys.argv[1:])\n",
        # As testlib does it: it looks at the end of the program after main has returned.
        "files/val.cpp": "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n"
        "struct Guard { bool read = false; ~Guard() { if (!read) _Exit(3); } } guard;\n"
        'int main(int argc, char **argv) { int n; if (argc != 3 || strcmp(argv[2], "tests")) return 3;\n'
        'while (scanf("%d", &n) == 1) guard.read = true; }\n',
        "solutions/add.py": ADD,
        "tests/01": "1 2\n",
    }  # fmt: skip
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


def test_tests_are_made_by_the_programs_of_the_package(tmp_path: Path) -> None:
    package = polygon(tmp_path / "add")
    verified = deepoj("verify", package)
    assert verified.exit_code == 0, verified.output
    assert "Add (polygon, 3 cases)" in verified.stdout
    assert not (package / "tests/02").exists(), "what was given is not written to"
    made = list(events("make-tests", ["--", str(package), str(tmp_path / "made.zip")]))
    assert made[-1] == Finished(ok=True)
    with zipfile.ZipFile(tmp_path / "made.zip") as archive:
        found = {
            name: archive.read(name).decode() for name in archive.namelist() if name.startswith("tests/")
        }
    assert found == {
        "tests/01": "1 2\n", "tests/01.a": "3\n", "tests/02": "4 5 6\n", "tests/02.a": "15\n",
        "tests/03": "7\n", "tests/03.a": "7\n",
    }  # fmt: skip
    spec = read_package(tmp_path / "made.zip", tmp_path / "into")
    assert (len(spec.cases), spec.recipes) == (3, ())


def test_a_generator_may_write_several_tests_to_files(tmp_path: Path) -> None:
    package = polygon(tmp_path / "add")
    problem = (package / "problem.xml").read_text()
    problem = problem.replace("\"gen 4 '5 6'\"", '"gen 5" from-file="8"').replace(
        '"gen 7"', '"gen 5" from-file="9"'
    )
    (package / "problem.xml").write_text(problem)
    writes = "import os, sys\nfor name in '89':\n    print(name, sys.argv[1], file=open(name, 'w'))\n"
    (package / "files/gen.py").write_text(writes)
    made = list(events("make-tests", ["--", str(package), str(tmp_path / "made.zip")]))
    assert made[-1] == Finished(ok=True)
    with zipfile.ZipFile(tmp_path / "made.zip") as archive:
        assert [archive.read(f"tests/0{n}") for n in (2, 3)] == [b"8 5\n", b"9 5\n"]
        assert [archive.read(f"tests/0{n}.a") for n in (2, 3)] == [b"13\n", b"14\n"]
    for instead in ("", "os.symlink('/etc/passwd', '9')", "os.mkdir('9')", "os.mkfifo('9')"):
        (package / "files/gen.py").write_text(f"{writes}os.remove('9')\n{instead}\n")
        verified = deepoj("verify", package)
        assert verified.exit_code == 1, instead
        assert "tests/03 cannot be made by gen.py 5: it wrote no 9" in verified.output, verified.output


def test_arguments_of_generators_may_hold_anything(tmp_path: Path) -> None:
    package = polygon(tmp_path / "add")
    description = package / "problem.xml"
    (package / "solutions/add.py").write_text("print(len(input()))\n")
    description.write_text(description.read_text().replace('"gen 7"', "\"gen '7 `ls` $(x) &lt; ..'\""))
    list(events("make-tests", ["--", str(package), str(tmp_path / "made.zip")]))
    with zipfile.ZipFile(tmp_path / "made.zip") as archive:
        assert archive.read("tests/03").decode() == "7 `ls` $(x) < ..\n"


def test_arguments_of_validators_may_hold_anything(small: Path) -> None:
    words = ["'a;b'", "<c> | $(d)"]
    (small / "data/secret/test_group.yaml").write_text(f"input_validator_args: {words}\n")
    for directory in ("data/invalid_input", "input_validators"):
        shutil.rmtree(small / directory)
    (small / "input_validators").mkdir()
    (small / "input_validators/words.py").write_text(
        f"import sys\nsys.exit(42 if sys.argv[1:] in ([], {words!r}) else 43)\n"
    )
    verified = deepoj("verify", small, "--part", "validators")
    assert verified.exit_code == 0, verified.output


def test_a_generator_that_fails_is_named(tmp_path: Path) -> None:
    package = polygon(tmp_path / "add")
    (package / "files/gen.py").write_text("raise SystemExit('no such test')\n")
    verified = deepoj("verify", package)
    assert verified.exit_code == 1
    assert "tests/02 cannot be made by gen.py 4 5 6: it ended with RE" in verified.output
    assert "no such test" in verified.output


def test_data_of_generators_yaml_is_made_and_met_by_grammars(tmp_path: Path) -> None:
    """As packages of BAPCtools are: no data, a rule for each case, validators that are no programs."""
    package = tmp_path / "add"
    files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: Add\nlimits: {time_limit: 2}\n"
        "uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nconstants: {most: 9}\n",
        "statement/problem.en.md": "Add numbers up to {{most}}.\n",
        "generators/generators.yaml": "solution: /submissions/accepted/add.py\ndata:\n"
        "  sample: {data: {'1': {in: 1 2}}}\n"
        "  secret: {data: [{made: 'gen.py 4 1', run: 'own 5 2', manual: {in: 8 9, ans: '17'}}]}\n"
        "  invalid_input: {data: {large: {in: 10 1}}}\n",
        "generators/gen.py": "import sys\nprint(*sys.argv[1:3])\n",
        "generators/own/build": "#!/bin/sh\necho 'echo $1 $2' > out\n",
        "generators/own/run": '#!/bin/sh\n. "${0%/*}/out"\n',
        "input_validators/check.ctd": "INT(1, {{most}}) SPACE INT(1, {{most}}) NEWLINE\n",
        "input_validators/check.viva": "a b (1<=a<={{most}}, 1<=b<={{most}});\n",
        "answer_validators/check.ctd": "INT(2, 18) NEWLINE\n",
        "submissions/accepted/add.py": ADD,
    }
    for name, content in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(content)
    verified = deepoj("verify", package)
    assert verified.exit_code == 0, verified.output
    assert "Add (2025-09, 4 cases)" in verified.stdout
    assert "validator" not in verified.output
    assert not (package / "data").exists(), "what was given is not written to"
    assert list(events("make-tests", ["--", str(package), str(tmp_path / "made.zip")]))[-1] == Finished(
        ok=True
    )
    spec = read_package(tmp_path / "made.zip", tmp_path / "into")
    inputs = {case.name: spec.path(case.input).read_text() for case in spec.cases}
    made = {name.partition("-")[2]: text for name, text in inputs.items()}
    assert (spec.recipes, made["made"], made["run"]) == ((), "4 1\n", "5 2\n")


def test_a_main_solution_runs_as_submissions_do(tmp_path: Path) -> None:
    files = {
        "task.yaml": "name: add\ntitle: Add\ntime_limit: 5\nmemory_limit: 256\n",
        "gen/GEN": "#ST: 100\n1 2\n4 5\n",
        "gen/generator.py": "import sys\nprint(*sys.argv[1:])\n",
        "sol/grader.py": "import add\nprint(add.total(open('input.txt')), file=open('output.txt', 'w'))\n",
        "sol/solution.py": "def total(given):\n    return sum(map(int, given.read().split()))\n",
    }
    for name, content in files.items():
        (tmp_path / "add" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "add" / name).write_text(content)
    verified = deepoj("verify", tmp_path / "add")
    assert verified.exit_code == 0, verified.output
    list(events("make-tests", ["--", str(tmp_path / "add"), str(tmp_path / "made.zip")]))
    with zipfile.ZipFile(tmp_path / "made.zip") as archive:
        assert archive.read("output/output1.txt") == b"9\n"
