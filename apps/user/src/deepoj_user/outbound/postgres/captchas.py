"""Captchas within one transaction."""

from __future__ import annotations

from typing import Final

from deepoj_domain.account.captcha import Captcha, CaptchaPurpose
from deepoj_domain.account.personal import EmailAddress
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import CaptchaId
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.statements import selected, utc
from deepoj_user.outbound.postgres.rows import Row
from deepoj_user.outbound.postgres.tables import CAPTCHAS

# Also when there is none yet, which a row lock could not hold.
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('deepoj user captcha ' || %s || ' ' || %s, 0))"
_READ: Final = ("kind", "email", "id", "code_hash", "sent_at", "expires_at", "tries_left", "used")
CAPTCHA_COLUMNS: Final = selected(CAPTCHAS, "c", *_READ)
_LATEST: Final = f"""
SELECT {CAPTCHA_COLUMNS} FROM "user".captchas c WHERE c.kind = %s AND c.email = %s
""".encode()  # noqa: S608 — constants
# A new one is due at once; one that is put back is mailed no sooner and no later for that.
_PUT: Final = """
INSERT INTO "user".captchas AS c (kind, email, id, code_hash, sent_at, expires_at, tries_left, used, mail_due)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (kind, email) DO UPDATE
SET id = excluded.id, code_hash = excluded.code_hash, sent_at = excluded.sent_at,
    expires_at = excluded.expires_at, tries_left = excluded.tries_left, used = excluded.used,
    mail_due = CASE WHEN c.id = excluded.id THEN c.mail_due ELSE excluded.mail_due END
"""


class PostgresCaptchas:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def latest(self, purpose: CaptchaPurpose, address: EmailAddress) -> Captcha | None:
        await self._connection.execute(_LOCK, (purpose, address))
        row = await (await self._connection.execute(_LATEST, (purpose, address))).fetchone()
        return None if row is None else captcha(row)

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
            captcha.issued_at,
        )
        await self._connection.execute(_PUT, values)


def captcha(row: Row) -> Captcha:
    kind, email, key, code_hash, sent_at, expires_at, tries_left, used = row
    return Captcha(
        id=CaptchaId(key),
        purpose=CaptchaPurpose(kind),
        address=EmailAddress(email),
        code=ContentHash(code_hash.hex()),
        issued_at=utc(sent_at),
        expires_at=utc(expires_at),
        tries_left=tries_left,
        used=used,
    )
