"""What a question wants to be submitted, in the real sandbox: files by name, graders, limits of a case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.checker import Convention, ProgramChecker, SourceFile
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.submission_form import FileNames, IncludedFiles, SubmissionForm
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.outbound.sandbox.one_shot import OneShotSandbox

if TYPE_CHECKING:
    from .conftest import Bench

FILES = SubmissionForm(file_names=FileNames(input="sum.in", output="sum.out"))
ADD = "n = sum(map(int, open('sum.in').read().split()))\n"
CASES = (("1 2", "3"), ("4 5", "9"))
SMALL = Limits(cpu_ms=10_000, memory_kib=128 * 1024, output_kib=64)


def written(how: str) -> str:
    return f"import os\n{ADD}{how}\n"


@pytest.mark.parametrize(
    ("solution", "verdict"),
    [
        (written("open('sum.out', 'w').write(str(n))"), Verdict.ACCEPTED),
        (written("open('sum.out', 'w').write(str(n))\nprint('noise')"), Verdict.ACCEPTED),
        (written("print(n)"), Verdict.WRONG_ANSWER),
        ("print(sum(map(int, input().split())))", Verdict.RUNTIME_ERROR),
        (written("os.symlink('/app', 'sum.out')"), Verdict.WRONG_ANSWER),
        (written("os.symlink('sum.in', 'sum.out')"), Verdict.WRONG_ANSWER),
        (written("open('x', 'w').write(str(n))\nos.symlink('x', 'sum.out')"), Verdict.WRONG_ANSWER),
        (written("os.mkfifo('sum.out')"), Verdict.WRONG_ANSWER),
        (written("os.mkdir('sum.out')"), Verdict.WRONG_ANSWER),
        (written("open('sum.out', 'w').write('3' * 100000)"), Verdict.OUTPUT_LIMIT),
        (written("open('sum.out', 'w').truncate(1 << 25)"), Verdict.OUTPUT_LIMIT),
        (written("open('sum.out', 'w').write(str(n))\nos.chmod('sum.out', 0)"), Verdict.ACCEPTED),
        (written("os.remove('sum.in')\nopen('sum.out', 'w').write(str(n))"), Verdict.ACCEPTED),
    ],
    ids=[
        "file", "file and noise", "stdout", "stdin", "link to ours", "link to the input", "link", "fifo",
        "directory", "long", "sparse", "unreadable", "input removed",
    ],
)  # fmt: skip
async def test_only_a_file_of_the_right_name_is_the_output(
    bench: Bench, solution: str, verdict: Verdict
) -> None:
    bench.form = FILES
    judged = await bench.judge(solution, CASES, limits=SMALL)
    assert judged.result.verdict is verdict, judged.result.cases
    assert {case.verdict for case in judged.result.cases} == {verdict}, "no run leaves the next anything"


async def test_one_stream_may_be_a_file_and_the_other_not(bench: Bench) -> None:
    bench.form = SubmissionForm(file_names=FileNames(input="sum.in"))
    assert (await bench.judge(f"{ADD}print(n)", CASES)).result.verdict is Verdict.ACCEPTED
    bench.form = SubmissionForm(file_names=FileNames(output="sum.out"))
    solution = "open('sum.out', 'w').write(str(sum(map(int, input().split()))))"
    assert (await bench.judge(solution, CASES)).result.verdict is Verdict.ACCEPTED


async def test_files_by_name_work_in_little_memory_and_with_the_one_shot_command(
    bench: Bench, private_home: Path
) -> None:
    bench.form = FILES
    source = """#include <cstdio>
    int main() { int a, b; FILE *in = fopen("sum.in", "r"), *out = fopen("sum.out", "w");
    if (fscanf(in, "%d%d", &a, &b) != 2) return 1; fprintf(out, "%d", a + b); return 0; }"""
    little = Limits(cpu_ms=10_000, memory_kib=4 * 1024, output_kib=64)
    judged = await bench.judge(source, CASES, language="cpp17", limits=little)
    assert judged.result.verdict is Verdict.ACCEPTED, judged.result.cases
    bench.sandbox = OneShotSandbox(private_home, ("--state", str(private_home / "one")), lambda _: None)
    solution = written("open('sum.out', 'w').write(str(n))")
    assert (await bench.judge(solution, CASES[:1])).result.verdict is Verdict.ACCEPTED


async def test_a_case_may_have_a_time_limit_of_its_own(bench: Bench) -> None:
    bench.case_ms = 300
    slow = "import time\nwhile time.process_time() < 2: pass\nprint(sum(map(int, input().split())))"
    assert (await bench.judge(slow, CASES[:1])).result.verdict is Verdict.TIME_LIMIT
    bench.case_ms = 0
    assert (await bench.judge(slow, CASES[:1])).result.verdict is Verdict.ACCEPTED


GRADER_PY = "import solution\nprint(solution.add(*map(int, input().split())))\n"
GRADER_CPP = """#include "add.h"
#include <cstdio>
int main() { int a, b; if (scanf("%d%d", &a, &b) != 2) return 1; printf("%d", add(a, b)); }"""
HEADER = "int add(int, int);\n"
OWN_GRADER = "a, b = map(int, input().split())\nprint(a + b)"


def included(language: str, files: dict[str, str], main: str, source_name: str = "") -> IncludedFiles:
    return IncludedFiles(
        languages=frozenset({language_slug(language)}),
        files=tuple(SourceFile(name, hash_of(text.encode())) for name, text in files.items()),
        main=main,
        source_name=source_name,
    )


GRADED = SubmissionForm(
    included=(
        included("python3", {"grader.py": GRADER_PY}, "grader.py", "solution.py"),
        # Under the name that a submission would have.
        included("cpp17", {"main.cpp": GRADER_CPP, "add.h": HEADER}, "main.cpp"),
    )
)
CONTENTS = (GRADER_PY, GRADER_CPP, HEADER)


@pytest.mark.parametrize(
    ("language", "source", "verdict"),
    [
        ("python3", "def add(a, b): return a + b", Verdict.ACCEPTED),
        ("python3", "def add(a, b): return a - b", Verdict.WRONG_ANSWER),
        ("python3", "add = 3 3", Verdict.COMPILE_ERROR),
        (
            "python3",
            {"main.py": "def add(a, b): return 0", "grader.py": OWN_GRADER},
            Verdict.WRONG_ANSWER,
        ),
        ("cpp17", '#include "add.h"\nint add(int a, int b) { return a + b; }', Verdict.ACCEPTED),
        ("cpp17", "int add(int a, int b) { return a + b; }\nint main() {}", Verdict.COMPILE_ERROR),
        ("cpp17", "int subtract(int a, int b) { return a - b; }", Verdict.COMPILE_ERROR),
        ("c11", "int add(int a, int b) { return a + b; }", Verdict.COMPILE_ERROR),
    ],
    ids=["python", "wrong", "syntax", "own grader", "c++", "two mains", "nothing to call", "no grader"],
)
async def test_a_submission_is_compiled_with_the_files_of_the_question(
    bench: Bench, language: str, source: str | dict[str, str], verdict: Verdict
) -> None:
    bench.form = GRADED
    judged = await bench.judge(source, CASES, language=language, contents=CONTENTS)
    assert judged.result.verdict is verdict, (judged.result.message, judged.result.cases)


SUM_C = '#include <stdio.h>\nint main() { int a, b; scanf("%d%d", &a, &b); printf("%d", a + b); }'
# The one file begins a function of which the submission is the body, the other ends it.
HEAD_JAVA = "import java.util.Scanner;\npublic class Main {\n  static int add(int a, int b) {"
TAIL_JAVA = """}
  public static void main(String[] all) {
    Scanner in = new Scanner(System.in);
    System.out.println(add(in.nextInt(), in.nextInt()));
  }
}"""
HEAD_PY = "def add(a, b):"
TAIL_PY = "print(add(*map(int, input().split())))"
AROUND = SubmissionForm(
    included=(
        replace(included("java17", {"head": HEAD_JAVA, "tail": TAIL_JAVA}, ""), before="head", after="tail"),
        replace(included("python3", {"a.py": HEAD_PY, "b.py": TAIL_PY}, ""), before="a.py", after="b.py"),
        replace(included("cpp17", {"b.cpp": GRADER_CPP, "add.h": HEADER}, ""), after="b.cpp"),
    )
)


@pytest.mark.parametrize(
    ("language", "source", "verdict"),
    [
        ("java17", "return a + b;", Verdict.ACCEPTED),
        ("java17", "return a - b;", Verdict.WRONG_ANSWER),
        ("python3", "    return a + b", Verdict.ACCEPTED),
        ("python3", "return a + b", Verdict.COMPILE_ERROR),
        ("cpp17", "int add(int a, int b) { return a + b; } // the end", Verdict.ACCEPTED),
        ("c11", SUM_C, Verdict.ACCEPTED),
    ],
    ids=["java", "wrong", "python", "syntax", "only behind", "a language without"],
)
async def test_code_of_the_question_stands_around_that_of_a_submission(
    bench: Bench, language: str, source: str, verdict: Verdict
) -> None:
    bench.form = AROUND
    contents = (HEAD_JAVA, TAIL_JAVA, HEAD_PY, TAIL_PY, GRADER_CPP, HEADER)
    judged = await bench.judge(source, CASES, language=language, contents=contents)
    assert judged.result.verdict is verdict, (judged.result.message, judged.result.cases)


TABLE = "3 9\n"
READS_TABLE = """import os
three, nine = open('data/table.txt').read().split()
os.remove('data/table.txt')
given = input()
print(three if given == '1 2' else nine)"""


async def test_included_files_that_nobody_compiles_lie_where_a_program_starts(bench: Bench) -> None:
    beside = IncludedFiles(
        languages=frozenset(), files=(SourceFile("data/table.txt", hash_of(TABLE.encode())),)
    )
    bench.form = SubmissionForm(included=(beside,))
    judged = await bench.judge(READS_TABLE, CASES, contents=(TABLE,))
    assert {case.verdict for case in judged.result.cases} == {Verdict.ACCEPTED}, judged.result.cases
    bench.files = {"data/table.txt": "9 3"}
    of_the_case = await bench.judge(READS_TABLE, CASES, contents=(TABLE,))
    assert {case.verdict for case in of_the_case.result.cases} == {Verdict.WRONG_ANSWER}


ANSWERS = SubmissionForm(answers=True)
IN_ORDER = "import sys\nsys.exit(42 if input() == open(sys.argv[2]).read() else 43)"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("=== 1\n3\n=== 2\n9\n", [Verdict.ACCEPTED, Verdict.ACCEPTED]),
        ("=== 2\n9\n=== 1\n4\n", [Verdict.WRONG_ANSWER, Verdict.ACCEPTED]),
        ("=== 2\n9\n", [Verdict.WRONG_ANSWER, Verdict.ACCEPTED]),
        ("print(3)", []),
    ],
    ids=["all", "one wrong", "one missing", "a program"],
)
async def test_answers_are_checked_and_nothing_is_run(
    bench: Bench, text: str, verdicts: list[Verdict]
) -> None:
    bench.form = ANSWERS
    judged = await bench.judge(SourceCode.parse(text), CASES)
    assert [case.verdict for case in judged.result.cases] == verdicts
    assert ("executed", "OK") not in bench.notebook.notes
    if not verdicts:
        assert judged.result.verdict is Verdict.COMPILE_ERROR


async def test_answers_may_be_checked_by_a_program(bench: Bench) -> None:
    bench.form = ANSWERS
    checker = ProgramChecker(
        sources=(SourceFile("check.py", hash_of(IN_ORDER.encode())),),
        language=language_slug("python3"),
        convention=Convention.ICPC,
    )
    source = SourceCode.parse("=== 1\n3\n=== 2\n8\n")
    judged = await bench.judge(source, CASES, checker=checker, contents=(IN_ORDER,))
    assert [case.verdict for case in judged.result.cases] == [Verdict.ACCEPTED, Verdict.WRONG_ANSWER]


WORDS = ("", "a  b", " ", "'\"$(id);`|&<>\\", "..", "--help", "-c", "é\n\t", "*")
SAYS = "import sys\nprint(ascii(sys.argv[1:]).replace(' ', '_'))"
SAID = (("", ascii(list(WORDS)).replace(" ", "_")),)


async def test_arguments_of_a_case_arrive_as_they_are(bench: Bench, private_home: Path) -> None:
    bench.arguments = WORDS
    judged = await bench.judge(SAYS, SAID)
    assert judged.result.verdict is Verdict.ACCEPTED, judged.result.cases
    bench.sandbox = OneShotSandbox(private_home, ("--state", str(private_home / "one")), lambda _: None)
    assert (await bench.judge(SAYS, SAID)).result.verdict is Verdict.ACCEPTED
    bench.arguments = ()
    assert (await bench.judge(SAYS, (("", "[]"),))).result.verdict is Verdict.ACCEPTED


LAID = {"map.txt": "to the\nisland ", "maps/small/a.in": "é", "none": ""}
LOOKS = f"""import os
found = {{}}
for at, _, names in os.walk('.'):
    for name in names: found[os.path.relpath(os.path.join(at, name))] = open(os.path.join(at, name)).read()
