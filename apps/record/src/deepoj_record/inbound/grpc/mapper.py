"""How record's messages and types meet: by the names of their fields, and here is where these differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from re import compile as pattern
from typing import Final

from deepoj_domain.judgement.result import GroupScore, JudgeResult
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, RejudgeId, SubmissionId, WorkerId
from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.kernel.paging import PageRequest, Position, cursor_of, page_request
from deepoj_domain.kernel.role import Actor, acting
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Abilities, Needs
from deepoj_domain.submission.selection import Selection
from deepoj_kit.grpc.mapping import Conversion, Mapper, Members, Pair
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.commands.claim import Granted
from deepoj_record.commands.close_rejudge import RejudgeClosed
from deepoj_record.commands.heartbeat import AttemptRef
from deepoj_record.commands.report_failure import FailedAttempt
from deepoj_record.commands.start_rejudge import RejudgeStarted
from deepoj_record.inbound.grpc.judge_results import write_result
from deepoj_record.queries.explain import Explanation
from deepoj_record.queries.join_host import HostSettings, Joined
from deepoj_record.queries.ports import (
    DeadLetter,
    DeadLetterGroup,
    EffectView,
    Progress,
    QueueDepth,
    RejudgeView,
)
from deepoj_record.queries.read_log import LogName
from deepoj_record.queries.views import SubmissionView
from deepoj_record.queries.workload import Workload

_WORKER: Final = pattern(r"[\x21-\x7e]{1,128}")
_MOST_JOBS: Final = 256
_GROUP: Final = pattern(r"[0-9a-f]{32}")


def _failed_attempt(
    attempt: AttemptRef, failure: Failure, error: str, needs: Needs | None = None
) -> FailedAttempt:
    """PostgreSQL stores no NUL, and a message of an error may have one."""
    return FailedAttempt(attempt.submission_id, attempt.attempt_id, failure, error.replace("\0", ""), needs)


MAPPER: Final = Mapper(
    Pair(common_pb2.Actor, Actor, made_by=acting),
    Members(common_pb2.Role.DESCRIPTOR, none=("GUEST",)),
    Pair(common_pb2.PageRequest, PageRequest, made_by=page_request),
    Conversion(judging_pb2.JudgeResult, JudgeResult, write=write_result),
    Pair(judging_pb2.GroupResult, GroupScore, names={"group": "name"}),
    Pair(record_pb2.SubmissionFilter, Selection, unmapped=("submission_id", "with_archived")),
    Pair(
        record_pb2.Submission,
        SubmissionView,
        names={
            "revision.question_id": "question_id",
            "revision.number": "question_revision",
            "is_head": "is_head",
            "full_reason": "reason",
        },
        unmapped=(
            "standing", "route", "reason", "last_error", "lease_owner", "lease_until", "message_due",
            "source",
        ),
    ),
    Pair(
        record_pb2.ExplainResponse,
        Explanation,
        names={
            "submission.status": "status",
            "submission.route.lane": "lane",
            "submission.route.band": "band",
            "submission.lease_owner": "lease_owner",
            "submission.lease_until": "lease_until",
        },
    ),
    Pair(record_pb2.GetLogRequest, LogName, unmapped=("actor", "submission_id")),
    Pair(record_pb2.QueueDepth, QueueDepth, names={"route.lane": "lane", "route.band": "band"}),
    Pair(
        record_pb2.GetWorkloadResponse,
        Workload,
        names={
            "rates.per_minute": "per_minute",
            "rates.wait_p50": "wait_p50",
            "rates.wait_p95": "wait_p95",
        },
    ),
    Pair(record_pb2.Rejudge, RejudgeView, names={"status": "state"}),
    Pair(
        record_pb2.PreviewRejudgeResponse,
        Progress,
        names={"status": "state"},
        unmapped=("effects", "page", "matrix", "selection", "game_id", "games"),
    ),
    Pair(
        record_pb2.RejudgeEffect,
        EffectView,
        names={"old_id": "old_submission_id", "new_id": "new_submission_id", "groups": "new_groups"},
        unmapped=("submitted_at",),
    ),
    Pair(
        record_pb2.StartRejudgeResponse, RejudgeStarted, names={"status": "state"}, unmapped=("rejudge_id",)
    ),
    Pair(record_pb2.ApplyRejudgeResponse, RejudgeClosed, names={"status": "state"}),
    Pair(
        record_pb2.DiscardRejudgeResponse,
        RejudgeClosed,
        names={"dropped": "discarded", "status": "state"},
        unmapped=("applied",),
    ),
    Pair(record_pb2.DeadLetter, DeadLetter, names={"cause": "reason"}),
    Pair(record_pb2.DeadLetterGroup, DeadLetterGroup, names={"cause": "reason"}),
    Pair(
        record_pb2.JoinHostResponse,
        Joined,
        names={
            f"settings.{each.name}": each.name for each in fields(HostSettings) if each.name != "redis_own"
        },
    ),
    Pair(record_pb2.AttemptRef, AttemptRef, names={"submission_id": "job_id"}),
    Pair(record_pb2.FailedJob, FailedAttempt, made_by=_failed_attempt),
    Pair(
        record_pb2.ClaimedJob,
        Granted,
        names={
            "submission.attempt_id": "attempt_id",
            "submission.order.revision.question_id": "question_id",
            "submission.order.revision.number": "question_revision",
            "submission.order.language": "language",
            "submission.order.game_id": "game_id",
            "submission.is_fresh": "fresh",
            "leased_until": "lease_until",
            "payload.source": "source",
            "payload.traceparent": "traceparent",
        },
    ),
    parse={LanguageSlug: language_slug},
    error=InvalidValueError,
)  # fmt: skip

actor: Final[Callable[[common_pb2.Actor], Actor | None]] = MAPPER.reader(common_pb2.Actor, Actor)
"""None is a guest."""
page: Final = MAPPER.reader(common_pb2.PageRequest, PageRequest)
selection: Final = MAPPER.reader(record_pb2.SubmissionFilter, Selection)
submission: Final = MAPPER.writer(SubmissionView, record_pb2.Submission)
submission_id: Final = MAPPER.id("submission_id", SubmissionId)
account_id: Final = MAPPER.id("account_id", AccountId)
question_id: Final = MAPPER.id("question_id", QuestionId)
rejudge_id: Final = MAPPER.id("rejudge_id", RejudgeId)
abilities: Final[Callable[[record_pb2.Abilities], Abilities]] = MAPPER.reader(record_pb2.Abilities, Abilities)
_game_id: Final = MAPPER.id("game_id", GameId)
_job_id: Final = MAPPER.id("job_id", SubmissionId)


def game_id(text: str) -> GameId | None:
    return _game_id(text) if text else None


def dead_letter_group(text: str) -> str:
    """Empty: none is named."""
    if text and _GROUP.fullmatch(text) is None:
        raise InvalidValueError("group_malformed", "a group is named as the list of groups names it")
    return text


def worker(text: str) -> WorkerId:
    if not _WORKER.fullmatch(text):
        raise InvalidValueError("worker_malformed", "a worker's name is 1 to 128 visible ASCII characters")
    return WorkerId(text)


def require_batch(size: int) -> None:
    if not 0 < size <= _MOST_JOBS:
        raise InvalidValueError("batch_size", f"a batch has 1 to {_MOST_JOBS} jobs")


def job_ids(texts: Iterable[str]) -> list[SubmissionId]:
    ids = [_job_id(text) for text in texts]
    require_batch(len(ids))
    if len(set(ids)) < len(ids):
        raise InvalidValueError("job_twice", "a job may be in a batch once")
    return ids


def page_info(position: Position | None) -> common_pb2.PageInfo:
    return common_pb2.PageInfo(next_cursor=cursor_of(position))
