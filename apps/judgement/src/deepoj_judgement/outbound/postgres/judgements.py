"""The judge cache in PostgreSQL."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import msgspec

from deepoj_domain.judgement.judgement import Judgement, JudgementKey
from deepoj_domain.judgement.result import JudgeResult
from deepoj_judgement.commands.judge.errors import StoreFailedError
from deepoj_kit.clock import Clock, system_clock
from deepoj_kit.postgres import Database, Unavailable

_DECODER = msgspec.json.Decoder(JudgeResult)
_FIND: Final = """
    SELECT result FROM judgement.judgements
    WHERE question_id = %s AND question_revision = %s
        AND language = %s AND toolchain = %s AND code_sha256 = %s
"""
_STORE: Final = """
    INSERT INTO judgement.judgements
        (question_id, question_revision, language, toolchain, code_sha256, result, judged_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT """
_FIRST: Final = _STORE + "DO NOTHING"
_INSTEAD: Final = (
    _STORE
    + """(question_id, question_revision, language, toolchain, code_sha256)
    DO UPDATE SET result = EXCLUDED.result, judged_at = EXCLUDED.judged_at
"""
)
_PURGE: Final = """
    DELETE FROM judgement.judgements WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM judgement.judgements WHERE judged_at < %s LIMIT %s FOR UPDATE SKIP LOCKED
    ))
"""


class PostgresJudgeCache:
    def __init__(self, database: Database, clock: Clock = system_clock) -> None:
        self._database = database
        self._clock = clock

    async def find(self, key: JudgementKey) -> JudgeResult | None:
        try:
            async with self._database.connection() as connection:
                cursor = await connection.execute(_FIND, _columns(key))
                row = await cursor.fetchone()
        except Unavailable as error:
            raise StoreFailedError(str(error)) from error
        return None if row is None else _DECODER.decode(bytes(row[0]))

    async def store(self, judgement: Judgement, *, instead: bool = False) -> None:
        statement = _INSTEAD if instead else _FIRST
        result = msgspec.json.encode(judgement.result)
        try:
            async with self._database.connection() as connection:
                await connection.execute(statement, (*_columns(judgement.key), result, judgement.judged_at))
        except Unavailable as error:
            raise StoreFailedError(str(error)) from error

    async def purge(self, keep: timedelta, batch: int = 1000) -> int:
        """Forget what was judged longer than `keep` ago, a batch a transaction; return how many rows."""
        before, total = self._clock() - keep, 0
        while True:
            async with self._database.connection() as connection:
                deleted = (await connection.execute(_PURGE, (before, batch))).rowcount
            total += deleted
            if deleted < batch:
                return total


def _columns(key: JudgementKey) -> tuple[object, ...]:
    revision = key.revision
    return (revision.question_id, revision.number, key.language, key.toolchain, bytes.fromhex(key.code))
