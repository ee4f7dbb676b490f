"""From views to protobuf."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_domain.question.allowance import Allowance
from deepoj_domain.question.listing import Level
from deepoj_domain.question.presentation import Asset
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.inbound.grpc.decode import LEVELS
from deepoj_question.queries.paging import cursor_of
from deepoj_question.queries.views import Catalogue, Detail, QuestionView, RevisionView

LEVEL_OF: Final[Mapping[Level | None, pb.Level.ValueType]] = {
    level: pb.Level.ValueType(number) for number, level in LEVELS.items()
}


def timestamp(moment: datetime) -> Timestamp:
    made = Timestamp()
    made.FromDatetime(moment)
    return made


def duration(milliseconds: int) -> Duration:
    made = Duration()
    made.FromMilliseconds(milliseconds)
    return made


def listed(view: QuestionView) -> pb.Question:
    return pb.Question(
        id=str(view.id),
        slug=view.listing.slug,
        owner_id=str(view.owner),
        enabled=view.enabled,
        revision=view.revision,
        title=view.title,
        level=LEVEL_OF[view.listing.level],
        tags=sorted(view.listing.tags),
        created_at=timestamp(view.created_at),
        updated_at=timestamp(view.updated_at),
        version=view.version,
    )


def question(detail: Detail) -> pb.Question:
    made = listed(detail.question)
    presentation = detail.presentation
    made.title = presentation.title
    made.statements.extend(
        pb.Statement(locale=each.locale, title=each.title, markdown=each.markdown)
        for each in presentation.statements
    )
    made.samples.extend(
        pb.Sample(input=each.input, output=each.output, note=each.note) for each in presentation.samples
    )
    made.assets.extend(map(asset, presentation.assets))
    made.limits.CopyFrom(limits(detail.allowance))
    made.languages.extend(sorted(detail.languages or ()))
    return made


def asset(value: Asset) -> pb.Asset:
    return pb.Asset(
        name=value.name,
        content_type=value.content_type,
        object=pb.ObjectRef(sha256=value.content, size=value.size),
    )


def limits(allowance: Allowance) -> pb.Limits:
    return pb.Limits(
        time=duration(allowance.time_ms),
        memory_bytes=allowance.memory_bytes,
        output_bytes=allowance.output_bytes,
        stack_bytes=allowance.stack_bytes,
        processes=allowance.processes,
        source_bytes=allowance.source_bytes,
        per_language=[
            pb.LanguageLimits(
                language=each.language, time=duration(each.time_ms), memory_bytes=each.memory_bytes
            )
            for each in allowance.per_language
        ],
    )


def catalogue(found: Catalogue) -> pb.ListResponse:
    return pb.ListResponse(
        questions=[listed(view) for view in found.questions],
        page=common_pb2.PageInfo(next_cursor=cursor_of(found.next)),
        catalogue_revision=found.revision,
    )


def revision(view: RevisionView) -> pb.Revision:
    return pb.Revision(
        number=view.number,
        made_by=str(view.made_by),
        made_at=timestamp(view.made_at),
        judge_hash=view.judge_hash,
    )
