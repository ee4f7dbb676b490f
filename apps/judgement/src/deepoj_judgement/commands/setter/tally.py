"""Counts what judging costs."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from deepoj_domain.judgement.result import JudgeResult
from deepoj_judgement.commands.judge.sandbox_port import RunReport


class Tally:
    """An observer of judging for which there are no metrics."""

    def __init__(self) -> None:
        self.cpu_ms = 0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        del name
        yield

    def part(self, kind: str, name: str) -> AbstractContextManager[None]:
        del kind, name
        return nullcontext()

    def executed(self, report: RunReport) -> None:
        self.cpu_ms += report.time_ms

    def cache(self, *, hit: bool) -> None:
        del hit

    def judged(self, result: JudgeResult) -> None:
        del result
