"""Programs of packages that bring their own scripts are built and run in boxes like all others."""

from __future__ import annotations

import pytest

from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.outbound.toolchains.abilities import HostAbilities
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains
from deepoj_languages.scripts import SCRIPTS
from deepoj_languages.table import language_table

from .conftest import Bench

SOLUTION = "print(42)"
# As in packages: two programs are built, and a script of the package asks both.
BUILD = """#!/usr/bin/env bash
set -e
mkdir lib
sed s/NUMBER/42/ one.sh > lib/one && chmod +x lib/one
ln -s lib/one two
"""
RUN = """#!/bin/sh
said="$(mktemp -p /tmp XXXXXX.out)"
cat > "$said"
for each in lib/one two; do "${0%/*}/$each" "$1" < "$said" || exit $?; done
echo both agree > "$3/judgemessage.txt"
exit $((40 + 2))
"""
ONE = """#!/bin/sh
read -r given; test "$(cat "$1")" = 10 && test "$given" = NUMBER || exit 43
"""
VALIDATOR = {"build": BUILD, "run": RUN, "one.sh": ONE}


@pytest.mark.parametrize(
    ("solution", "verdict"), [(SOLUTION, Verdict.ACCEPTED), ("print(41)", Verdict.WRONG_ANSWER)]
)
async def test_a_validator_is_what_its_script_built(bench: Bench, solution: str, verdict: Verdict) -> None:
    case, _ = await bench.checked(VALIDATOR, solution, language=SCRIPTS.slug)
    assert case.verdict is verdict, case
    if verdict is Verdict.ACCEPTED:
        assert case.message == "both agree"


async def test_a_program_may_bring_only_what_runs(bench: Bench) -> None:
    case, _ = await bench.checked({"run": "#!/bin/sh\nexit 42\n"}, SOLUTION, language=SCRIPTS.slug)
    assert case.verdict is Verdict.ACCEPTED


async def test_a_submission_of_a_package_is_built_by_its_script(bench: Bench) -> None:
    files = {
        "build": "#!/bin/sh\ngcc -O2 -o run add.c\n",
        "add.c": '#include <stdio.h>\nint main(void){int a;scanf("%d",&a);printf("%d\\n",a+1);}\n',
    }
    judged = await bench.judge(files, (("10", "11"),), language=SCRIPTS.slug)
    assert judged.result.verdict is Verdict.ACCEPTED, judged


@pytest.mark.parametrize(
    ("build", "said"),
    [
        ("#!/bin/sh\necho no compiler here >&2; exit 1\n", "no compiler here"),
        ("#!/bin/sh\ntrue\n", "build made no file run"),
        ("#!/bin/sh\ntouch run && mkfifo pipe && ln -s / root 2>&1 && exit 3\n", ""),
        ("#!/bin/sh\ntruncate -s 1T run\n", "File size limit exceeded"),
        ("#!/bin/sh\ntouch run; for n in $(seq 1100); do echo > $n; done\n", "more than 1000 files"),
        ("#!/bin/sh\ntouch run 'back\\slash'\n", "is not allowed here"),
        ("#!/nowhere/sh\n", ""),
    ],
)
async def test_a_script_that_fails_is_a_failure_to_compile(bench: Bench, build: str, said: str) -> None:
    judged = await bench.judge({"build": build}, language=SCRIPTS.slug)
    assert judged.result.verdict is Verdict.COMPILE_ERROR, judged
    assert judged.logs is not None
    assert said in judged.logs.compile_log.decode()


async def test_nobody_chooses_scripts_for_a_text(bench: Bench) -> None:
    assert SCRIPTS.slug not in {row.slug for row in language_table()}
    judged = await bench.judge(SourceCode.parse("#!/bin/sh\necho any\n"), language=SCRIPTS.slug)
    assert judged.result.verdict is Verdict.COMPILE_ERROR, judged


def test_a_host_says_that_it_runs_scripts(toolchains: InstalledToolchains) -> None:
    assert SCRIPTS.slug in HostAbilities(toolchains, 0)().languages
    assert SCRIPTS.slug not in {each.language.slug for each in toolchains.installed()}