if found != {LAID!r}: raise SystemExit(repr(found)[:300])
def tried(act):
    try: act()
    except OSError: pass
def over(name):
    with open(name, 'w') as file: file.write('gone')
for name in found:
    real = os.path.realpath(name)
    tried(lambda: over(name)); tried(lambda: os.chmod(real, 0o777)); tried(lambda: over(real))
    tried(lambda: os.remove(real)); tried(lambda: os.symlink('/etc/passwd', real))
    tried(lambda: os.rename(os.path.dirname(real), '/box/away'))
HOW
"""
SPOILS = {
    "leave": "",
    "remove": "for name in found: os.remove(name)",
    "replace": "for name in found: os.remove(name); over(name)",
    "link": "for name in found: os.remove(name); os.symlink('/app', name)",
    "directory": "for name in found: os.remove(name); os.mkdir(name)",
    "more": "open('more', 'w').write('x'); open('maps/more', 'w').write('x')",
}
SUM = "print(sum(map(int, input().split())))"


@pytest.mark.parametrize("how", SPOILS)
async def test_every_run_finds_the_files_of_its_case_whatever_others_did(bench: Bench, how: str) -> None:
    bench.files = LAID
    judged = await bench.judge(LOOKS.replace("HOW", SPOILS[how]) + SUM, (*CASES, ("6 7", "13")))
    assert judged.result.verdict is Verdict.ACCEPTED, judged.result.cases


async def test_files_of_a_case_lie_beside_files_by_name_in_little_memory_and_with_the_one_shot_command(
    bench: Bench, private_home: Path
) -> None:
    bench.form, bench.files = FILES, {"data/more": "100"}
    source = """#include <cstdio>
    int main() { int a, b, c; FILE *in = fopen("sum.in", "r"), *out = fopen("sum.out", "w");
    FILE *more = fopen("data/more", "r"); if (!more || fscanf(more, "%d", &c) != 1) return 2;
    if (fscanf(in, "%d%d", &a, &b) != 2) return 1; fprintf(out, "%d", a + b + c); return 0; }"""
    cases = (("1 2", "103"), ("4 5", "109"))
    little = Limits(cpu_ms=10_000, memory_kib=4 * 1024, output_kib=64)
    judged = await bench.judge(source, cases, language="cpp17", limits=little)
    assert judged.result.verdict is Verdict.ACCEPTED, judged.result.cases
    bench.sandbox = OneShotSandbox(private_home, ("--state", str(private_home / "one")), lambda _: None)
    solution = written("n += int(open('data/more').read())\nopen('sum.out', 'w').write(str(n))")
    assert (await bench.judge(solution, cases[:1])).result.verdict is Verdict.ACCEPTED


AGAIN = """
import os, sys
given, _, feedback = sys.argv[1:4]
n = int(open(given).read())
TALK
if int(input()) != n - 1: sys.exit(43)
if n > 9: open(feedback + 'nextpass.in', 'w').write(str(n - 1))
sys.exit(42)
"""


@pytest.mark.parametrize("talk", ["", "print(n, flush=True)"], ids=["runs", "talks"])
async def test_every_run_on_a_case_has_its_arguments_and_files(bench: Bench, talk: str) -> None:
    bench.files, bench.arguments = LAID, ("x y",)
    solution = (
        f"import sys\nif sys.argv[1:] != ['x y']: sys.exit(3)\n{LOOKS.replace('HOW', SPOILS['replace'])}"
    )
    checker, step = AGAIN.replace("TALK", talk), "print(int(input()) - 1)"
    case, judged = await bench.checked(checker, solution + step, passes=2, interactive=bool(talk))
    assert case.verdict is Verdict.ACCEPTED, (case, judged.logs)
    assert [note for note in bench.notebook.notes if note[0] == "executed"] == [("executed", "OK")] * 2
