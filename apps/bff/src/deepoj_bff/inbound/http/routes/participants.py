"""/api/contests: signing up, participants, clarifications."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from litestar import delete, get, patch, post, put
from litestar.params import JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from deepoj_bff.inbound.http.auth.caller import Access, Scope
from deepoj_bff.inbound.http.auth.guard import access
from deepoj_bff.inbound.http.dependencies import FromCaller, FromNewId, FromServices
from deepoj_bff.inbound.http.params import Cursor, PageSize, PathId
from deepoj_bff.inbound.http.wire.contest import (
    Answer,
    NewClarification,
    ParticipantEdit,
    ParticipantNames,
    SignUp,
)
from deepoj_bff.queries.services import Call, Nothing, Page
from deepoj_bff.queries.views.contest import (
    Clarification,
    ClarificationAnswer,
    Clarifications,
    Enrolments,
    ImportedParticipant,
    ImportedParticipants,
    NamedAccount,
    NamedAccounts,
    Newcomer,
    Participant,
    ParticipantAnswer,
    Participants,
)

SIGN_UP: Final = Call("game", "SignUp", ParticipantAnswer, body=SignUp)
CANCEL_SIGN_UP: Final = Call("game", "CancelSignUp", Nothing)
LIST_PARTICIPANTS: Final = Call("game", "ListParticipants", Participants)
UPDATE_PARTICIPANT: Final = Call("game", "UpdateParticipant", ParticipantAnswer, body=ParticipantEdit)
ASK: Final = Call("game", "Ask", ClarificationAnswer, body=NewClarification)
ANSWER: Final = Call("game", "Answer", ClarificationAnswer, body=Answer)
BROADCAST: Final = Call("game", "Broadcast", ClarificationAnswer, body=NewClarification)
ENROL: Final = Call("game", "Enrol", Enrolments)
FIND_ACCOUNTS: Final = Call("user", "List", NamedAccounts)
LIST_CLARIFICATIONS: Final = Call("game", "ListClarifications", Clarifications)

# Names in one call.
_NAMES: Final = 100
_READ: Final = access(Access.PUBLIC)
_TAKE_PART: Final = access(Access.SIGNED_IN, Scope.SUBMIT)
_STAFF: Final = access(Access.SIGNED_IN, Scope.MANAGE)
_TAGS: Final = ["contests"]
Search = Annotated[
    str | None, QueryParameter(name="search", max_length=200, description="Part of the display name.")
]


@post("/{contest_id:uuid}/participants", opt=_TAKE_PART, tags=_TAGS, summary="Sign up")
async def sign_up(
    contest_id: PathId, data: JSONBody[SignUp], caller: FromCaller, services: FromServices
) -> Participant:
    return (await services.call(SIGN_UP, data, actor=caller.actor, game_id=contest_id)).participant


@delete("/{contest_id:uuid}/participants/me", opt=_TAKE_PART, tags=_TAGS, summary="Cancel my sign-up")
async def cancel_sign_up(contest_id: PathId, caller: FromCaller, services: FromServices) -> None:
    await services.call(CANCEL_SIGN_UP, actor=caller.actor, game_id=contest_id)


@delete(
    "/{contest_id:uuid}/participants/{user_id:uuid}",
    opt=_STAFF,
    tags=_TAGS,
    summary="Cancel somebody's sign-up",
)
async def remove_participant(
    contest_id: PathId, user_id: PathId, caller: FromCaller, services: FromServices
) -> None:
    await services.call(CANCEL_SIGN_UP, actor=caller.actor, game_id=contest_id, account_id=user_id)


@get("/{contest_id:uuid}/participants", opt=_READ, tags=_TAGS, summary="Who takes part")
async def list_participants(
    *,
    contest_id: PathId,
    caller: FromCaller,
    services: FromServices,
    search: Search = None,
    size: PageSize = None,
    cursor: Cursor = None,
) -> Participants:
    page = Page(size, cursor)
    return await services.call(
        LIST_PARTICIPANTS, actor=caller.actor, game_id=contest_id, search=search, page=page
    )


@post(
    "/{contest_id:uuid}/participants/import",
    opt=_STAFF,
    tags=_TAGS,
    status_code=HTTP_200_OK,
    summary="Sign others up by the names of their accounts",
)
async def import_participants(
    contest_id: PathId, data: JSONBody[ParticipantNames], caller: FromCaller, services: FromServices
) -> ImportedParticipants:
    """Until the end of the contest. They take part under their display names."""
    names, known = list(dict.fromkeys(data.names)), dict[str, NamedAccount]()
    for start in range(0, len(names), _NAMES):
        some = names[start : start + _NAMES]
        page = Page(_NAMES, None)
        found = await services.call(FIND_ACCOUNTS, actor=caller.actor, names=some, page=page)
        known |= {each.name.lower(): each for each in found.accounts}
    newcomers = [
        Newcomer(account_id=each.id, display_name=each.display_name or each.name) for each in known.values()
    ]
    done = await services.call(ENROL, actor=caller.actor, game_id=contest_id, newcomers=newcomers)
    refused = {each.account_id: each.refused for each in done.enrolments}
    items = [_imported(name, known.get(name.lower()), refused) for name in names]
    enrolled = sum(each.refused is None for each in items)
    return ImportedParticipants(items=items, enrolled=enrolled, refused=len(items) - enrolled)


def _imported(
    name: str, account: NamedAccount | None, refused: Mapping[str, str | None]
) -> ImportedParticipant:
    if account is None:
        return ImportedParticipant(name=name, account_id=None, refused="name_unknown")
    return ImportedParticipant(name=name, account_id=account.id, refused=refused[account.id])


@patch(
    "/{contest_id:uuid}/participants/{user_id:uuid}", opt=_STAFF, tags=_TAGS, summary="Change a participant"
)
async def update_participant(
    contest_id: PathId,
    user_id: PathId,
    data: JSONBody[ParticipantEdit],
    caller: FromCaller,
    services: FromServices,
) -> Participant:
    changed = await services.call(
        UPDATE_PARTICIPANT, data, actor=caller.actor, game_id=contest_id, account_id=user_id
    )
    return changed.participant


@get("/{contest_id:uuid}/clarifications", opt=_READ, tags=_TAGS, summary="Questions and announcements")
async def list_clarifications(
    contest_id: PathId,
    caller: FromCaller,
    services: FromServices,
    size: PageSize = None,
    cursor: Cursor = None,
) -> Clarifications:
    """One's own and the public ones; the staff sees all."""
    page = Page(size, cursor)
    return await services.call(LIST_CLARIFICATIONS, actor=caller.actor, game_id=contest_id, page=page)


