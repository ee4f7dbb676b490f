"""From protobuf to typed values; what cannot become one is refused by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar
from uuid import UUID

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_domain.game.participant import ParticipantKind
from deepoj_domain.game.schedule import Interval, Phase
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import (
    AccountId,
    ClarificationId,
    GameId,
    QuestionId,
    RejudgeId,
    SubmissionId,
    WorkId,
)
from deepoj_domain.kernel.paging import PageRequest, page_request
from deepoj_domain.kernel.role import SERVICE_ACCOUNT, Actor, Role
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.game.v1 import game_pb2

T = TypeVar("T")

ROLES: Final[Mapping[int, Role]] = {
    common_pb2.ROLE_CONTESTANT: Role.CONTESTANT,
    common_pb2.ROLE_SETTER: Role.SETTER,
    common_pb2.ROLE_JUDGE: Role.JUDGE,
    common_pb2.ROLE_ADMIN: Role.ADMIN,
}
PHASES: Final[Mapping[int, Phase]] = {game_pb2.Phase.Value(f"PHASE_{phase.name}"): phase for phase in Phase}
KINDS: Final[Mapping[int, ParticipantKind]] = {
    game_pb2.ParticipantKind.Value(f"PARTICIPANT_KIND_{kind.name}"): kind for kind in ParticipantKind
}
VIEWS: Final[Mapping[int, BoardView]] = {
    # Nobody has to say what everybody wants.
    game_pb2.BOARD_VIEW_UNSPECIFIED: BoardView.PUBLIC,
    **{game_pb2.BoardView.Value(f"BOARD_VIEW_{view.name}"): view for view in BoardView},
}
_MOST_REASON: Final = 500
_MOST_SEARCH: Final = 200


def uuid(text: str, name: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidValueError(f"{name}_malformed", f"{name} is not a UUID") from None


def account_id(text: str) -> AccountId:
    return AccountId(uuid(text, "account_id"))


def account_ids(texts: Iterable[str]) -> frozenset[AccountId]:
    return frozenset(account_id(text) for text in texts)


def game_id(text: str) -> GameId:
    return GameId(uuid(text, "game_id"))


def question_id(text: str) -> QuestionId:
    return QuestionId(uuid(text, "question_id"))


def submission_id(text: str) -> SubmissionId:
    return SubmissionId(uuid(text, "submission_id"))


def clarification_id(text: str) -> ClarificationId:
    return ClarificationId(uuid(text, "clarification_id"))


def work_id(text: str) -> WorkId:
    return WorkId(uuid(text, "work_id"))


def rejudge_id(text: str) -> RejudgeId:
    return RejudgeId(uuid(text, "rejudge_id"))


def enum(table: Mapping[int, T], value: int, name: str) -> T:
    if value not in table:
        raise InvalidValueError(f"{name}_unknown", f"{name} has no value {value}")
    return table[value]


def actor(message: common_pb2.Actor) -> Actor | None:
    """Return None for a guest."""
    if message.role in {common_pb2.ROLE_UNSPECIFIED, common_pb2.ROLE_GUEST}:
        return None
    role = enum(ROLES, message.role, "role")
    if not message.account_id and role is not Role.CONTESTANT:
        return Actor(SERVICE_ACCOUNT, role)
    return Actor(account_id(message.account_id), role)


def moment(parent: Message, field: str) -> datetime | None:
    if not parent.HasField(field):
        return None
    value: Timestamp = getattr(parent, field)
    try:
        return value.ToDatetime(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidValueError(f"{field}_malformed", f"{field} is not a moment") from error


def required_moment(parent: Message, field: str) -> datetime:
    found = moment(parent, field)
    if found is None:
        raise InvalidValueError(f"{field}_missing", f"{field} has to be set")
    return found


def duration(message: Duration) -> timedelta:
    try:
        return message.ToTimedelta()
    except (ValueError, OverflowError) as error:
        raise InvalidValueError("duration_malformed", "that is not a length of time") from error


def interval(message: game_pb2.Interval) -> Interval:
    return Interval(required_moment(message, "from"), required_moment(message, "before"))


def reason(text: str) -> str:
    if len(text) > _MOST_REASON or "\0" in text:
        raise InvalidValueError("reason_malformed", f"a reason has at most {_MOST_REASON} characters")
    return text


def search(text: str) -> str:
    if len(text) > _MOST_SEARCH or "\0" in text:
        raise InvalidValueError("search_malformed", f"a search has at most {_MOST_SEARCH} characters")
    return text


def text(words: str) -> str:
    if "\0" in words:
        raise InvalidValueError("text_malformed", "a text holds a character that cannot be stored")
    return words


def page(message: common_pb2.PageRequest) -> PageRequest:
    return page_request(message.size, message.cursor)
