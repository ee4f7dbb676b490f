"""A submission that is no program: it has the output for each case.

A text has a line `=== name` before each answer. Of several files each is named like its case. In both, the
last part of a case's name will do where no other case has the same.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.question.suite import Suite
from deepoj_judgement.commands.judge.program import CompileFailed, Source, SourceTree
from deepoj_judgement.commands.judge.sandbox_port import Blob, Ran, RunReport
from deepoj_judgement.commands.judge.steps.check import CaseChecker, Task
from deepoj_judgement.commands.judge.steps.judge_case import CaseJudged

_HEAD = re.compile(r"^=== (.+)$\n?", re.MULTILINE)
_SHOWN = 60


def read_answers(source: Source, suite: Suite) -> Mapping[str, bytes] | CompileFailed:
    """By the names of the cases; who names one that is not there is told."""
    given = _files(source) if isinstance(source, SourceTree) else _sections(source.text)
    names = _names(case.name for case in suite.cases)
    answers: dict[str, bytes] = {}
    for name, answer in given:
        case = names.get(name)
        if case is None or case in answers:
            wrong = "there is no case" if case is None else "there are two answers for"
            return CompileFailed(f"{wrong} {name[:_SHOWN]!r}\n".encode())
        answers[case] = answer
    if not answers:
        return CompileFailed(b"no case is named: begin each answer with a line such as === 1\n")
    return answers


def _files(source: SourceTree) -> list[tuple[str, bytes]]:
    return [(str(PurePosixPath(name).with_suffix("")), content) for name, content in source.files.items()]


def _sections(text: str) -> list[tuple[str, bytes]]:
    _, *parts = _HEAD.split(text)
    sections = zip(parts[::2], parts[1::2], strict=True)
    return [(name.strip(" =\r\t"), answer.encode()) for name, answer in sections]


def _names(cases: Iterable[str]) -> Mapping[str, str]:
    whole = {name: name for name in cases}
    count = Counter(PurePosixPath(name).name for name in whole)
    short = {last: name for name in whole if count[last := PurePosixPath(name).name] == 1}
    return {**short, **whole}


@dataclass(frozen=True, slots=True)
class Answered:
    answers: Mapping[str, bytes]
    checker: CaseChecker
    keep: Callable[[str, bytes], Awaitable[Blob]]
    nothing: Blob

    async def judge(self, task: Task) -> CaseJudged:
        answer = self.answers.get(task.case.name)
        output = self.nothing if answer is None else await self.keep("answer", answer)
        report = RunReport(verdict=SandboxVerdict.OK, time_ms=0, memory_kib=0)
        checked = await self.checker.check(task, output)
        if answer is None and not checked.message:
            checked = replace(checked, message="no answer was submitted")
        return CaseJudged(Ran(report, output, self.nothing, {}), checked, checked.log)