@post("/{contest_id:uuid}/clarifications", opt=_TAKE_PART, tags=_TAGS, summary="Ask the staff")
async def ask(
    contest_id: PathId,
    data: JSONBody[NewClarification],
    caller: FromCaller,
    services: FromServices,
    new_id: FromNewId,
) -> Clarification:
    asked = await services.call(ASK, data, actor=caller.actor, game_id=contest_id, clarification_id=new_id())
    return asked.clarification


@post("/{contest_id:uuid}/broadcasts", opt=_STAFF, tags=_TAGS, summary="Announce something to everybody")
async def broadcast(
    contest_id: PathId,
    data: JSONBody[NewClarification],
    caller: FromCaller,
    services: FromServices,
    new_id: FromNewId,
) -> Clarification:
    said = await services.call(
        BROADCAST, data, actor=caller.actor, game_id=contest_id, clarification_id=new_id()
    )
    return said.clarification


@put(
    "/{contest_id:uuid}/clarifications/{clarification_id:uuid}/answer",
    opt=_STAFF,
    tags=_TAGS,
    summary="Answer a question",
)
async def answer_clarification(
    contest_id: PathId,
    clarification_id: PathId,
    data: JSONBody[Answer],
    caller: FromCaller,
    services: FromServices,
) -> Clarification:
    answered = await services.call(
        ANSWER, data, actor=caller.actor, game_id=contest_id, clarification_id=clarification_id
    )
    return answered.clarification
