"""Invitations within one transaction."""

from __future__ import annotations

from typing import Final

from deepoj_domain.account.invitation import Invitation
from deepoj_domain.kernel.ids import InvitationId
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.statements import insert
from deepoj_user.outbound.postgres.rows import INVITATION_COLUMNS, invitation
from deepoj_user.outbound.postgres.tables import INVITATIONS

_BY_CODE: Final = f"""
SELECT {INVITATION_COLUMNS} FROM "user".invitations i WHERE i.code = %s FOR UPDATE
""".encode()  # noqa: S608 — constants
_COUNT: Final = 'SELECT count(*) FROM "user".invitations'
_ADD: Final = f"{insert(INVITATIONS)} ON CONFLICT DO NOTHING".encode()
_SAVE: Final = 'UPDATE "user".invitations SET uses_left = %s WHERE id = %s'
_REMOVE: Final = 'DELETE FROM "user".invitations WHERE id = %s'


class PostgresInvitations:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def by_code(self, code: str) -> Invitation | None:
        if "\0" in code:
            return None
        row = await (await self._connection.execute(_BY_CODE, (code,))).fetchone()
        return None if row is None else invitation(row)

    async def count(self) -> int:
        row = await (await self._connection.execute(_COUNT)).fetchone()
        return 0 if row is None else int(row[0])

    async def add(self, new: Invitation) -> bool:
        row = {
            "id": new.id,
            "code": new.code,
            "uses_left": new.uses_left,
            "created_at": new.created_at,
            "expires_at": new.expires_at,
            "note": new.note,
        }
        return bool((await self._connection.execute(_ADD, row)).rowcount)

    async def save(self, changed: Invitation) -> None:
        await self._connection.execute(_SAVE, (changed.uses_left, changed.id))

    async def remove(self, invitation_id: InvitationId) -> bool:
        return bool((await self._connection.execute(_REMOVE, (invitation_id,))).rowcount)
