"""How question's messages and types meet: by the names of their fields, and here is where these differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from google.protobuf.duration_pb2 import Duration

from deepoj_domain.kernel.digest import content_hash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import GameId, QuestionId
from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.kernel.paging import PageRequest, cursor_of, page_request
from deepoj_domain.kernel.role import Actor, acting
from deepoj_domain.question.limits import Allowance, LanguageAllowance
from deepoj_domain.question.listing import QuestionSlug, Tag, question_slug, tag
from deepoj_domain.question.presentation import Asset, Statement, StatementFormat
from deepoj_kit.grpc.mapping import Conversion, Mapper, Members, Pair
from deepoj_packages.options import Dialect, ExportFormat
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.commands.draft import CheckedSuite, Draft
from deepoj_question.commands.package_ports import Message, Progress
from deepoj_question.commands.relist import ListingChange
from deepoj_question.inbound.grpc.judge_specs import read_tests
from deepoj_question.queries.export_package import ArchiveFormat
from deepoj_question.queries.get_asset import AssetName
from deepoj_question.queries.get_case_file import CaseFile
from deepoj_question.queries.get_statement import StatementView
from deepoj_question.queries.ports import Search
from deepoj_question.queries.views import Catalogue, Detail, QuestionView, RevisionView, TagCount

_MOST_SEARCH: Final = 100
_MOST_TAGS: Final = 20
_MOST_IDS: Final = 10_000
_MOST_LOCALE: Final = 44
_MICROSECONDS: Final = 1000


def _statement(
    locale: str,
    title: str,
    markdown: str,
    format: StatementFormat | None,  # noqa: A002 — the attribute
    pdf: str,
) -> Statement:
    return Statement(locale, title.strip(), markdown, format or StatementFormat.MARKDOWN, pdf)


def _read_asset(message: pb.Asset) -> Asset:
    return Asset(message.name, message.content_type, content_hash(message.object.sha256), message.object.size)


def asset(value: Asset) -> pb.Asset:
    return pb.Asset(
        name=value.name,
        content_type=value.content_type,
        object=pb.ObjectRef(sha256=value.content, size=value.size),
    )


def _read_tags(message: pb.Tags) -> frozenset[Tag]:
    return frozenset(map(tag, message.names))


def _milliseconds(duration: Duration) -> int:
    if duration.ToMicroseconds() % _MICROSECONDS:
        raise InvalidValueError("time_limit_malformed", "a time limit is a whole number of milliseconds")
    return duration.ToMilliseconds()


_LISTING: Final = ("slug", "level", "tags")
_TEXTS: Final = ("statements", "samples", "assets")
_LISTED: Final = {
    **{name: name for name in ("id", "titles", "enabled", "revision", "created_at", "updated_at", "version")},
    **{f"listing.{name}": name for name in _LISTING},
    "owner": "owner_id",
}
MAPPER: Final = Mapper(
    Pair(common_pb2.Actor, Actor, made_by=acting),
    Members(common_pb2.Role.DESCRIPTOR, none=("GUEST",)),
    Pair(common_pb2.PageRequest, PageRequest, made_by=page_request),
    Pair(
        pb.ListRequest,
        Search,
        names={"text": "search", "owner": "owner_id", "ids": "question_ids", "excluded": "excluded_ids"},
        unmapped=("actor", "page"),
    ),
    Pair(
        pb.Draft,
        Draft,
        names={
            **{f"listing.{name}": name for name in _LISTING},
            **{f"presentation.{name}": name for name in _TEXTS},
            "allowance": "limits",
            "tests": "judging",
        },
    ),
    Pair(pb.Statement, Statement, made_by=_statement),
    Conversion(pb.Asset, Asset, _read_asset, asset),
    Pair(pb.Limits, Allowance, names={"time_ms": "time"}),
    Pair(pb.LanguageLimits, LanguageAllowance, names={"time_ms": "time"}),
    Conversion(Duration, int, read=_milliseconds),
    Conversion(pb.JudgeSpec, CheckedSuite, read=read_tests),
    Pair(pb.RelistRequest, ListingChange, unmapped=("actor", "question_id", "version")),
    Conversion(pb.Tags, frozenset[Tag], read=_read_tags),
    Pair(pb.Question, QuestionView, names=_LISTED, unmapped=(*_TEXTS, "limits", "languages")),
    Pair(
        pb.Question,
        Detail,
        names={
            **{f"question.{path}": field for path, field in _LISTED.items()},
            **{f"presentation.{name}": name for name in ("title", *_TEXTS)},
            "allowance": "limits",
        },
    ),
    Pair(
        pb.GetStatementResponse,
        StatementView,
        names={"question.id": "question_id", "question.listing.slug": "slug"},
    ),
    parse={Tag: tag, QuestionSlug: question_slug, LanguageSlug: language_slug},
    error=InvalidValueError,
)

actor: Callable[[common_pb2.Actor], Actor | None] = MAPPER.reader(common_pb2.Actor, Actor)
page: Final = MAPPER.reader(common_pb2.PageRequest, PageRequest)
question_id: Final = MAPPER.id("question_id", QuestionId)
draft: Final = MAPPER.reader(pb.Draft, Draft)
listing_change: Final = MAPPER.reader(pb.RelistRequest, ListingChange)
case_file: Final = MAPPER.field(pb.GetCaseFileRequest, "file", CaseFile)
import_id: Final = MAPPER.optional_field(pb.ImportHeader, "question_id", QuestionId)
import_slug: Final = MAPPER.optional_field(pb.ImportHeader, "slug", QuestionSlug)
import_format: Final = MAPPER.optional_field(pb.ImportHeader, "format", ArchiveFormat)
import_dialect: Final = MAPPER.optional_field(pb.ImportHeader, "dialect", Dialect)
export_archive: Final = MAPPER.optional_field(pb.ExportPackageRequest, "format", ArchiveFormat)
export_format: Final = MAPPER.optional_field(pb.ExportPackageRequest, "package_format", ExportFormat)
_game_id: Final = MAPPER.id("game_id", GameId)
_search: Final = MAPPER.reader(pb.ListRequest, Search)

allowance: Final = MAPPER.writer(Allowance, pb.Limits)
question: Final = MAPPER.writer(Detail, pb.Question)
revision: Final = MAPPER.writer(RevisionView, pb.Revision)
statement: Final = MAPPER.writer(StatementView, pb.GetStatementResponse)
message: Final = MAPPER.writer(Message, pb.ImportMessage)
progress: Final = MAPPER.writer(Progress, pb.ImportProgress)
tag_count: Final = MAPPER.writer(TagCount, pb.TagCount)
_listed: Final = MAPPER.writer(QuestionView, pb.Question)


def game_id(text: str) -> GameId | None:
    return _game_id(text) if text else None


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


def catalogue(found: Catalogue) -> pb.ListResponse:
    return pb.ListResponse(
        questions=map(_listed, found.page.items),
        page=common_pb2.PageInfo(next_cursor=cursor_of(found.page.next)),
        catalogue_revision=found.revision,
    )
