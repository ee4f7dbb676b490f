"""Logs that wait for their upload take a bounded amount of memory."""

from __future__ import annotations

import asyncio

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_domain.testing import a_result
from deepoj_judgement.commands.judge.ports import CaseLog, JudgeLogs
from deepoj_judgement.commands.judge.sandbox_port import RunRef, RunReport
from deepoj_judgement.commands.judge.testing import MemoryLogs
from deepoj_judgement.commands.worker.log_uploads import LogUploads

MIB = 1024 * 1024
REPORT = RunReport(verdict=SandboxVerdict.OK, time_ms=0, memory_kib=0)


class SlowStore(MemoryLogs):
    def __init__(self) -> None:
        super().__init__()
        self.answers = asyncio.Event()

    async def store(self, logs: JudgeLogs, result: JudgeResult) -> None:
        await self.answers.wait()
        await super().store(logs, result)


def large(number: int, size: int = 6 * MIB) -> JudgeLogs:
    parts = bytes(size // 3), bytes(size // 3)
    return JudgeLogs(RunRef(str(number), 1), b"", (CaseLog(1, *parts, REPORT, bytes(size // 3)),))


async def test_logs_that_would_take_too_much_memory_are_given_up() -> None:
    store = SlowStore()
    async with LogUploads(store) as uploads:
        for number in range(256):
            uploads.begin(large(number), a_result())
        for number in range(256):
            uploads.begin(JudgeLogs(RunRef(f"small {number}", 1), b"CE"), a_result())
        store.answers.set()
    kept = [logs.size for logs, _ in store.stored]
    assert sum(kept) <= 32 * MIB
    assert kept.count(6 * MIB) == 5
    assert kept.count(2) > 200, "small ones still find room"


async def test_after_an_upload_there_is_room_again_and_alone_even_a_huge_one_is_kept() -> None:
    store = SlowStore()
    store.answers.set()
    for number in range(3):
        async with LogUploads(store) as uploads:
            uploads.begin(large(number, 60 * MIB), a_result())
    assert len(store.stored) == 3
