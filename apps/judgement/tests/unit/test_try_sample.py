"""Samples before the checker of their problem: what is lent to them, what is kept back, and their bounds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import SandboxVerdict, Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import Convention, ProgramChecker, SourceFile, TokenChecker
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.submission_form import SubmissionForm
from deepoj_domain.question.suite import Group, Suite
from deepoj_domain.submission.route import Lane
from deepoj_domain.submission.submit import SourceCode
from deepoj_domain.testing import QUESTION
from deepoj_judgement.commands.judge.errors import LanguageNotAllowedError
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.judge.sandbox_port import Command, RunRef, RunReport
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.testing import (
    OK,
    MemoryData,
    MemoryPrograms,
    MemorySandbox,
    Notebook,
    OneSpec,
    Program,
    SomeToolchains,
)
from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.judge.try_sample import NotTried, SampleOrder, Tried, TrySample
from deepoj_languages.language import Language

REVISION = RevisionRef(QUESTION, 1)
LIMITS = Limits(cpu_ms=1000, memory_kib=65_536, output_kib=1024)
SCRIPT = Language(
    slug=language_slug("python3"), name="Python", lane=Lane.LIGHT, source_name="main.py", compile=(),
    artifacts=(), run=("/app/main.py",), version=("python3",), package="python3", template="",
)  # fmt: skip
SHOWN = Case("1", "all", hash_of(b"1 2"), hash_of(b"3"), is_sample=True)
HIDDEN = Case("2", "all", hash_of(b"2 2"), hash_of(b"4"))
CHECKER = ProgramChecker(
    sources=(SourceFile("check.py", hash_of(b"check")),),
    language=SCRIPT.slug,
    convention=Convention.TESTLIB,
)


def adds(command: Command, given: bytes) -> tuple[RunReport, bytes]:
    del command
    return OK, str(sum(map(int, given.split()))).encode()


def spec_with(*cases: Case) -> JudgeSpec:
    suite = Suite((Group("all", Score.points(100)),), cases or (SHOWN, HIDDEN))
    return JudgeSpec(suite=suite, limits=LIMITS, checker=TokenChecker())


@dataclass
class Bench:
    spec: JudgeSpec = field(default_factory=spec_with)
    program: Program = adds
    data: MemoryData = field(default_factory=lambda: MemoryData(b"3"))

    def __post_init__(self) -> None:
        self.sandbox = MemorySandbox(self.program)

    async def tried(self, given: bytes = b"1 2", answer: bytes = b"3") -> Tried | CompileFailed | NotTried:
        order = SampleOrder(
            ref=RunRef("job", 0),
            revision=REVISION,
            language=SCRIPT.slug,
            source=SourceCode.parse("source"),
            given=given,
            answer=answer,
        )
        return await TrySample(
            specs=OneSpec(REVISION, self.spec),
            data=self.data,
            programs=MemoryPrograms(),
            toolchains=SomeToolchains((Toolchain(SCRIPT, "version 1", "1"),)),
            sandbox=self.sandbox,
            observer=Notebook(),
        )(order)

    async def verdict(self, given: bytes = b"1 2", answer: bytes = b"3") -> Verdict:
        tried = await self.tried(given, answer)
        assert isinstance(tried, Tried)
        return tried.verdict


async def test_the_problem_and_not_the_shown_text_says_what_is_right() -> None:
    assert await Bench().verdict(answer=b" 3 \n") is Verdict.ACCEPTED
    assert await Bench(program=lambda *_: (OK, b"4")).verdict() is Verdict.WRONG_ANSWER


async def test_a_sample_that_is_a_test_has_all_that_belongs_to_it() -> None:
    own = replace(SHOWN, arguments=("--fast",), time_ms=500)
    bench = Bench(spec_with(own, HIDDEN))
    assert await bench.verdict(answer=b"shown otherwise") is Verdict.ACCEPTED
    [command] = bench.sandbox.commands
    assert (command.arguments, command.limits.cpu_ms) == (("--fast",), 550)


async def test_nothing_of_a_hidden_test_is_lent_though_its_input_is_guessed() -> None:
    secret = replace(HIDDEN, arguments=("secret",), time_ms=500)
    bench = Bench(spec_with(SHOWN, secret), data=MemoryData())
    assert await bench.verdict(b"2 2", b"guessed") is Verdict.WRONG_ANSWER
    assert await bench.verdict(b"2 2", b"4") is Verdict.ACCEPTED, "by the answer that was sent alone"
    assert all(not each.arguments and each.limits.cpu_ms == 1100 for each in bench.sandbox.commands)


async def test_its_limits_are_those_of_the_problem_and_no_longer_than_a_run_may_take() -> None:
    bench = Bench(replace(spec_with(), limits=replace(LIMITS, cpu_ms=60_000, memory_kib=4_194_304)))
    await bench.verdict()
    [command] = bench.sandbox.commands
    assert (command.limits.cpu_ms, command.limits.memory_bytes) == (11_000, 1 << 30)
    late = replace(OK, verdict=SandboxVerdict.TIME_LIMIT, time_ms=1100)
    assert await Bench(program=lambda *_: (late, b"")).verdict() is Verdict.TIME_LIMIT


async def test_a_checker_that_breaks_is_not_the_programs_fault() -> None:
    def broken(command: Command, given: bytes) -> tuple[RunReport, bytes]:
        is_checker = len(command.steps[-1]) > 1
        return (replace(OK, exit_code=99) if is_checker else OK), given

    bench = Bench(replace(spec_with(), checker=CHECKER), broken, MemoryData(b"3", b"check"))
    assert await bench.verdict() is Verdict.SYSTEM_ERROR


@pytest.mark.parametrize(
    "spec",
    [
        replace(spec_with(HIDDEN), checker=replace(CHECKER, interactive=True)),
        replace(spec_with(), form=SubmissionForm(answers=True)),
    ],
    ids=["talks", "answers"],
)
async def test_what_is_no_input_of_a_program_is_refused_before_anything_runs(spec: JudgeSpec) -> None:
    bench = Bench(spec)
    assert isinstance(await bench.tried(), NotTried)
    assert not bench.sandbox.commands


async def test_a_language_that_the_problem_does_not_take_is_refused() -> None:
    with pytest.raises(LanguageNotAllowedError):
        await Bench(replace(spec_with(), languages=frozenset())).tried()
