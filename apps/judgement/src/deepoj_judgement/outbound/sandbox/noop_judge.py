"""No judging at all, for measuring the pipeline around it. Never for people."""

from __future__ import annotations

from deepoj_domain.judgement.result import CaseResult, GroupScore, JudgeResult
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_judgement.commands.judge.judge import Judged, JudgeOrder

_ACCEPTED = JudgeResult(
    Verdict.ACCEPTED, (GroupScore("all", Score.points(100)),), cases=(CaseResult.accepted("1"),)
)


class NoOpJudge:
    async def __call__(self, order: JudgeOrder) -> Judged:  # noqa: ARG002 — nothing is looked at
        return Judged(_ACCEPTED)
