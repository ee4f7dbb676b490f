"""A log store for a setter, who sees what a program said as it is judged: nothing is kept."""

from deepoj_domain.judgement.result import JudgeResult
from deepoj_judgement.commands.judge.ports import JudgeLogs
from deepoj_judgement.commands.judge.sandbox_port import RunRef


class NoLogs:
    def prefix(self, ref: RunRef) -> str:
        del ref
        return ""

    async def store(self, logs: JudgeLogs, result: JudgeResult) -> None:
        del logs, result
