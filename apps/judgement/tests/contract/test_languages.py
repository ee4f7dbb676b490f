"""Every language of the table that this machine has, in the real sandbox."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.verdict import SandboxVerdict, Verdict
from deepoj_domain.question.limits import Limits
from deepoj_domain.submission.submit import SourceCode
from deepoj_judgement.commands.judge.errors import (
    LanguageNotInstalledError,
    UnknownLanguageError,
)
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.run import Executed, Run, RunOrder
from deepoj_judgement.commands.judge.sandbox_port import Command, RunRef
from deepoj_judgement.commands.judge.steps.compile import LIMITS as COMPILE_LIMITS
from deepoj_judgement.commands.judge.testing import Notebook
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.sandbox.one_shot import OneShotSandbox
from deepoj_judgement.outbound.toolchains.installed import PRECOMPILED_INSIDE, InstalledToolchains
from deepoj_judgement.outbound.toolchains.precompiled import precompile
from deepoj_languages.scripts import SCRIPTS
from deepoj_languages.table import language_table

if TYPE_CHECKING:
    from .conftest import Bench

LIMITS = Limits(cpu_ms=20_000, memory_kib=128 * 1024, output_kib=1024)
SHORT = Limits(cpu_ms=300, memory_kib=128 * 1024, output_kib=1024)
C = """#include <stdio.h>
#include <stdlib.h>
int main(void) { long a, b; if (scanf("%ld %ld", &a, &b) != 2) return 1;
    volatile long n = 0; while (b < 0) n++; if (b == 0) abort(); printf("%ld\\n", a + b); return 0; }
"""
PYTHON = """a, b = map(int, input().split())
while b < 0: pass
if b == 0: raise ValueError
print(a + b)
"""
# Each adds two numbers, crashes when the second is 0 and never ends when it is negative.
SOURCES = {
    "c11": C,
    "cpp17": C,
    "cpp20": C,
    "java17": """import java.util.*;
        public class Sum { static class Inner { int add(int a, int b) { return a + b; } }
        public static void main(String[] args) { Scanner in = new Scanner(System.in);
        int a = in.nextInt(), b = in.nextInt(); long n = 0; while (b < 0) n++;
        if (b == 0) throw new RuntimeException(); System.out.println(new Inner().add(a, b)); } }""",
    "python3": PYTHON,
    "pypy3": PYTHON,
    "go": """package main
        import "fmt"
        func main() { var a, b int; fmt.Scan(&a, &b); for b < 0 {}
        if b == 0 { panic("zero") }; fmt.Println(a + b) }""",
    "rust": """use std::io;
        fn main() { let mut line = String::new(); io::stdin().read_line(&mut line).unwrap();
        let v: Vec<i32> = line.split_whitespace().map(|x| x.parse().unwrap()).collect();
        while v[1] < 0 {} if v[1] == 0 { panic!() } println!("{}", v[0] + v[1]); }""",
    "node": """const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number);
        while (b < 0); if (b === 0) throw new Error('zero'); console.log(a + b)""",
    "perl": "my ($a, $b) = split ' ', <STDIN>; while ($b < 0) {} die if $b == 0; print $a + $b;",
    "ruby": "a, b = gets.split.map(&:to_i); while b < 0; end; raise if b == 0; puts a + b",
    "pascal": """var a, b: integer; begin readln(a, b); while b < 0 do;
        if b = 0 then halt(1); writeln(a + b); end.""",
    "php": "<?php [$a, $b] = explode(' ', fgets(STDIN)); while ($b < 0); if ($b == 0) exit(1); echo $a + $b;",
    "lua": "local a, b = io.read('n', 'n'); while b < 0 do end; if b == 0 then error() end; print(a + b)",
    "haskell": """main :: IO ()
main = do { [a, b] <- fmap (map read . words) getContents :: IO [Int]
          ; if b < 0 then let loop n = if n < b then return () else loop (n + 1 :: Int) in loop 0
            else if b == 0 then error "zero" else print (a + b) }
""",
    "ocaml": """let () = Scanf.scanf " %d %d" (fun a b -> while b < 0 do () done;
        if b = 0 then failwith "zero"; print_int (a + b))""",
    "csharp": """using System; public class Program { public static void Main() {
        var v = Array.ConvertAll(Console.ReadLine().Split(' '), int.Parse); while (v[1] < 0) {}
        if (v[1] == 0) throw new Exception(); Console.WriteLine(v[0] + v[1]); } }""",
}
BROKEN = {"ruby": "def (", "php": "<?php this is no program", "lua": "this is = no program"}
GREEDY_C = """#include <stdlib.h>
#include <string.h>
int main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }
"""
GREEDY_PYTHON = "x = []\nwhile True: x.append(bytearray(1 << 20))"
GREEDY = {
    "c11": GREEDY_C,
    "cpp17": "#include <vector>\n#include <cstring>\n"
    "int main() { std::vector<char*> v; for (;;) { v.push_back(new char[1 << 20]);"
    " memset(v.back(), 1, 1 << 20); } }",
    "cpp20": GREEDY_C,
    "java17": """import java.util.*; public class Main { public static void main(String[] args) {
        List<byte[]> all = new ArrayList<>(); while (true) all.add(new byte[1 << 20]); } }""",
    "python3": GREEDY_PYTHON,
    "pypy3": GREEDY_PYTHON,
    "go": """package main
        import "fmt"
        func main() { var all [][]int; for { one := make([]int, 1<<17); for i := range one { one[i] = i }
        all = append(all, one); if len(all) < 0 { fmt.Println(all) } } }""",
    "rust": "fn main() { let mut all = Vec::new(); loop { all.push(vec![1u8; 1 << 20]); } }",
    "node": "const all = []; while (true) all.push(new Array(10000).fill({}));",
    "perl": "my @all; while (1) { push @all, 'x' x (1 << 20) . @all }",
    "ruby": "all = []\nloop { all << 'x' * (1 << 20) }",
    "pascal": """var p: pointer;
        begin while true do begin getmem(p, 1048576); fillchar(p^, 1048576, 1) end end.""",
    "php": "<?php $all = []; while (true) $all[] = str_repeat('x' . count($all), 1 << 20);",
    "lua": "local all = {} while true do all[#all + 1] = ('x'):rep(1 << 20) .. #all end",
    "haskell": """main :: IO ()
