"""The judge command over ports in memory: order, early ends, caches, and whose fault it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

import pytest

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import SandboxVerdict, Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import Convention, ProgramChecker, SourceFile, TokenChecker
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import Group, StopPolicy, Suite
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Lane
from deepoj_domain.submission.submit import SourceCode
from deepoj_domain.testing import NOW, QUESTION
from deepoj_judgement.commands.judge.errors import (
    JudgingTimedOutError,
    LanguageNotAllowedError,
    StoreFailedError,
    UnknownLanguageError,
    UnknownRevisionError,
)
from deepoj_judgement.commands.judge.judge import Judge, Judged, JudgeOrder
from deepoj_judgement.commands.judge.ports import JudgeLogs
from deepoj_judgement.commands.judge.program import SourceTree
from deepoj_judgement.commands.judge.sandbox_port import Blob, Command, RunRef, RunReport
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.testing import (
    OK,
    MemoryData,
    MemoryJudgeCache,
    MemoryLogs,
    MemoryPrograms,
    MemorySandbox,
    Notebook,
    OneSpec,
    Program,
    SomeToolchains,
)
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_languages.language import KnownExit, Language

REVISION = RevisionRef(QUESTION, 1)
LIMITS = Limits(cpu_ms=1000, memory_kib=65_536, output_kib=1024)
CASES = ((b"1 2", b"3"), (b"2 2", b"4"), (b"5 5", b"10"))
COMPILED = Language(
    slug=language_slug("cpp17"), name="C++", lane=Lane.HEAVY, source_name="main.cpp", compile=(("g++",),),
    artifacts=("main",), run=("/app/main",), version=("g++",), package="g++", template="", time_percent=200,
)  # fmt: skip
SCRIPT = replace(
    COMPILED, slug=language_slug("python3"), compile=(), artifacts=(), time_percent=100,
    memory_exits=(KnownExit(exit_code=1, stderr_contains="MemoryError"),),
)  # fmt: skip


def adds(command: Command, given: bytes) -> tuple[RunReport, bytes]:
    del command
    return OK, str(sum(map(int, given.split()))).encode()


def a_spec(stop: StopPolicy = StopPolicy.FIRST_FAILURE) -> JudgeSpec:
    cases = tuple(
        Case(str(number), "all", hash_of(given), hash_of(answer))
        for number, (given, answer) in enumerate(CASES, start=1)
    )
    suite = Suite((Group("all", Score.points(100)),), cases, stop)
    return JudgeSpec(suite=suite, limits=LIMITS, checker=TokenChecker())


@dataclass
class Bench:
    program: Program = adds
    spec: JudgeSpec = field(default_factory=a_spec)
    data: MemoryData = field(default_factory=lambda: MemoryData(*(text for case in CASES for text in case)))
    cache: MemoryJudgeCache = field(default_factory=MemoryJudgeCache)
    notebook: Notebook = field(default_factory=Notebook)

    def __post_init__(self) -> None:
        self.sandbox = MemorySandbox(self.program)
        self.judge = Judge(
            specs=OneSpec(REVISION, self.spec),
            data=self.data,
            programs=MemoryPrograms(),
            cache=self.cache,
            toolchains=SomeToolchains(
                tuple(Toolchain(each, "version 1", "1") for each in (COMPILED, SCRIPT))
            ),
            sandbox=self.sandbox,
            logs=MemoryLogs(),
            observer=self.notebook,
            clock=lambda: NOW,
            new_id=lambda: UUID(int=1),
        )

    async def run(
        self,
        language: str = "python3",
        revision: RevisionRef = REVISION,
        job: str = "job",
        *,
        fresh: bool = False,
    ) -> Judged:
        return await self.judge(
            JudgeOrder(
                ref=RunRef(job, 1),
                revision=revision,
                language=language_slug(language),
                source=SourceCode.parse("source"),
                fresh=fresh,
            )
        )

    async def result(self, language: str = "python3") -> JudgeResult:
        return (await self.run(language)).result


async def test_every_case_runs_in_order_and_is_checked() -> None:
    bench = Bench()
    judged = await bench.run("cpp17")
    assert judged.result.verdict is Verdict.ACCEPTED
    assert [case.case for case in judged.result.cases] == ["1", "2", "3"]
    assert judged.result.score == Score.points(100)
    steps = [note[1] for note in bench.notebook.notes if note[0] == "step"]
    assert steps == ["fetch_spec", "judge_cache", "compile", "fetch_data", "run_cases", "aggregate"]


async def test_the_results_so_far_are_told_before_the_first_case_and_after_each() -> None:
    told: list[tuple[int, int]] = []
    order = JudgeOrder(
        ref=RunRef("job", 1),
        revision=REVISION,
        language=language_slug("python3"),
        source=SourceCode.parse("source"),
        tell=lambda results, total: told.append((len(results), total)),
    )
    await Bench().judge(order)
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


async def test_the_artifact_runs_in_another_box_than_the_compiler() -> None:
    bench = Bench()
    await bench.run("cpp17")
    assert bench.sandbox.boxes == 2


async def test_nonretryable_compile_error_is_a_verdict_and_no_case_runs() -> None:
    failing = replace(OK, verdict=SandboxVerdict.RUNTIME_ERROR, exit_code=1)
    bench = Bench(lambda _command, _given: (failing, b"main.cpp:1: error"))
    judged = await bench.run("cpp17")
    assert judged.result.verdict is Verdict.COMPILE_ERROR
    assert "main.cpp:1: error" in judged.result.message
    assert len(bench.sandbox.commands) == 1
    assert bench.data.borrowed == 0


@pytest.mark.parametrize(
    ("stop", "verdicts"),
    [
        (StopPolicy.FIRST_FAILURE, [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, None]),
        (StopPolicy.RUN_ALL, [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER]),
    ],
)
async def test_the_policy_decides_whether_a_failure_is_the_last_case(
    stop: StopPolicy, verdicts: list[Verdict | None]
) -> None:
    result = await Bench(lambda _command, _given: (OK, b"3"), a_spec(stop)).result()
    assert [case.verdict for case in result.cases] == verdicts
    assert "expected '4', got '3'" in result.cases[1].message


async def test_a_hit_of_the_judge_cache_never_enters_the_sandbox_and_is_the_same_result() -> None:
    bench = Bench()
    first = await bench.run()
    runs = len(bench.sandbox.commands)
    second = await bench.run(job="another")
    assert second.from_cache
    assert replace(second.result, log_prefix=first.result.log_prefix) == first.result
    assert (first.result.log_prefix, second.result.log_prefix) == ("job/1/", "another/1/")
    assert second.logs == JudgeLogs(RunRef("another", 1))
    assert {result.log_prefix for result in bench.cache.stored.values()} == {""}
    assert first.toolchain == second.toolchain == "version 1"
    assert len(bench.sandbox.commands) == runs


async def test_a_fresh_order_runs_although_the_result_is_known_and_is_known_from_then_on() -> None:
    cache = MemoryJudgeCache()
    await Bench(lambda *_: (OK, b"0"), cache=cache).run()
    bench = Bench(cache=cache)
    fresh = await bench.run(fresh=True)
    assert (fresh.result.verdict, fresh.from_cache) == (Verdict.ACCEPTED, False)
    later = await bench.run()
    assert (later.result, later.from_cache) == (fresh.result, True)


async def test_a_checker_program_is_part_of_what_the_judge_cache_knows() -> None:
    def program(language: str) -> ProgramChecker:
        source = SourceFile("check.cpp", hash_of(b"check"))
        return ProgramChecker(sources=(source,), language=language_slug(language), convention=Convention.ICPC)

    cache = MemoryJudgeCache()
    for checker in (TokenChecker(), program("cpp17")):
        data = MemoryData(*(text for case in CASES for text in case), b"check")
        spec = replace(a_spec(), checker=checker)
        await Bench(lambda *_: (replace(OK, exit_code=42), b"3"), spec, data, cache).run()
    assert [key.toolchain for key in cache.stored] == ["1", "1 + 1"]


async def test_the_same_files_in_another_order_are_the_same_submission() -> None:
    bench = Bench()

    async def judged(*names: str) -> Judged:
        tree = SourceTree({name: name.encode() for name in names})
        return await bench.judge(
            JudgeOrder(ref=RunRef("job", 1), revision=REVISION, language=COMPILED.slug, source=tree)
        )

    first, second = await judged("main.cpp", "a.cpp"), await judged("a.cpp", "main.cpp")
    assert (first.result, second.from_cache) == (second.result, True)


async def test_a_cache_that_is_away_costs_no_verdict() -> None:
    bench = Bench(cache=MemoryJudgeCache(available=False))
    assert (await bench.result()).verdict is Verdict.ACCEPTED


async def test_a_language_gets_its_factor_and_a_setters_own_limit_replaces_it() -> None:
    bench = Bench()
    await bench.run("cpp17")
    assert bench.sandbox.commands[-1].limits.cpu_ms == 2200, "twice the limit and the band above it"
    own = replace(LIMITS, cpu_ms=500)
    bench = Bench(spec=replace(a_spec(), language_limits=((COMPILED.slug, own),)))
    await bench.run("cpp17")
    assert bench.sandbox.commands[-1].limits.cpu_ms == 550


@pytest.mark.parametrize(("second_ms", "verdict"), [(990, Verdict.ACCEPTED), (1010, Verdict.TIME_LIMIT)])
async def test_a_result_just_over_the_limit_is_run_again_alone_before_it_stands(
    second_ms: int, verdict: Verdict
) -> None:
    def noisy(command: Command, given: bytes) -> tuple[RunReport, bytes]:
        report, output = adds(command, given)
        return replace(report, time_ms=second_ms if command.alone else 1050), output

    bench = Bench(noisy)
    assert (await bench.result()).verdict is verdict
    assert [command.alone for command in bench.sandbox.commands[:2]] == [False, True]


async def test_a_run_far_over_the_limit_is_late_at_once() -> None:
    late = replace(OK, verdict=SandboxVerdict.TIME_LIMIT, time_ms=1100)
    bench = Bench(lambda _command, _given: (late, b""))
    assert (await bench.result()).verdict is Verdict.TIME_LIMIT
    assert len(bench.sandbox.commands) == 1


async def test_a_full_heap_is_a_memory_limit_and_not_a_runtime_error() -> None:
    full = replace(OK, verdict=SandboxVerdict.RUNTIME_ERROR, exit_code=1)
    assert (await Bench(lambda *_: (full, b"MemoryError")).result()).verdict is Verdict.MEMORY_LIMIT
    assert (await Bench(lambda *_: (full, b"ValueError")).result()).verdict is Verdict.RUNTIME_ERROR


class NeverThere:
    @asynccontextmanager
    async def borrow(self, hashes: Iterable[ContentHash]) -> AsyncIterator[Mapping[ContentHash, Blob]]:
        del hashes
        await asyncio.Event().wait()
        yield {}


async def test_a_judgement_that_does_not_end_is_given_up_as_a_crash_of_the_sandbox() -> None:
    bench = Bench(spec=replace(a_spec(), limits=replace(LIMITS, cpu_ms=1)))
    bench.judge = replace(bench.judge, data=NeverThere(), slack=-timedelta(seconds=6))
    with pytest.raises(JudgingTimedOutError) as error:
        await bench.run()
    assert error.value.failure is Failure.SANDBOX_CRASH
    assert "within 0.012 s" in error.value.detail, "three cases, each perhaps run twice"


async def test_what_cannot_be_judged_says_why() -> None:
    with pytest.raises(UnknownLanguageError):
        await Bench().run("cobol")
    with pytest.raises(UnknownRevisionError):
        await Bench().run(revision=RevisionRef(QUESTION, 2))
    with pytest.raises(LanguageNotAllowedError):
        await Bench(spec=replace(a_spec(), languages=frozenset({SCRIPT.slug}))).run("cpp17")
    with pytest.raises(StoreFailedError):
        await Bench(data=MemoryData()).run()
