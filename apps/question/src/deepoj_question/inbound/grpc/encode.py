"""From views to protobuf."""

from __future__ import annotations

from typing import Final

from deepoj_domain.kernel.digest import content_hash
from deepoj_domain.kernel.paging import cursor_of
from deepoj_domain.question.allowance import Allowance, LanguageAllowance
from deepoj_domain.question.presentation import Asset
from deepoj_kit.grpc.mapping import Conversion, Mapper, Pair
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.commands.package_ports import Message
from deepoj_question.queries.get_statement import StatementView
from deepoj_question.queries.views import Catalogue, Detail, QuestionView, RevisionView, TagCount


def read_asset(message: pb.Asset) -> Asset:
    return Asset(message.name, message.content_type, content_hash(message.object.sha256), message.object.size)


def asset(value: Asset) -> pb.Asset:
    return pb.Asset(
        name=value.name,
        content_type=value.content_type,
        object=pb.ObjectRef(sha256=value.content, size=value.size),
    )


_TEXTS: Final = ("statements", "samples", "assets")
_LISTED: Final = {
    **{name: name for name in ("id", "titles", "enabled", "revision", "created_at", "updated_at", "version")},
    "owner": "owner_id",
    "listing.slug": "slug",
    "listing.level": "level",
    "listing.tags": "tags",
}
_MAPPER: Final = Mapper(
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
    Pair(pb.Limits, Allowance, names={"time_ms": "time"}),
    Pair(pb.LanguageLimits, LanguageAllowance, names={"time_ms": "time"}),
    Pair(
        pb.GetStatementResponse,
        StatementView,
        names={"question.id": "question_id", "question.listing.slug": "slug"},
    ),
    Conversion(pb.Asset, Asset, read_asset, asset),
)
allowance: Final = _MAPPER.writer(Allowance, pb.Limits)
question: Final = _MAPPER.writer(Detail, pb.Question)
revision: Final = _MAPPER.writer(RevisionView, pb.Revision)
statement: Final = _MAPPER.writer(StatementView, pb.GetStatementResponse)
message: Final = _MAPPER.writer(Message, pb.ImportMessage)
tag_count: Final = _MAPPER.writer(TagCount, pb.TagCount)
_listed: Final = _MAPPER.writer(QuestionView, pb.Question)


def catalogue(found: Catalogue) -> pb.ListResponse:
    return pb.ListResponse(
        questions=map(_listed, found.page.items),
        page=common_pb2.PageInfo(next_cursor=cursor_of(found.page.next)),
        catalogue_revision=found.revision,
    )
