"""Limits that a problem sets besides time and memory hold in the real sandbox."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.errors import LanguageNotInstalledError

if TYPE_CHECKING:
    from .conftest import Bench

LIMITS = Limits(cpu_ms=20_000, memory_kib=256 * 1024, output_kib=1024)
SMALL_STACK = replace(LIMITS, stack_kib=1024)
ONE_PROCESS = replace(LIMITS, processes=1)
DEEP_C = """
#include <stdio.h>
volatile int sink;
int down(int n) { volatile char page[1024]; page[n % 1024] = 1; return n ? down(n - 1) + page[0] : 0; }
int main(void) { sink = down(40000); puts("any"); return 0; }
"""
FORKING_C = """
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    int children = 0;
    for (int i = 0; i < 20; i++) {
        int child = fork();
        if (child == 0) { pause(); }
        children += child > 0;
    }
    printf("%d\\n", children);
    return 0;
}
"""
DEEP_JAVA = """
public class Main {
    static int down(int n) { return n == 0 ? 0 : down(n - 1) + 1; }
    public static void main(String[] args) { System.out.println(down(200000) > 0 ? "any" : "no"); }
}
"""
HELLO = {
    "c11": '#include <stdio.h>\nint main(void) { puts("any"); return 0; }',
    "java17": 'public class Main { public static void main(String[] a) { System.out.println("any"); } }',
    "python3": "print('any')",
    "node": "console.log('any')",
    "go": 'package main\nimport "fmt"\nfunc main() { fmt.Println("any") }',
}


async def verdict(bench: Bench, source: str, language: str, limits: Limits, answer: str = "any") -> Verdict:
    try:
        judged = await bench.judge(source, (("", answer),), language=language, limits=limits)
    except LanguageNotInstalledError as error:
        pytest.skip(str(error))
    return judged.result.verdict


@pytest.mark.parametrize(("language", "source"), [("c11", DEEP_C), ("java17", DEEP_JAVA)])
async def test_recursion_ends_at_the_stack_limit_of_the_problem(
    bench: Bench, language: str, source: str
) -> None:
    assert await verdict(bench, source, language, LIMITS) is Verdict.ACCEPTED
    assert await verdict(bench, source, language, SMALL_STACK) is Verdict.RUNTIME_ERROR


async def test_no_more_processes_start_than_the_problem_allows(bench: Bench) -> None:
    assert await verdict(bench, FORKING_C, "c11", LIMITS, "20") is Verdict.ACCEPTED
    assert await verdict(bench, FORKING_C, "c11", ONE_PROCESS, "0") is Verdict.ACCEPTED


@pytest.mark.parametrize("language", HELLO)
async def test_a_runtime_has_what_it_needs_under_the_smallest_limits(bench: Bench, language: str) -> None:
    least = replace(ONE_PROCESS, stack_kib=1024)
    assert await verdict(bench, HELLO[language], language, least) is Verdict.ACCEPTED


async def test_an_output_limit_is_what_the_problem_says(bench: Bench) -> None:
    long = "any" + " " * (70 << 20)
    source = "print('any' + ' ' * (70 << 20))"
    assert await verdict(bench, source, "python3", replace(LIMITS, output_kib=80 << 10), long) is (
        Verdict.ACCEPTED
    )
