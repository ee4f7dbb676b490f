"""A grammar of test data runs in a box as every validator does, and is stopped as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.sandbox_port import RunRef, RunReport
from deepoj_judgement.commands.judge.steps.compile import compile_source
from deepoj_judgement.commands.judge.steps.run_program import command_of, furnish
from deepoj_packages.grammars.interpreter import WRITTEN_IN, with_interpreter

from .conftest import Bench

LIMITS = Limits(cpu_ms=1000, memory_kib=64 * 1024, output_kib=1024)


async def validated(
    bench: Bench, language: str, grammar: str, data: bytes, limits: Limits = LIMITS
) -> RunReport:
    toolchain = bench.toolchains.find(language_slug(WRITTEN_IN))
    async with bench.sandbox.workspace(RunRef("grammar", 1)) as workspace:
        files = with_interpreter(language, grammar.encode())
        program = await compile_source(workspace, toolchain, files)
        assert not isinstance(program, CompileFailed)
        given = await workspace.file("input", data)
        async with workspace.box() as box:
            await furnish(box, program)
            return (await box.run(command_of(toolchain, program, limits), stdin=given)).report


@pytest.mark.parametrize(
    ("language", "grammar"), [("checktestdata", "INT(1,9) NEWLINE"), ("viva", "x (1<=x<=9);")]
)
async def test_a_grammar_confirms_and_refuses(bench: Bench, language: str, grammar: str) -> None:
    assert (await validated(bench, language, grammar, b"7\n")).exit_code == 42
    assert (await validated(bench, language, grammar, b"77\n")).exit_code == 43


@pytest.mark.parametrize(
    ("language", "grammar"), [("checktestdata", "WHILE(1 == 1) SET(a = 1) END"), ("viva", "{ {[*0] x; } }")]
)
async def test_a_grammar_without_end_is_stopped(bench: Bench, language: str, grammar: str) -> None:
    report = await validated(bench, language, grammar, b"7\n", replace(LIMITS, cpu_ms=400))
    assert report.verdict is SandboxVerdict.TIME_LIMIT


async def test_a_grammar_that_fills_memory_confirms_nothing(bench: Bench) -> None:
    grammar = "SET(a = 2^900000) REPI(i, 10^9) SET(b[i] = a + i) END"
    report = await validated(bench, "checktestdata", grammar, b"7\n")
    assert report.verdict in {SandboxVerdict.MEMORY_LIMIT, SandboxVerdict.RUNTIME_ERROR}
    assert report.exit_code != 42
