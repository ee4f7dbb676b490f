"""Where nothing is kept, and no driver of a server is loaded for it."""

from __future__ import annotations

from deepoj_domain.judgement.judgement import Judgement, JudgementKey
from deepoj_domain.judgement.result import JudgeResult
from deepoj_judgement.commands.judge.ports import JudgeLogs
from deepoj_judgement.commands.judge.sandbox_port import RunRef


class NoJudgeCache:
    """Knows nothing: everything is judged."""

    async def find(self, key: JudgementKey) -> JudgeResult | None:
        del key
        return None

    async def store(self, judgement: Judgement, *, instead: bool = False) -> None:
        del judgement, instead


class NoLogs:
    """For a setter, who sees what a program said as it is judged: nothing is kept."""

    def prefix(self, ref: RunRef) -> str:
        del ref
        return ""

    async def store(self, logs: JudgeLogs, result: JudgeResult) -> None:
        del logs, result
