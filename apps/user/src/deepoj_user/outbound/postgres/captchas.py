"""Captchas within one transaction."""

from __future__ import annotations

from typing import Final

from deepoj_domain.account.captcha import Captcha, CaptchaPurpose
from deepoj_domain.account.personal import EmailAddress
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import CaptchaId
from deepoj_kit.postgres import Connection
from deepoj_user.outbound.postgres.rows import utc

# Also when there is none yet, which a row lock could not hold.
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('deepoj user captcha ' || %s || ' ' || %s, 0))"
_LATEST: Final = """
SELECT id, code_hash, sent_at, expires_at, tries_left, used
FROM "user".captchas WHERE kind = %s AND email = %s
"""
_PUT: Final = """
INSERT INTO "user".captchas (kind, email, id, code_hash, sent_at, expires_at, tries_left, used)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (kind, email) DO UPDATE
SET id = excluded.id, code_hash = excluded.code_hash, sent_at = excluded.sent_at,
    expires_at = excluded.expires_at, tries_left = excluded.tries_left, used = excluded.used
"""


class PostgresCaptchas:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def latest(self, purpose: CaptchaPurpose, address: EmailAddress) -> Captcha | None:
        await self._connection.execute(_LOCK, (purpose, address))
        row = await (await self._connection.execute(_LATEST, (purpose, address))).fetchone()
        if row is None:
            return None
        key, code_hash, sent_at, expires_at, tries_left, used = row
        return Captcha(
            id=CaptchaId(key),
            purpose=purpose,
            address=address,
            code=ContentHash(code_hash.hex()),
            issued_at=utc(sent_at),
            expires_at=utc(expires_at),
            tries_left=tries_left,
            used=used,
        )

    async def put(self, captcha: Captcha) -> None:
        values = (
            captcha.purpose,
            captcha.address,
            captcha.id,
            bytes.fromhex(captcha.code),
            captcha.issued_at,
            captcha.expires_at,
            captcha.tries_left,
            captcha.used,
        )
        await self._connection.execute(_PUT, values)
