"""Setters' own checkers in the real sandbox: their conventions, and that a broken one is never WA."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import Convention, ProgramChecker, SourceFile
from deepoj_domain.question.group import Group
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import Suite
from deepoj_domain.submission.source import SourceCode
from deepoj_domain.testing import NOW, QUESTION
from deepoj_judgement.commands.judge import Judge, JudgeOrder
from deepoj_judgement.commands.running import RunRef
from deepoj_judgement.commands.spec import JudgeSpec
from deepoj_judgement.commands.testing import MemoryData, MemoryJudgeCache, MemoryLogs, Notebook, OneSpec
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains

REVISION = RevisionRef(QUESTION, 1)
PYTHON = language_slug("python3")
ICPC = """
import sys
given, answer, feedback = sys.argv[1:4]
open(feedback + 'judgemessage.txt', 'w').write('seen')
right = sum(map(int, input().split())) == int(open(given).read())
print('a sum was asked for', file=sys.stderr)
sys.exit(42 if right and open(answer).read() == 'any' else 43)
"""
TESTLIB = """
import sys
given, output, answer = (open(name).read() for name in sys.argv[1:4])
if not output.strip(): sys.exit(2)
sys.exit(0 if sum(map(int, output.split())) == int(given) else 1)
"""


@dataclass
class Bench:
    sandbox: AgentSandbox
    toolchains: InstalledToolchains

    async def verdict(
        self, checker: str, output: str, convention: Convention = Convention.ICPC
    ) -> tuple[Verdict, str]:
        case = Case("1", "all", hash_of(b"10"), hash_of(b"any"))
        program = ProgramChecker(
            sources=(SourceFile("checker.py", hash_of(checker.encode())),),
            language=PYTHON,
            convention=convention,
        )
        spec = JudgeSpec(
            suite=Suite((Group("all", Score.points(100)),), (case,)),
            limits=Limits(1000, 3000, 65_536, 1024),
            checker=program,
        )
        judge = Judge(
            specs=OneSpec(REVISION, spec), data=MemoryData(b"10", b"any", checker.encode()),
            cache=MemoryJudgeCache(), toolchains=self.toolchains, sandbox=self.sandbox, logs=MemoryLogs(),
            observer=Notebook(), clock=lambda: NOW, new_id=lambda: UUID(int=1),
        )  # fmt: skip
        source = SourceCode.parse(f"print({output!r})")
        order = JudgeOrder(ref=RunRef("job", 1), revision=REVISION, language=PYTHON, source=source)
        result = (await judge(order)).result
        return result.verdict, result.cases[0].message


@pytest.fixture
def bench(agent_sandbox: AgentSandbox, toolchains: InstalledToolchains) -> Bench:
    return Bench(agent_sandbox, toolchains)


@pytest.mark.parametrize(
    ("checker", "convention", "output", "verdict"),
    [
        (ICPC, Convention.ICPC, "3 7", Verdict.ACCEPTED),
        (ICPC, Convention.ICPC, "3 8", Verdict.WRONG_ANSWER),
        (TESTLIB, Convention.TESTLIB, "4 6", Verdict.ACCEPTED),
        (TESTLIB, Convention.TESTLIB, "4 7", Verdict.WRONG_ANSWER),
        (TESTLIB, Convention.TESTLIB, "", Verdict.PRESENTATION_ERROR),
    ],
)
async def test_a_checker_program_decides_by_its_convention(
    bench: Bench, checker: str, convention: Convention, output: str, verdict: Verdict
) -> None:
    said, message = await bench.verdict(checker, output, convention)
    assert said is verdict
    if checker is ICPC:
        assert message == "a sum was asked for\n"


@pytest.mark.parametrize(
    "broken",
    ["import sys; sys.exit(1)", "raise ValueError", "import os; os.abort()", "x = bytearray(2 << 30)"],
)
async def test_a_broken_checker_is_a_system_error(bench: Bench, broken: str) -> None:
    verdict, message = await bench.verdict(broken, "3 7")
    assert verdict is Verdict.SYSTEM_ERROR
    assert message.startswith("the checker broke")
