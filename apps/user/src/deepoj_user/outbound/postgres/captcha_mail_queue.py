"""Captchas that wait to be mailed: a column of theirs says when."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from deepoj_domain.account.captcha import Captcha
from deepoj_domain.kernel.ids import CaptchaId
from deepoj_kit.postgres import Database
from deepoj_user.outbound.postgres.captchas import CAPTCHA_COLUMNS, captcha

# Several processes look at once; each takes another letter, and none waits for another.
_TAKE: Final = f"""
UPDATE "user".captchas AS c SET mail_due = %(again)s
WHERE (c.kind, c.email) = (
    SELECT kind, email FROM "user".captchas WHERE mail_due <= %(now)s AND expires_at > %(now)s
    ORDER BY mail_due LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING {CAPTCHA_COLUMNS}, EXISTS (SELECT 1 FROM "user".accounts a WHERE a.email = c.email)
""".encode()  # noqa: S608 — constants
_PUT_OFF: Final = 'UPDATE "user".captchas SET mail_due = %s WHERE id = %s'


class PostgresCaptchaMailQueue:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, now: datetime, again_at: datetime) -> tuple[Captcha, bool] | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_TAKE, {"now": now, "again": again_at})).fetchone()
        return None if row is None else (captcha(row[:-1]), row[-1])

    async def put_off(self, captcha_id: CaptchaId, again_at: datetime | None) -> None:
        async with self._database.connection() as connection:
            await connection.execute(_PUT_OFF, (again_at, captcha_id))
