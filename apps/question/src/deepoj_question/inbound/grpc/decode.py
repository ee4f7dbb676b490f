"""From protobuf to typed values; what cannot become one is refused by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeVar

from deepoj_domain.kernel.digest import content_hash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import GameId, QuestionId
from deepoj_domain.kernel.paging import PageRequest, page_request
from deepoj_domain.kernel.role import Actor, acting
from deepoj_domain.question.listing import Level, QuestionSlug, Tag, question_slug, tag
from deepoj_domain.question.presentation import StatementFormat
from deepoj_kit.grpc.mapping import Mapper, Members, Pair
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.commands.relist import ListingChange
from deepoj_question.queries.get_asset import AssetName
from deepoj_question.queries.ports import Search

T = TypeVar("T")
_MOST_SEARCH: Final = 100
_MOST_TAGS: Final = 20
_MOST_IDS: Final = 10_000
_MOST_LOCALE: Final = 44
_MAPPER: Final = Mapper(
    Pair(common_pb2.Actor, Actor, made_by=acting),
    Members(common_pb2.Role.DESCRIPTOR, none=("GUEST",)),
    Pair(common_pb2.PageRequest, PageRequest, made_by=page_request),
    Pair(
        pb.ListRequest,
        Search,
        names={"text": "search", "owner": "owner_id", "ids": "question_ids", "excluded": "excluded_ids"},
        unmapped=("actor", "page"),
    ),
    parse={Tag: tag},
    error=InvalidValueError,
)
actor: Callable[[common_pb2.Actor], Actor | None] = _MAPPER.reader(common_pb2.Actor, Actor)
page: Final = _MAPPER.reader(common_pb2.PageRequest, PageRequest)
question_id: Final = _MAPPER.id("question_id", QuestionId)
statement_format: Final = _MAPPER.optional_field(pb.Statement, "format", StatementFormat)
level: Final = _MAPPER.optional_field(pb.Draft, "level", Level)
_new_level: Final = _MAPPER.optional_field(pb.RelistRequest, "level", Level)
_game_id: Final = _MAPPER.id("game_id", GameId)
_search: Final = _MAPPER.reader(pb.ListRequest, Search)


def game_id(text: str) -> GameId | None:
    return _game_id(text) if text else None


def enum(table: Mapping[int, T], value: int, name: str) -> T:
    if value not in table:
        raise InvalidValueError(f"{name}_unknown", f"{name} has no value {value}")
    return table[value]


def question_key(request: pb.GetRequest | pb.GetStatementRequest) -> QuestionId | QuestionSlug:
    match request.WhichOneof("by"):
        case "slug":
            return question_slug(request.slug)
        case _:
            return question_id(request.question_id)


def locale(text: str) -> str:
    if len(text) > _MOST_LOCALE:
        raise InvalidValueError("locale_malformed", f"a locale has at most {_MOST_LOCALE} characters")
    return text


def asset_name(request: pb.GetAssetRequest) -> AssetName:
    match request.WhichOneof("by"):
        case "sha256":
            return AssetName(content=content_hash(request.sha256))
        case _:
            return AssetName(name=request.name)


def search(request: pb.ListRequest) -> Search:
    if len(request.search) > _MOST_SEARCH or "\0" in request.search:
        raise InvalidValueError("search_too_long", f"a search has at most {_MOST_SEARCH} characters")
    if len(request.tags) > _MOST_TAGS:
        raise InvalidValueError("too_many_tags", f"a search has at most {_MOST_TAGS} tags")
    if max(len(request.question_ids), len(request.excluded_ids), len(request.solvers)) > _MOST_IDS:
        raise InvalidValueError("too_many_ids", f"a search names at most {_MOST_IDS} questions")
    if request.sort == pb.SORT_UNSPECIFIED:
        request.sort = pb.SORT_OLDEST
    return replace(_search(request), text=request.search.strip())


def listing_change(request: pb.RelistRequest) -> ListingChange:
    return ListingChange(
        slug=question_slug(request.slug) if request.HasField("slug") else None,
        level=_new_level(request),
        without_level=request.without_level,
        tags=frozenset(map(tag, request.tags.names)) if request.HasField("tags") else None,
    )
