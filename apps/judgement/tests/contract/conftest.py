"""The judge command over the real sandbox, with everything else in memory."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, Unpack
from uuid import UUID

import pytest

from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import (
    Checker,
    Communication,
    Convention,
    Grader,
    ProgramChecker,
    SourceFile,
    TokenChecker,
)
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.submission_form import SubmissionForm
from deepoj_domain.question.suite import Group, StopPolicy, Suite
from deepoj_domain.submission.submit import SourceCode
from deepoj_domain.testing import NOW, QUESTION
from deepoj_judgement.commands.judge.judge import Judge, Judged, JudgeOrder
from deepoj_judgement.commands.judge.ports import Toolchains
from deepoj_judgement.commands.judge.program import SourceTree
from deepoj_judgement.commands.judge.sandbox_port import RunRef, Sandbox
from deepoj_judgement.commands.judge.spec import JudgeSpec
from deepoj_judgement.commands.judge.testing import (
    MemoryData,
    MemoryJudgeCache,
    MemoryLogs,
    MemoryPrograms,
    Notebook,
    OneSpec,
)
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.toolchains.installed import InstalledToolchains

REVISION = RevisionRef(QUESTION, 1)
# Far more than anything here needs, for a machine that is slow or busy.
LIMITS = Limits(cpu_ms=20_000, memory_kib=256 * 1024, output_kib=1024)
GROUP = Group("all", Score.points(100))
Sources = str | Mapping[str, str | bytes] | SourceCode
# Compilers that take seconds for the smallest program; with this set to `all` their languages are judged too.
CHOSEN = "DEEPOJ_TEST_LANGUAGES"
SLOW = frozenset({"go", "rust", "haskell", "ocaml", "csharp"})


class CheckerOptions(TypedDict, total=False):
    language: str
    convention: Convention
    interactive: bool
    scores: bool
    arguments: tuple[str, ...]
    checker_limits: Limits | None
    passes: int
    communication: Communication
    after: str


def checker_after(source: str) -> ProgramChecker:
    return ProgramChecker(
        sources=(SourceFile("after.py", hash_of(source.encode())),),
        language=language_slug("python3"),
        convention=Convention.TESTLIB,
        scores=True,
    )


@dataclass
class Bench:
    sandbox: Sandbox
    toolchains: Toolchains
    # Not shown: they grow with every judgement, and hypothesis warns of an argument that is long to show.
    programs: MemoryPrograms = field(default_factory=MemoryPrograms, repr=False)
    notebook: Notebook = field(default_factory=Notebook, repr=False)
    form: SubmissionForm = field(default=SubmissionForm())
    case_ms: int = 0
    """The time limit of each case; 0: that of the question."""
    arguments: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    """Of each case."""
    grader: Grader | None = None
    source_checker: ProgramChecker | None = None
    """With one there is a case `source` before the others."""
    source_points: Score = ZERO
    case_points: Score = ZERO

    async def judge(
        self,
        source: Sources,
        cases: Sequence[tuple[str, str]] = (("10", "any"),),
        *,
        language: str = "python3",
        checker: Checker | None = None,
        limits: Limits = LIMITS,
        group: Group = GROUP,
        contents: Sequence[str] = (),
    ) -> Judged:
        """`contents`: what the checker and included files are made of."""
        numbered = enumerate(cases, start=1)
        empty = hash_of(b"")
        of_source = Case("source", group.name, empty, empty, points=self.source_points, of_source=True)
        suite = Suite(
            (group,),
            (of_source,) * (self.source_checker is not None)
            + tuple(
                Case(
                    str(number),
                    group.name,
                    hash_of(given.encode()),
                    hash_of(answer.encode()),
                    points=self.case_points,
                    time_ms=self.case_ms,
                    arguments=self.arguments,
                    files=tuple(
                        SourceFile(name, hash_of(text.encode())) for name, text in self.files.items()
                    ),
                )
                for number, (given, answer) in numbered
            ),
            StopPolicy.RUN_ALL,
        )
        slug = language_slug(language)
        spec = JudgeSpec(
            suite=suite, limits=limits, checker=checker or TokenChecker(),
            language_limits=((slug, limits),), form=self.form, grader=self.grader,
            source_checker=self.source_checker,
        )  # fmt: skip
        texts = ["", *contents, *self.files.values(), *(text for case in cases for text in case)]
        judge = Judge(
            specs=OneSpec(REVISION, spec), data=MemoryData(*(text.encode() for text in texts)),
            programs=self.programs, cache=MemoryJudgeCache(), toolchains=self.toolchains,
            sandbox=self.sandbox, logs=MemoryLogs(), observer=self.notebook, clock=lambda: NOW,
            new_id=lambda: UUID(int=1),
        )  # fmt: skip
        sent = source if isinstance(source, SourceCode) else self._tree(source, slug)
        return await judge(JudgeOrder(ref=RunRef("job", 1), revision=REVISION, language=slug, source=sent))

    def _tree(self, source: str | Mapping[str, str | bytes], language: LanguageSlug) -> SourceTree:
        name = self.toolchains.find(language).language.source_name
        files = {name: source} if isinstance(source, str) else source
        return SourceTree(
            {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}
        )

    def program(self, checker: str | Mapping[str, str], **options: Unpack[CheckerOptions]) -> ProgramChecker:
        files = {"checker.py": checker} if isinstance(checker, str) else checker
        after = options.get("after", "")
        return ProgramChecker(
            sources=tuple(SourceFile(name, hash_of(text.encode())) for name, text in files.items()),
            language=language_slug(options.get("language", "python3")),
            convention=options.get("convention", Convention.ICPC),
            interactive=options.get("interactive", False),
            scores=options.get("scores", False),
            arguments=options.get("arguments", ()),
            limits=options.get("checker_limits"),
            passes=options.get("passes", 1),
            communication=options.get("communication"),
            checker=checker_after(after) if after else None,
        )

    async def checked(
        self,
        checker: str | Mapping[str, str],
        solution: str,
        *,
        limits: Limits = LIMITS,
        group: Group = GROUP,
        **options: Unpack[CheckerOptions],
    ) -> tuple[CaseResult, Judged]:
        """Judge one case, input 10 and answer any, with a checker program; the solution is Python."""
        texts = (checker,) if isinstance(checker, str) else tuple(checker.values())
        judged = await self.judge(
            solution,
            checker=self.program(checker, **options),
            contents=(*texts, options.get("after", "")),
            limits=limits,
            group=group,
        )
        return judged.result.cases[0], judged


@pytest.fixture
def bench(agent_sandbox: AgentSandbox, toolchains: InstalledToolchains) -> Bench:
    return Bench(agent_sandbox, toolchains)


@pytest.fixture
def unhurried(request: pytest.FixtureRequest) -> None:
    """Pass over the languages that take long, unless they were asked for."""
    language = request.getfixturevalue("language")
    if language in SLOW and os.environ.get(CHOSEN) != "all":
        pytest.skip(f"{language} takes long to compile: set {CHOSEN}=all to judge it too")