main = do { given <- getContents; let { numbers = map (+ length given) [1 ..] }
          ; print (sum numbers); print (length numbers) }
""",
    "ocaml": "let () = let all = ref [] in while true do all := Bytes.make (1 lsl 20) 'x' :: !all done",
    "csharp": """using System.Collections.Generic; class P { static void Main() {
        var all = new List<byte[]>(); while (true) { var one = new byte[1 << 20];
        for (int i = 0; i < one.Length; i++) one[i] = 1; all.Add(one); } } }""",
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


async def test_nobody_runs_scripts_which_are_for_programs_of_packages(run: Run) -> None:
    with pytest.raises(UnknownLanguageError):
        await execute(run, SCRIPTS.slug, "#!/bin/sh\nid")


def test_every_language_has_a_program_here() -> None:
    assert {language.slug for language in language_table()} == SOURCES.keys() == GREEDY.keys()


async def judged(bench: Bench, language: str, source: str, inputs: list[str], limits: Limits) -> JudgeResult:
    try:
        cases = [(given, "42") for given in inputs]
        return (await bench.judge(source, cases, language=language, limits=limits)).result
    except LanguageNotInstalledError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("language", SOURCES)
async def test_a_language_has_every_verdict(bench: Bench, language: str) -> None:
    result = await judged(bench, language, SOURCES[language], ["20 22", "20 20", "20 0"], LIMITS)
    verdicts = [case.verdict for case in result.cases]
    assert verdicts == [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR], result
    result = await judged(bench, language, SOURCES[language], ["20 -1"], SHORT)
    assert result.verdict is Verdict.TIME_LIMIT, result
    result = await judged(bench, language, BROKEN.get(language, "this is no program"), ["20 22"], LIMITS)
    assert result.verdict is Verdict.COMPILE_ERROR, result
    assert result.message


async def test_a_crash_is_no_compile_error_because_the_syntax_is_right(bench: Bench) -> None:
    result = await judged(bench, "python3", PYTHON, ["20 0"], LIMITS)
    assert result.verdict is Verdict.RUNTIME_ERROR


async def test_java_in_several_files_begins_where_main_is(bench: Bench) -> None:
    files = {
        "shop/Till.java": """package shop; public class Till {
            public static int sum(int a, int b) { return a + b; } }""",
        "Start.java": """import java.util.Scanner; import shop.Till;
            class Helper { static String text(int n) { return "" + n; } }
            public class Start { public static void main(String[] args) { Scanner in = new Scanner(System.in);
            System.out.println(Helper.text(Till.sum(in.nextInt(), in.nextInt()))); } }""",
    }
    judgement = await bench.judge(files, [("20 22", "42")], language="java17")
    assert judgement.result.verdict is Verdict.ACCEPTED, judgement


async def test_python_in_several_files_imports_its_own(bench: Bench) -> None:
    files = {"main.py": "from helper import add\nprint(add(*map(int, input().split())))",
             "helper.py": "def add(a, b): return a + b"}  # fmt: skip
    judgement = await bench.judge(files, [("20 22", "42")])
    assert judgement.result.verdict is Verdict.ACCEPTED, judgement


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("language", GREEDY)
async def test_a_full_heap_is_the_memory_limit_in_every_runtime(run: Run, language: str) -> None:
    ran = await execute(run, language, GREEDY[language])
    assert isinstance(ran, Executed), ran
    assert ran.report.verdict is SandboxVerdict.MEMORY_LIMIT, ran


def test_a_language_that_is_unknown_or_not_installed_is_told_apart() -> None:
    nothing = InstalledToolchains(language_table())
    with pytest.raises(LanguageNotInstalledError, match=r"cpp17 is not installed.*install .* g\+\+"):
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
    # As the units of systemd have it.
    before = os.umask(0o077)
    try:
        await precompile(chosen, private_home / "made")
    finally:
        os.umask(before)
    header = private_home / "made" / "cpp17" / "bits" / "stdc++.h.gch"
    made = header.stat().st_mtime_ns
    await precompile(chosen, private_home / "made")
    assert header.stat().st_mtime_ns == made
    assert b"! /precompiled/cpp17/bits/stdc++.h.gch" in await headers_used(chosen[0], private_home)


async def headers_used(toolchain: Toolchain, home: Path) -> bytes:
    """Return what the compiler says about headers, in a box that shows the precompiled ones."""
    options = ("--state", str(home / "state"), "--toolchain", f"{home / 'made'}={PRECOMPILED_INSIDE}")
    sandbox = OneShotSandbox(home, options, lambda _: None)
    compiling = toolchain.language.compile[0]
    argv = (*toolchain.compile_argv(compiling, ("main.cpp",), "main.cpp", 1 << 20), "-H")
    async with sandbox.workspace(RunRef("job", 1)) as workspace, workspace.box() as box:
        await box.put("main.cpp", b"#include <bits/stdc++.h>\nint main() {}\n")
        ran = await box.run(Command(steps=(argv,), limits=COMPILE_LIMITS))
        with ran.stderr.open() as errors:
            return errors.read()
