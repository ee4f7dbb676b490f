"""judge, verify and languages as a setter or a CI job uses them: the real judge on this machine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deepoj.cli import cli
from deepoj_kit.testing.conditions import PATIENCE

EXAMPLES = Path(__file__).parents[4] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/problem.yaml"))
ADD = "print(sum(map(int, input().split())))\n"
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
    # Not under pytest's own directory: the path of a unix socket ends at 107 bytes.
    with tempfile.TemporaryDirectory(prefix="deepoj-test-", ignore_cleanup_errors=True) as home:
        yield Path(home)


@pytest.fixture(autouse=True)
def settings(judge_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPOJ_JUDGEMENT_HOME", str(judge_home))
    monkeypatch.setenv("DEEPOJ_JUDGEMENT_SANDBOX_STATE", str(judge_home / "sandbox"))
    monkeypatch.setenv("DEEPOJ_JUDGEMENT_PRECOMPILE", "false")


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
def test_every_example_is_as_it_says(name: str) -> None:
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
    (small / "answer_validators").mkdir()
    (small / "answer_validators/sums.py").write_text(ANSWERS)
    (small / "data/invalid_answer").mkdir()
    for name, answer in (("right", 3), ("wrong", 4)):
        (small / f"data/invalid_answer/{name}.in").write_text("1 2\n")
        (small / f"data/invalid_answer/{name}.ans").write_text(f"{answer}\n")
    verified = deepoj("verify", small)
    assert verified.exit_code == 1
    said = verified.stdout
    assert "accepted/crash.py: sample/1 and 6 more should be AC, and is RE" in said
    assert "line 1, column 1: expected '43', got '42'" in said
    assert "validate.py does not confirm secret/01-zero" in said
    assert "no input validator refuses invalid_input/three-numbers" in said
    assert "sums.py does not confirm secret/02-small: 42" in said
    assert "no answer validator refuses invalid_answer/right" in said
    assert "refuses invalid_answer/wrong" not in said
    assert "files with CRLF line ends: data/secret/01-zero.in" in said
    assert "nothing uses data/sample/lonely.ans" in said
    assert "something is wrong" in said


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


def test_a_validator_in_an_unknown_language_is_warned_about(small: Path) -> None:
    (small / "input_validators/check.sh").write_text("exit 42\n")
    verified = deepoj("verify", small)
    assert verified.exit_code == 0, verified.output
    assert "check.sh was not run: there is no language bash" in verified.stdout


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
    deadline = time.monotonic() + PATIENCE
    while not any(command_line(each) == wanted for each in Path("/proc").glob("[0-9]*")):
        assert time.monotonic() < deadline, f"{argv} does not run"
        time.sleep(0.02)


def command_line(process: Path) -> bytes:
    try:
        return process.joinpath("cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_results_come_as_they_are_known_and_ctrl_c_keeps_them(
    small: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    about = small / "problem.yaml"
    about.write_text(about.read_text().replace("  time_limit: 1\n", "  time_limit: 100\n"))
    endless, busy = tmp_path / "endless.py", ("python3", "-c", "while True: pass", f"{os.getpid()}")
    endless.write_text(f"import os\nos.execv('/usr/bin/python3', {busy})\n")
    solutions = [str(small / "submissions/accepted/sum.py"), str(endless)]
    argv = [sys.executable, "-m", "deepoj", "judge", str(small), *solutions, *options]
    with (tmp_path / "shown").open("w") as sink:
        # A run of these tests in the background ignores Ctrl-C, and so would whoever it starts.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        process = subprocess.Popen(argv, stdout=sink, stderr=subprocess.DEVNULL, start_new_session=True)
    until_runs(*busy)
    shown = (tmp_path / "shown").read_text()
    assert ("sum.py (python3): AC" in shown) == (not options)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(PATIENCE) != 0
    if options:
        report = json.loads((tmp_path / "shown").read_text())
        assert [each["verdict"] for each in report["solutions"]] == ["AC"]


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


def test_languages_say_how_to_get_them() -> None:
    shown = json.loads(deepoj("languages", "--json").stdout)
    by_slug = {each["slug"]: each for each in shown}
    assert by_slug["python3"]["installed"]
    assert all(each["package"] for each in shown)
    table = deepoj("languages").stdout
    assert by_slug["python3"]["version"] in table
    assert all(each["slug"] in table for each in shown)


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
