"""POST /api/users/import: many accounts at once, from a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from litestar import post
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from deepoj_bff.inbound.http.account_list import AccountLine, account_lines
from deepoj_bff.inbound.http.auth.caller import Access, Caller, Scope, by
from deepoj_bff.inbound.http.auth.guard import access, check_level, check_scope
from deepoj_bff.inbound.http.dependencies import FromCaller, FromNewId, FromServices
from deepoj_bff.inbound.http.wire.user import UserImport
from deepoj_bff.queries.services import LONG, Call, Services
from deepoj_bff.queries.views.contest import Enrolments, Newcomer
from deepoj_bff.queries.views.user import (
    Creation,
    CreationOutcome,
    Creations,
    ImportedUser,
    ImportedUsers,
    WantedAccount,
)
from deepoj_bff.queries.views.user import Role as WantedRole
from deepoj_kit.grpc import RemoteError

CREATE: Final = Call("user", "CreateAccounts", Creations, LONG)
ENROL: Final = Call("game", "Enrol", Enrolments)

# A megabyte of text, written as JSON.
_BODY: Final = 3 * 1024 * 1024
# A hash takes tens of milliseconds, and log-ins wait for the same threads.
_AT_ONCE: Final = 50
_THERE: Final = "already_signed_up"


@post(
    "/import",
    opt=access(Access.SETTER, Scope.MANAGE),
    tags=["users"],
    status_code=HTTP_200_OK,
    summary="Make many accounts from a list",
    request_max_body_size=_BODY,
)
async def import_users(
    data: JSONBody[UserImport], caller: FromCaller, services: FromServices, new_id: FromNewId
) -> ImportedUsers:
    """For admins; with a `contest_id` also for its admins, who make contestants without addresses.

    Sent again, it makes only what is missing.
    """
    if data.game_id is None:
        check_level(Access.ADMIN, caller)
        check_scope(Scope.ADMIN, caller)
    else:
        # Of nobody: who may not enrol is refused before any account is made.
        await services.call(ENROL, actor=caller.actor, game_id=data.game_id, newcomers=[])
    users = _UserImport(services, caller, new_id, data.game_id, dry_run=data.dry_run)
    lines = account_lines(data.csv)
    items = [
        item
        for first in range(0, len(lines), _AT_ONCE)
        for item in await users.made(lines[first : first + _AT_ONCE])
    ]
    return ImportedUsers(
        items=items,
        created=sum(each.outcome is CreationOutcome.CREATED for each in items),
        refused=sum(each.outcome is CreationOutcome.REFUSED for each in items),
    )


@dataclass(frozen=True, slots=True)
class _UserImport:
    services: Services
    caller: Caller
    new_id: Callable[[], UUID]
    contest_id: UUID | None
    dry_run: bool

    async def made(self, lines: Sequence[AccountLine]) -> list[ImportedUser]:
        readable = [each for each in lines if not each.refusal]
        wanted = [
            WantedAccount(
                account_id=self.new_id(),
                name=each.name,
                display_name=each.display_name,
                email=each.email,
                password=each.password,
                role=WantedRole(each.role),
            )
            for each in readable
        ]
        answer = await self.services.call(CREATE, accounts=wanted, dry_run=self.dry_run, **by(self.caller))
        creations = {each.line: made for each, made in zip(readable, answer.creations, strict=True)}
        refusals = await self._enrol([(each, creations[each.line].account_id) for each in readable])
        return [_item(each, creations.get(each.line), refusals) for each in lines]

    async def _enrol(self, accounts: Sequence[tuple[AccountLine, str]]) -> dict[str, str | None]:
        """Return why an account that was to take part does not; None: it does."""
        newcomers = [
            Newcomer(account_id=account_id, display_name=line.display_name or line.name)
            for line, account_id in accounts
            if account_id
        ]
        if self.contest_id is None or self.dry_run or not newcomers:
            return {}
        try:
            done = await self.services.call(
                ENROL, actor=self.caller.actor, game_id=self.contest_id, newcomers=newcomers
            )
        except RemoteError as error:
            # The accounts are there, and nobody is shown their passwords again.
            return {each.account_id: error.reason for each in newcomers}
        return {
            each.account_id: None if enrolment.refused == _THERE else enrolment.refused
            for each, enrolment in zip(newcomers, done.enrolments, strict=True)
        }


def _item(line: AccountLine, made: Creation | None, refusals: Mapping[str, str | None]) -> ImportedUser:
    account_id = "" if made is None else made.account_id
    refusal = refusals.get(account_id)
    reason = line.refusal if made is None else made.reason
    return ImportedUser(
        line=line.line,
        name=line.name,
        display_name=line.display_name,
        outcome=CreationOutcome.REFUSED if made is None else made.outcome,
        reason=reason or refusal,
        account_id=account_id or None,
        password=(made.password or None) if made else None,
        enrolled=refusal is None if account_id in refusals else None,
    )
