"""Refresh tokens within one transaction."""

from __future__ import annotations

from typing import Final

from deepoj_domain.account.session import RefreshToken
from deepoj_domain.kernel.ids import AccountId, FamilyId
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.statements import insert, selected, utc, utc_or_none
from deepoj_user.outbound.postgres.rows import origin
from deepoj_user.outbound.postgres.tables import REFRESH_TOKENS

_FIND: Final = f"""
SELECT {selected(REFRESH_TOKENS, "t", *REFRESH_TOKENS.c.keys())}
FROM "user".refresh_tokens t WHERE t.token_hash = %s
""".encode()  # noqa: S608 — names of columns
_ADD: Final = insert(REFRESH_TOKENS, "used_at", "sealed_successor").encode()
_USED: Final = 'UPDATE "user".refresh_tokens SET used_at = %s, sealed_successor = %s WHERE token_hash = %s'
_END_FAMILY: Final = 'DELETE FROM "user".refresh_tokens WHERE family_id = %s'
_HAS_FAMILY: Final = 'SELECT 1 FROM "user".refresh_tokens WHERE family_id = %s AND account_id = %s LIMIT 1'
_END_ALL: Final = 'DELETE FROM "user".refresh_tokens WHERE account_id = %s'


class PostgresSessions:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def find(self, digest: bytes) -> RefreshToken | None:
        row = await (await self._connection.execute(_FIND, (digest,))).fetchone()
        if row is None:
            return None
        token_hash, family, account_id, epoch, issued_at, expires_at, used_at, sealed, started_at, *where = (
            row
        )
        return RefreshToken(
            digest=token_hash,
            family=FamilyId(family),
            account_id=AccountId(account_id),
            session_epoch=epoch,
            issued_at=utc(issued_at),
            expires_at=utc(expires_at),
            used_at=utc_or_none(used_at),
            sealed_successor=sealed,
            started_at=utc(started_at),
            origin=origin(*where),
        )

    async def add(self, token: RefreshToken) -> None:
        row = {
            "token_hash": token.digest,
            "family_id": token.family,
            "account_id": token.account_id,
            "session_epoch": token.session_epoch,
            "issued_at": token.issued_at,
            "expires_at": token.expires_at,
            "started_at": token.started_at,
            "address": token.origin.address,
            "user_agent": token.origin.user_agent,
        }
        await self._connection.execute(_ADD, row)

    async def save_used(self, token: RefreshToken) -> None:
        await self._connection.execute(_USED, (token.used_at, token.sealed_successor, token.digest))

    async def end_family(self, family: FamilyId) -> None:
        await self._connection.execute(_END_FAMILY, (family,))

    async def end_all(self, account_id: AccountId) -> None:
        await self._connection.execute(_END_ALL, (account_id,))

    async def has_family(self, account_id: AccountId, family: FamilyId) -> bool:
        return (
            await (await self._connection.execute(_HAS_FAMILY, (family, account_id))).fetchone() is not None
        )
