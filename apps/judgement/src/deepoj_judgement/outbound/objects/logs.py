"""Logs of each attempt in the object store."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from deepoj_domain.documents import MANIFEST
from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_judgement.commands.judge.errors import StoreFailedError
from deepoj_judgement.commands.judge.ports import JudgeLogs
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_kit.documents import Document
from deepoj_kit.objects import ObjectStore, ObjectStoreError

_TEXT = "text/plain; charset=utf-8"
_JSON = "application/json"
_MANIFEST = Document(MANIFEST, InvalidValueError)


class ObjectLogs:
    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    def prefix(self, ref: RunRef) -> str:
        return f"submissions/{ref.job_id}/attempts/{ref.attempt_id}/"

    async def store(self, logs: JudgeLogs, result: JudgeResult) -> None:
        prefix = self.prefix(logs.ref)
        try:
            for name, content, kind in _files(logs, result):
                await self._store.put(prefix + name, content, content_type=kind)
        except ObjectStoreError as error:
            raise StoreFailedError(str(error)) from error


def _files(logs: JudgeLogs, result: JudgeResult) -> Iterator[tuple[str, bytes, str]]:
    """`result.json` comes last: where it is, everything else is too."""
    if logs.compile_log:
        yield "compile.log", logs.compile_log, _TEXT
    for case in logs.cases:
        yield f"case_{case.number}.stdout", case.stdout, _TEXT
        yield f"case_{case.number}.stderr", case.stderr, _TEXT
        if case.checker:
            yield f"case_{case.number}.checker", case.checker, _TEXT
        resource = msgspec.json.encode(case.report.judge_json(logs.ref))
        yield f"case_{case.number}_resource.json", resource, _JSON
    if logs.manifest is not None:
        yield "manifest.json", _MANIFEST.encode(logs.manifest), _JSON
    yield "result.json", msgspec.json.encode(result), _JSON
