"""From protobuf to typed values; what cannot become one is refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar
from uuid import UUID

from deepoj_domain.kernel.digest import content_hash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.question.listing import Level, QuestionSlug, question_slug, tag
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.queries.get_asset import AssetName
from deepoj_question.queries.paging import PageRequest, page_request
from deepoj_question.queries.ports import Search

T = TypeVar("T")

ROLES: Final[Mapping[int, Role]] = {
    common_pb2.ROLE_CONTESTANT: Role.CONTESTANT,
    common_pb2.ROLE_SETTER: Role.SETTER,
    common_pb2.ROLE_JUDGE: Role.JUDGE,
    common_pb2.ROLE_ADMIN: Role.ADMIN,
}
LEVELS: Final[Mapping[int, Level | None]] = {
    pb.LEVEL_UNSPECIFIED: None,
    pb.LEVEL_EASY: Level.EASY,
    pb.LEVEL_MEDIUM: Level.MEDIUM,
    pb.LEVEL_HARD: Level.HARD,
}
# The account of a service that acts by itself, such as one that looks up the problems of a game.
SERVICE_ACCOUNT: Final = AccountId(UUID(int=0))
_MOST_SEARCH: Final = 100
_MOST_TAGS: Final = 20
_MOST_IDS: Final = 500


def uuid(text: str, name: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidValueError(f"{name}_malformed", f"{name} is not a UUID") from None


def question_id(text: str) -> QuestionId:
    return QuestionId(uuid(text, "question_id"))


def game_id(text: str) -> GameId | None:
    return GameId(uuid(text, "game_id")) if text else None


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
    return Actor(AccountId(uuid(message.account_id, "account_id")), role)


def question_key(request: pb.GetRequest) -> QuestionId | QuestionSlug:
    match request.WhichOneof("by"):
        case "slug":
            return question_slug(request.slug)
        case _:
            return question_id(request.question_id)


def asset_name(request: pb.GetAssetRequest) -> AssetName:
    match request.WhichOneof("by"):
        case "sha256":
            return AssetName(content=content_hash(request.sha256))
        case _:
            return AssetName(name=request.name)


def page(message: common_pb2.PageRequest) -> PageRequest:
    return page_request(message.size, message.cursor)


def search(request: pb.ListRequest) -> Search:
    if len(request.search) > _MOST_SEARCH or "\0" in request.search:
        raise InvalidValueError("search_too_long", f"a search has at most {_MOST_SEARCH} characters")
    if len(request.tags) > _MOST_TAGS:
        raise InvalidValueError("too_many_tags", f"a search has at most {_MOST_TAGS} tags")
    if len(request.question_ids) > _MOST_IDS:
        raise InvalidValueError("too_many_ids", f"a search names at most {_MOST_IDS} questions")
    return Search(
        text=request.search.strip(),
        tags=frozenset(map(tag, request.tags)),
        level=enum(LEVELS, request.level, "level"),
        owner=AccountId(uuid(request.owner_id, "owner_id")) if request.owner_id else None,
        ids=frozenset(map(question_id, request.question_ids)),
    )
