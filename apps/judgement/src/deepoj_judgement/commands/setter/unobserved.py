"""An observer of judging for which there are no metrics."""

from collections.abc import Iterator
from contextlib import contextmanager

from deepoj_domain.judgement.result import JudgeResult
from deepoj_judgement.commands.judge.sandbox_port import RunReport


class Unobserved:
    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        del name
        yield

    def executed(self, report: RunReport) -> None:
        del report

    def cache(self, *, hit: bool) -> None:
        del hit

    def judged(self, result: JudgeResult) -> None:
        del result
