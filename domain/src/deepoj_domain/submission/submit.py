"""– → PENDING: what was sent, whether it had come before, and the submission it becomes."""

from dataclasses import dataclass, field
from datetime import datetime
from re import compile as pattern
from typing import NewType

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.events import QueueCause, SubmissionSubmitted, facts_of
from deepoj_domain.submission.queue import queued
from deepoj_domain.submission.route import Route
from deepoj_domain.submission.states import Pending
from deepoj_domain.submission.submission import Order, Submission

DEFAULT_LIMIT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class SourceCode:
    """What a contestant sent. It has no place in an event, a log line or Redis, so `repr` hides it."""

    text: str = field(repr=False)
    hash: ContentHash

    @classmethod
    def parse(cls, text: str, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> "SourceCode":
        if not text.strip():
            raise InvalidValueError("source_empty", "the source code is empty")
        if "\0" in text:
            raise InvalidValueError("source_has_nul", "the source code contains a NUL byte")
        try:
            encoded = text.encode()
        except UnicodeEncodeError as error:
            raise InvalidValueError(
                "source_not_unicode", "the source code is not valid Unicode text"
            ) from error
        _measure(encoded, limit_bytes)
        return cls(text, hash_of(encoded))

    def require_within(self, limit_bytes: int) -> None:
        _measure(self.text.encode(), limit_bytes)


def _measure(encoded: bytes, limit_bytes: int) -> None:
    if len(encoded) > limit_bytes:
        raise InvalidValueError("source_too_large", f"the source code is larger than {limit_bytes} bytes")


# Chosen by the client and unique per account. The same key with the same request is the same submission;
# with another request it is a conflict.
IdempotencyKey = NewType("IdempotencyKey", str)

_KEY = pattern(r"[\x21-\x7e]{1,128}")


def idempotency_key(text: str) -> IdempotencyKey:
    if not _KEY.fullmatch(text):
        raise InvalidValueError("idempotency_key_malformed", "the key is 1 to 128 visible ASCII characters")
    return IdempotencyKey(text)


def fingerprint(order: Order) -> ContentHash:
    """Neither time nor revision number counts: a resend is later, and may meet a newer revision."""
    parts = (order.account_id, order.game_id, order.revision.question_id, order.language, order.code)
    return hash_of("\n".join(str(part) for part in parts).encode())


def submit(submission_id: SubmissionId, order: Order, route: Route, now: datetime) -> Changed[Submission]:
    submission = Submission(
        id=submission_id, origin_id=submission_id, order=order, route=route, state=Pending(), message_due=now
    )
    submitted = SubmissionSubmitted(occurred_at=now, submission=facts_of(submission))
    return Changed(submission, (submitted, queued(submission, QueueCause.SUBMITTED, now)))
