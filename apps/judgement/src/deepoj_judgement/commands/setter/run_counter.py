"""An observer of judging that counts runs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from deepoj_domain.judgement.result import JudgeResult
from deepoj_judgement.commands.judge.sandbox_port import RunReport


class RunCounter:
    """Tells how many runs there were; whoever judges says what they are for."""

    def __init__(self) -> None:
        self.on_run: Callable[[], None] = lambda: None

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        del name
        yield

    def executed(self, report: RunReport) -> None:
        del report
        self.on_run()

    def cache(self, *, hit: bool) -> None:
        del hit

    def judged(self, result: JudgeResult) -> None:
        del result
