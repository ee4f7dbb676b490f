"""From protobuf to typed values; what cannot become one is refused by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from re import compile as pattern
from typing import Final, TypeVar
from uuid import UUID

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId, WorkerId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.states import Status
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.queries.paging import PageRequest, page_request

T = TypeVar("T")

ROLES: Final[Mapping[int, Role]] = {
    common_pb2.ROLE_CONTESTANT: Role.CONTESTANT,
    common_pb2.ROLE_SETTER: Role.SETTER,
    common_pb2.ROLE_JUDGE: Role.JUDGE,
    common_pb2.ROLE_ADMIN: Role.ADMIN,
}
VERDICTS: Final[Mapping[int, Verdict]] = {
    judging_pb2.VERDICT_ACCEPTED: Verdict.ACCEPTED,
    judging_pb2.VERDICT_WRONG_ANSWER: Verdict.WRONG_ANSWER,
    judging_pb2.VERDICT_PRESENTATION_ERROR: Verdict.PRESENTATION_ERROR,
    judging_pb2.VERDICT_TIME_LIMIT_EXCEEDED: Verdict.TIME_LIMIT,
    judging_pb2.VERDICT_MEMORY_LIMIT_EXCEEDED: Verdict.MEMORY_LIMIT,
    judging_pb2.VERDICT_OUTPUT_LIMIT_EXCEEDED: Verdict.OUTPUT_LIMIT,
    judging_pb2.VERDICT_RUNTIME_ERROR: Verdict.RUNTIME_ERROR,
    judging_pb2.VERDICT_COMPILE_ERROR: Verdict.COMPILE_ERROR,
    judging_pb2.VERDICT_SYSTEM_ERROR: Verdict.SYSTEM_ERROR,
}
STATUSES: Final[Mapping[int, Status]] = {
    record_pb2.Status.Value(f"STATUS_{status.name}"): status for status in Status
}
FAILURES: Final[Mapping[int, Failure]] = {
    record_pb2.Failure.Value(f"FAILURE_{failure.name}"): failure for failure in Failure
}
# The account of a service that acts by itself, such as a recompute after an outage.
SERVICE_ACCOUNT: Final = AccountId(UUID(int=0))
_WORKER: Final = pattern(r"[\x21-\x7e]{1,128}")
_MOST_JOBS: Final = 256


def uuid(text: str, name: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidValueError(f"{name}_malformed", f"{name} is not a UUID") from None


def submission_id(text: str) -> SubmissionId:
    return SubmissionId(uuid(text, "submission_id"))


def account_id(text: str) -> AccountId:
    return AccountId(uuid(text, "account_id"))


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
    return Actor(account_id(message.account_id), role)


def worker(text: str) -> WorkerId:
    if not _WORKER.fullmatch(text):
        raise InvalidValueError("worker_malformed", "a worker's name is 1 to 128 visible ASCII characters")
    return WorkerId(text)


def batch_size(size: int) -> None:
    if not 0 < size <= _MOST_JOBS:
        raise InvalidValueError("batch_size", f"a batch has 1 to {_MOST_JOBS} jobs")


def job_ids(texts: Iterable[str]) -> list[SubmissionId]:
    ids = [SubmissionId(uuid(text, "job_id")) for text in texts]
    batch_size(len(ids))
    if len(set(ids)) < len(ids):
        raise InvalidValueError("job_twice", "a job may be in a batch once")
    return ids


def moment(parent: Message, field: str) -> datetime | None:
    if not parent.HasField(field):
        return None
    value: Timestamp = getattr(parent, field)
    try:
        return value.ToDatetime(UTC)
    except ValueError as error:
        raise InvalidValueError(f"{field}_malformed", f"{field} is not a moment") from error


def page(message: common_pb2.PageRequest) -> PageRequest:
    return page_request(message.size, message.cursor)


def selection(message: record_pb2.SubmissionFilter) -> Selection:
    return Selection(
        account_id=account_id(message.account_id) if message.account_id else None,
        question_id=question_id(message.question_id) if message.question_id else None,
        game_id=game_id(message.game_id),
        language=language_slug(message.language) if message.language else None,
        statuses=frozenset(enum(STATUSES, each, "status") for each in message.statuses),
        verdicts=frozenset(enum(VERDICTS, each, "verdict") for each in message.verdicts),
        submitted_from=moment(message, "submitted_from"),
        submitted_before=moment(message, "submitted_before"),
    )
