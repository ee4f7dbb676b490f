"""Which tests catch which wrong submission. Pure."""

from collections.abc import Sequence

from deepoj_domain.kernel.verdict import Verdict
from deepoj_judgement.commands.setter.events import CatchRow, SolutionJudged, Strength

_RIGHT = {"", Verdict.ACCEPTED}


def strength_of(judged: Sequence[SolutionJudged], cases: Sequence[str]) -> Strength:
    """Of submissions that ran on all cases; one that does not compile says nothing about tests."""
    catches = tuple(
        CatchRow(each.name, caught_by)
        for each in sorted(judged, key=lambda each: each.name)
        if (caught_by := tuple(case.name for case in each.cases if case.verdict not in _RIGHT))
    )
    catching = {name for row in catches for name in row.caught_by}
    return Strength(catches=catches, catching_nobody=tuple(name for name in cases if name not in catching))
