"""Programs of a setter that look at what was submitted, in the real sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Unpack

import pytest

from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.checker import Convention, SourceFile
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.submission_form import IncludedFiles, SubmissionForm
from deepoj_domain.question.suite import Group, GroupScoring

if TYPE_CHECKING:
    from deepoj_judgement.commands.judge.judge import Judged

    from .conftest import Bench, CheckerOptions, Sources

ALL = Group("all", Score.points(100), GroupScoring.ALL)
ECHO = "print(input())"
TELLS = """
import os, sys
language, entry, feedback, *more = sys.argv[1:]
found = sorted(os.path.relpath(os.path.join(at, name)) for at, _, names in os.walk('.') for name in names)
with open(feedback + 'judgemessage.txt', 'w') as message:
    print(language, entry, found, more, file=message)
sys.exit({})
"""
FORBIDS_INPUT = """
import sys
text = open(sys.argv[2]).read()
sys.exit(43 if 'input' in text else 42)
"""


async def looked_at(
    bench: Bench,
    checker: str,
    submission: Sources = ECHO,
    *,
    written_in: str = "python3",
    group: Group = ALL,
    contents: tuple[str, ...] = (),
    **options: Unpack[CheckerOptions],
) -> tuple[CaseResult, Judged]:
    options["convention"] = Convention.SOURCE
    bench.source_checker = bench.program(checker, **options)
    judged = await bench.judge(
        submission, (("10", "10"),), language=written_in, contents=(checker, *contents), group=group
    )
    return judged.result.cases[0], judged


async def test_it_is_told_language_entry_and_arguments_and_finds_what_was_submitted(bench: Bench) -> None:
    case, judged = await looked_at(bench, TELLS.format(42), arguments=("-x", "a b;$(c)"))
    assert case.verdict is judged.result.verdict is Verdict.ACCEPTED
    assert case.message == "python3 main.py ['main.py'] ['-x', 'a b;$(c)']"


@pytest.mark.parametrize(
    ("submission", "verdict"), [(ECHO, Verdict.WRONG_ANSWER), ("print(10)", Verdict.ACCEPTED)]
)
async def test_who_may_not_do_it_so_is_rejected_however_right_the_output(
    bench: Bench, submission: str, verdict: Verdict
) -> None:
    case, judged = await looked_at(bench, FORBIDS_INPUT, submission)
    assert case.verdict is verdict
    assert (judged.result.verdict, judged.result.cases[1].verdict) == (verdict, Verdict.ACCEPTED)


async def test_a_compiled_submission_lies_there_as_it_was_compiled(bench: Bench) -> None:
    files = {"main.cpp": '#include "deep/add.h"\nint main() { return add(); }',
             "deep/add.h": "inline int add() { return 0; }"}  # fmt: skip
    case, _ = await looked_at(bench, TELLS.format(42), files, written_in="cpp17")
    assert case.message.startswith("cpp main.cpp ['deep/add.h', 'main', 'main.cpp']")


async def test_included_files_lie_there_too(bench: Bench) -> None:
    helper = "def add(): return 10"
    files = (SourceFile("helper.py", hash_of(helper.encode())),)
    bench.form = SubmissionForm(included=(IncludedFiles(languages=frozenset(), files=files),))
    case, judged = await looked_at(
        bench, TELLS.format(42), "import helper; print(helper.add())", contents=(helper,)
    )
    assert judged.result.verdict is Verdict.ACCEPTED
    assert "'helper.py', 'main.py'" in case.message


async def test_what_does_not_compile_is_not_looked_at(bench: Bench) -> None:
    bench.source_checker = bench.program(TELLS.format(43), convention=Convention.SOURCE)
    judged = await bench.judge("int main( {", language="cpp17", contents=(TELLS.format(43),))
    assert judged.result.verdict is Verdict.COMPILE_ERROR


async def test_a_submission_that_could_never_run_is_told_so_although_its_source_is_accepted(
    bench: Bench,
) -> None:
    checker = TELLS.format(42)
    bench.source_checker = bench.program(checker, convention=Convention.SOURCE)
    judged = await bench.judge("def", contents=(checker,))
    assert judged.result.verdict is Verdict.COMPILE_ERROR


HALF = "import sys\nopen(sys.argv[3] + 'score_multiplier.txt', 'w').write('0.5')\nsys.exit(42)"
FOUR = "import sys\nopen(sys.argv[3] + 'score.txt', 'w').write('4')\nsys.exit(42)"


@pytest.mark.parametrize(
    ("checker", "score"), [(HALF, "95"), (FOUR, "94"), (TELLS.format(42), "100"), (TELLS.format(43), "90")]
)
async def test_it_may_give_a_part_of_its_points(bench: Bench, checker: str, score: str) -> None:
    bench.source_points, bench.case_points = Score.points(10), Score.points(90)
    group = Group("all", Score.points(100), GroupScoring.SUM)
    _, judged = await looked_at(bench, checker, scores=True, group=group)
    assert str(judged.result.score) == score


SHORT = Limits(cpu_ms=300, memory_kib=64 * 1024, output_kib=64)


@pytest.mark.parametrize(
    ("checker", "said"),
    [
        ("while True: pass", "ran out of time"),
        ("import time\ntime.sleep(60)", "ran out of time"),
        ("import os\nos.abort()", "killed by signal"),
        ("x = bytearray(1 << 33)", "ran out of memory"),
        ("while True: print('x' * 65536)", "wrote too much"),
        ("raise SystemExit(0)", "unknown exit code 0"),
        ("def", "unknown exit code 1"),
        (FOUR.replace("'4'", "'101'"), "points that make no sense"),
        (FOUR.replace("'4'", "'nan'"), "points that make no sense"),
        ("import os, sys\nos.symlink('/etc/passwd', sys.argv[3] + 'score.txt')\nsys.exit(3)", "exit code 3"),
        ("import sys\nopen('/app/submitted/main.py', 'a')\nsys.exit(42)", "unknown exit code 1"),
    ],
)
async def test_a_checker_that_breaks_is_a_system_error(bench: Bench, checker: str, said: str) -> None:
    group = Group("all", Score.points(100), GroupScoring.MIN)
    case, judged = await looked_at(bench, checker, scores=True, group=group, checker_limits=SHORT)
    assert (case.verdict, judged.result.verdict) == (Verdict.SYSTEM_ERROR, Verdict.SYSTEM_ERROR), case
    assert said in case.message, case.message
    assert judged.result.message == "the judge failed on case source", "contestants learn nothing of it"


SAYS_100 = "100"
FOOLS: Mapping[str, Mapping[str, str]] = {
    "a directory of its own for what is said": {"feedback/score.txt": SAYS_100, "feedback_": ""},
    "files that look like what is said": {"score.txt": SAYS_100, "judgemessage.txt": "all is well"},
    "files that look like the checker": {
        "checker.py": "raise SystemExit(42)",
        "sys.py": "exit = lambda _: 1",
    },
    "a module in place of one of the language": {"os.py": "raise SystemExit(42)", "sitecustomize.py": ""},
    "names that look like options": {"--help": "", "-rs": "", "a b;$(c).txt": ""},
}


@pytest.mark.parametrize("fool", FOOLS)
async def test_no_name_of_a_file_that_was_submitted_speaks_for_the_checker(bench: Bench, fool: str) -> None:
    files = {"main.py": ECHO, **FOOLS[fool]}
    case, judged = await looked_at(bench, TELLS.format(43), files)
    assert (case.verdict, judged.result.verdict) == (Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER), case
    assert case.message.startswith("python3 main.py"), case.message
    missing = [name for name in files if repr(name) not in case.message]
    assert not missing, "what was submitted is there under its own name"


async def test_a_score_that_was_submitted_is_not_the_checkers(bench: Bench) -> None:
    bench.source_points, bench.case_points = Score.points(10), Score.points(90)
    group = Group("all", Score.points(100), GroupScoring.SUM)
    files = {"main.py": ECHO, "score.txt": "7", "feedback/score.txt": "7", "feedback_/score.txt": "7"}
    _, judged = await looked_at(bench, TELLS.format(42), files, scores=True, group=group)
    assert str(judged.result.score) == "100"


READS_ALL = """
import os, sys
sys.exit(42 if sum(os.path.getsize(name) for name in os.listdir('.') if os.path.isfile(name)) > 2**21 else 3)
"""


async def test_a_large_submission_is_looked_at_whole(bench: Bench) -> None:
    files = {"main.py": ECHO, "large.txt": "x" * 2**21}
    case, judged = await looked_at(bench, READS_ALL, files)
    assert judged.result.verdict is Verdict.ACCEPTED, case


NOSY = """
import os, sys
walked = [each for top in ("/app", "/box") for each in os.walk(top)]
found = [os.path.join(at, name) for at, _, names in walked for name in names]
open(sys.argv[3] + 'judgemessage.txt', 'w').write(repr(sorted(found)))
sys.exit(42)
"""


async def test_nothing_of_the_tests_is_there(bench: Bench) -> None:
    case, _ = await looked_at(bench, NOSY)
    assert case.message == "['/app/main.py', '/app/submitted/main.py', '/box/main.py']"


async def test_one_that_does_not_compile_is_a_system_error(bench: Bench) -> None:
    bench.source_checker = bench.program(
        {"look.cpp": "int main( {"}, convention=Convention.SOURCE, language="cpp17"
    )
    assert bench.source_checker.language == language_slug("cpp17")
    judged = await bench.judge(ECHO, (("10", "10"),), contents=("int main( {",))
    assert judged.result.verdict is Verdict.SYSTEM_ERROR
    assert "does not compile" in judged.result.cases[0].message
