"""POST /api/users/import: many accounts at once, from a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.inbound.http.wire.user import UserImport
from deepoj_bff.queries.services import LONG, Call, Services
from deepoj_bff.queries.views.contest import ParticipantAnswer, Sight
from deepoj_bff.queries.views.user import (
    Creation,
    CreationOutcome,
    Creations,
    ImportedUser,
    ImportedUsers,
    WantedAccount,
)
from deepoj_bff.queries.views.user import Role as WantedRole
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.grpc import RemoteError

CREATE: Final = Call("user", "CreateAccounts", Creations, LONG)
CHECK_SIGHT: Final = Call("game", "CheckSight", Sight)
ENROL: Final = Call("game", "SignUp", ParticipantAnswer)

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
    """For admins; with a `contest_id` also for its staff, who make contestants without addresses.

    Sent again, it makes only what is missing.
    """
    if data.game_id is None:
        check_level(Access.ADMIN, caller)
        check_scope(Scope.ADMIN, caller)
    else:
        await _check_staff(services, caller, data.game_id)
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


async def _check_staff(services: Services, caller: Caller, contest_id: UUID) -> None:
    sight = await services.call(CHECK_SIGHT, actor=caller.actor, game_id=contest_id)
    if not sight.staff:
        detail = "only the staff of a contest makes accounts for it"
        raise ApiError(ErrorType.FORBIDDEN, "not_staff", detail)


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
        return [await self._item(each, creations.get(each.line)) for each in lines]

    async def _item(self, line: AccountLine, made: Creation | None) -> ImportedUser:
        outcome = CreationOutcome.REFUSED if made is None else made.outcome
        reason = line.refusal if made is None else made.reason
        account_id = "" if made is None else made.account_id
        enrolled = None
        if self.contest_id is not None and account_id and not self.dry_run:
            enrolled, refusal = await self._enrol(self.contest_id, UUID(account_id), line)
            reason = reason or refusal
        return ImportedUser(
            line=line.line,
            name=line.name,
            display_name=line.display_name,
            outcome=outcome,
            reason=reason or None,
            account_id=account_id or None,
            password=(made.password or None) if made else None,
            enrolled=enrolled,
        )

    async def _enrol(self, contest_id: UUID, account_id: UUID, line: AccountLine) -> tuple[bool, str]:
        """Sign the account up as its owner would; return whether it takes part, else why not."""
        owner = Actor(AccountId(account_id), Role.CONTESTANT)
        name = line.display_name or line.name
        try:
            await self.services.call(ENROL, actor=owner, game_id=contest_id, display_name=name)
        except RemoteError as error:
            return error.reason == _THERE, "" if error.reason == _THERE else error.reason
        return True, ""
