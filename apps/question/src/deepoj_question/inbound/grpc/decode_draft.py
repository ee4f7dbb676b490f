"""A draft from the wire: texts, limits and tests."""

from __future__ import annotations

from typing import Final

from google.protobuf.duration_pb2 import Duration

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.allowance import Allowance, LanguageAllowance
from deepoj_domain.question.listing import Listing, question_slug, tag
from deepoj_domain.question.presentation import Presentation, Sample, Statement, StatementFormat
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.commands.draft import Draft
from deepoj_question.inbound.grpc.decode import level, statement_format
from deepoj_question.inbound.grpc.decode_tests import tests
from deepoj_question.inbound.grpc.encode import read_asset

_MICROSECONDS: Final = 1000


def draft(message: pb.Draft) -> Draft:
    return Draft(
        listing=_listing(message),
        presentation=_presentation(message),
        languages=frozenset(map(language_slug, message.languages)) or None,
        allowance=allowance(message.limits) if message.HasField("limits") else None,
        tests=tests(message.judging) if message.HasField("judging") else None,
    )


def _listing(message: pb.Draft) -> Listing:
    return Listing(
        slug=question_slug(message.slug),
        level=level(message),
        tags=frozenset(map(tag, message.tags)),
    )


def _presentation(message: pb.Draft) -> Presentation:
    return Presentation(
        statements=tuple(
            Statement(
                each.locale,
                each.title.strip(),
                each.markdown,
                statement_format(each) or StatementFormat.MARKDOWN,
                each.pdf,
            )
            for each in message.statements
        ),
        samples=tuple(Sample(each.input, each.output, each.note) for each in message.samples),
        assets=tuple(map(read_asset, message.assets)),
    )


def allowance(message: pb.Limits) -> Allowance:
    return Allowance(
        time_ms=milliseconds(message.time),
        memory_bytes=message.memory_bytes,
        output_bytes=message.output_bytes,
        stack_bytes=message.stack_bytes,
        processes=message.processes,
        source_bytes=message.source_bytes,
        per_language=tuple(
            LanguageAllowance(
                language=language_slug(each.language),
                time_ms=milliseconds(each.time),
                memory_bytes=each.memory_bytes,
            )
            for each in message.per_language
        ),
    )


def milliseconds(duration: Duration) -> int:
    if duration.ToMicroseconds() % _MICROSECONDS:
        raise InvalidValueError("time_limit_malformed", "a time limit is a whole number of milliseconds")
    return duration.ToMilliseconds()
