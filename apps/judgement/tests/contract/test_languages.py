"""Every language of the table that this machine has, in the real sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import Limits
from deepoj_domain.submission.source import SourceCode
from deepoj_judgement.commands.failing import LanguageNotInstalledError, UnknownLanguageError
from deepoj_judgement.commands.language import Toolchain
from deepoj_judgement.commands.program import CompileFailed
from deepoj_judgement.commands.run import Executed, Run, RunOrder
from deepoj_judgement.commands.running import Command, RunRef
from deepoj_judgement.commands.steps.compile import LIMITS as COMPILE_LIMITS
from deepoj_judgement.commands.testing import Notebook
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.sandbox.one_shot import OneShotSandbox
from deepoj_judgement.outbound.toolchains.installed import PRECOMPILED_INSIDE, InstalledToolchains
from deepoj_judgement.outbound.toolchains.precompiled import precompile
from deepoj_judgement.outbound.toolchains.table import language_table

LIMITS = Limits(cpu_ms=3000, wall_ms=9000, memory_kib=128 * 1024, output_kib=1024)
CPP = "#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b; }"
SOURCES = {
    "c11": '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d", a + b); }',
    "cpp17": CPP,
    "cpp20": CPP,
    "java17": """import java.util.*;
        public class Main { static class Inner { int add(int a, int b) { return a + b; } }
        public static void main(String[] args) { Scanner in = new Scanner(System.in);
        System.out.println(new Inner().add(in.nextInt(), in.nextInt())); } }""",
    "python3": "print(sum(map(int, input().split())))",
    "pypy3": "print(sum(map(int, input().split())))",
    "go": 'package main\nimport "fmt"\nfunc main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b) }',
    "rust": """use std::io;
        fn main() { let mut line = String::new(); io::stdin().read_line(&mut line).unwrap();
        println!("{}", line.split_whitespace().map(|x| x.parse::<i32>().unwrap()).sum::<i32>()); }""",
    "node": "const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number); console.log(a + b)",
    "perl": "my ($a, $b) = split ' ', <STDIN>; print $a + $b;",
    "ruby": "puts gets.split.map(&:to_i).sum",
    "pascal": "var a, b: integer; begin readln(a, b); writeln(a + b); end.",
}
GREEDY = {
    "java17": """import java.util.*; public class Main { public static void main(String[] args) {
        List<byte[]> all = new ArrayList<>(); while (true) all.add(new byte[1 << 20]); } }""",
    "node": "const all = []; while (true) all.push(new Array(10000).fill({}));",
    "python3": "x = []\nwhile True: x.append(bytearray(1 << 20))",
    "cpp17": "#include <vector>\n#include <cstring>\n"
    "int main() { std::vector<char*> v; for (;;) { v.push_back(new char[1 << 20]);"
    " memset(v.back(), 1, 1 << 20); } }",
}


@pytest.fixture
def run(agent_sandbox: AgentSandbox, toolchains: InstalledToolchains) -> Run:
    return Run(toolchains=toolchains, sandbox=agent_sandbox, observer=Notebook())


async def execute(run: Run, language: str, source: str) -> Executed | CompileFailed:
    order = RunOrder(
        ref=RunRef("job", 1), language=language_slug(language), source=SourceCode.parse(source),
        given=b"20 22\n", limits=LIMITS,
    )  # fmt: skip
    try:
        return await run(order)
    except LanguageNotInstalledError as error:
        pytest.skip(str(error))


def test_every_language_has_a_program_here() -> None:
    assert {language.slug for language in language_table()} == SOURCES.keys()


@pytest.mark.parametrize("language", SOURCES)
async def test_a_language_compiles_and_runs(run: Run, language: str) -> None:
    ran = await execute(run, language, SOURCES[language])
    assert isinstance(ran, Executed), ran
    assert (ran.report.verdict, ran.stdout.strip()) == (SandboxVerdict.OK, b"42"), ran


@pytest.mark.parametrize("language", GREEDY)
async def test_a_full_heap_is_the_memory_limit_in_every_runtime(run: Run, language: str) -> None:
    ran = await execute(run, language, GREEDY[language])
    assert isinstance(ran, Executed), ran
    assert ran.report.verdict is SandboxVerdict.MEMORY_LIMIT, ran


@pytest.mark.parametrize("language", ["c11", "java17"])
async def test_a_compile_error_is_told_with_its_log(run: Run, language: str) -> None:
    failed = await execute(run, language, "this is no program")
    assert isinstance(failed, CompileFailed)
    assert b"error" in failed.log


def test_a_language_that_is_unknown_or_not_installed_is_told_apart() -> None:
    nothing = InstalledToolchains(language_table())
    with pytest.raises(LanguageNotInstalledError):
        nothing.find(language_slug("cpp17"))
    with pytest.raises(UnknownLanguageError):
        nothing.find(language_slug("cobol"))


async def test_the_identity_of_a_toolchain_has_its_version_and_its_flags(
    toolchains: InstalledToolchains,
) -> None:
    found = {each.language.slug: each.identity for each in toolchains.installed()}
    assert len(set(found.values())) == len(found)
    assert all(each.version in each.identity for each in toolchains.installed())


async def test_a_submission_compiles_against_a_header_precompiled_once_per_flag_set(
    toolchains: InstalledToolchains,
    private_home: Path,
    sandbox_works: None,  # noqa: ARG001
) -> None:
    chosen = [each for each in toolchains.installed() if each.language.slug == "cpp17"]
    if not chosen:
        pytest.skip("needs g++")
    await precompile(chosen, private_home / "made")
    header = private_home / "made" / "cpp17" / "bits" / "stdc++.h.gch"
    made = header.stat().st_mtime_ns
    await precompile(chosen, private_home / "made")
    assert header.stat().st_mtime_ns == made
    assert b"! /precompiled/cpp17/bits/stdc++.h.gch" in await headers_used(chosen[0], private_home)


async def headers_used(toolchain: Toolchain, home: Path) -> bytes:
    """Return what the compiler says about headers, in a box that shows the precompiled ones."""
    options = ("--state", str(home / "state"), "--toolchain", f"{home / 'made'}={PRECOMPILED_INSIDE}")
    sandbox = OneShotSandbox(home, options, lambda _: None)
    (compiling,) = toolchain.compile_steps(("main.cpp",), "main.cpp", 1 << 20)
    argv = (*compiling, "-H")
    async with sandbox.workspace(RunRef("job", 1)) as workspace, workspace.box() as box:
        await box.put("main.cpp", b"#include <bits/stdc++.h>\nint main() {}\n")
        ran = await box.run(Command(steps=(argv,), limits=COMPILE_LIMITS))
        with ran.stderr.open() as errors:
            return errors.read()
