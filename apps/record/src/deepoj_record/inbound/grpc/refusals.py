"""Refusals and failures as one status code each, with a machine-readable reason."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Final, NoReturn

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_kit.grpc import Kind, Refusal, Translation, refuse
from deepoj_record.commands.drains import DrainRefusal
from deepoj_record.commands.ports import ContendedError, EntryRefused, GameAwayError, QuestionAwayError
from deepoj_record.commands.rejudge_ports import RejudgeRefusal
from deepoj_record.commands.submit import SubmitRefusal
from deepoj_record.queries.access import QueryRefusal
from deepoj_record.queries.join_host import JoinRefusal

_SOON: Final = timedelta(seconds=5)
# By reason: the same word means the same whichever command says it.
_MESSAGES: Final[Mapping[str, tuple[Kind, str]]] = {
    SubmitRefusal.UNKNOWN_QUESTION: (Kind.NOT_FOUND, "there is no such question"),
    SubmitRefusal.UNKNOWN_LANGUAGE: (Kind.INVALID, "there is no language {detail}"),
    SubmitRefusal.LANGUAGE_NOT_INSTALLED: (Kind.PRECONDITION, "no judge host has {detail}"),
    SubmitRefusal.LANGUAGE_NOT_ALLOWED: (Kind.INVALID, "the question does not take this language"),
    SubmitRefusal.IDEMPOTENCY_KEY_REUSED: (Kind.CONFLICT, "the key was used for another submission"),
    SubmitRefusal.SUBMISSION_ID_TAKEN: (Kind.CONFLICT, "the submission id is taken"),
    SubmitRefusal.NOT_SUBMITTED: (Kind.NOT_FOUND, "no such submission had come before"),
    SubmissionRefusal.NOT_FOUND: (Kind.NOT_FOUND, "there is no such submission or rejudge"),
    SubmissionRefusal.NOT_OWNER: (Kind.FORBIDDEN, "only the owner and admins may do this"),
    SubmissionRefusal.IN_A_CONTEST: (Kind.FORBIDDEN, "what was sent to a contest only an admin may cancel"),
    SubmissionRefusal.ALREADY_FINISHED: (Kind.PRECONDITION, "the submission is over"),
    SubmissionRefusal.NOT_IN_EXPECTED_STATE: (Kind.PRECONDITION, "the submission is in another state"),
    SubmissionRefusal.NOT_HEAD: (Kind.PRECONDITION, "another submission has taken its place"),
    RejudgeRefusal.NOT_ALLOWED: (Kind.FORBIDDEN, "this is not for you"),
    RejudgeRefusal.SELECTS_EVERYTHING: (Kind.INVALID, "a rejudge needs at least one restriction"),
    RejudgeRefusal.SELECTS_NOTHING: (Kind.NOT_FOUND, "nothing judged is selected"),
    RejudgeRefusal.TOO_MANY: (Kind.INVALID, "more submissions are selected than one rejudge may have"),
    RejudgeRefusal.ALLOWANCE_SPENT: (
        Kind.EXHAUSTED,
        "{detail} submissions of a day are used up; select fewer, wait, or ask a judge of the site",
    ),
    RejudgeRefusal.REJUDGE_ID_REUSED: (Kind.CONFLICT, "the rejudge id was used for another selection"),
    RejudgeRefusal.ALREADY_CLOSED: (Kind.PRECONDITION, "the rejudge was applied or discarded"),
    RejudgeRefusal.STILL_OPENING: (
        Kind.PRECONDITION,
        "the rejudge is still being opened, {detail} submissions so far; look at it and try again",
    ),
    RejudgeRefusal.STILL_JUDGING: (Kind.PRECONDITION, "some are still being judged: {detail}"),
    DrainRefusal.NOT_DRAINED: (Kind.NOT_FOUND, "no worker or host was drained under the name {detail}"),
    JoinRefusal.UNKNOWN_HOST: (
        Kind.FORBIDDEN,
        "this is the credential of no judge host, or not any more: `deepoj worker invite NAME` makes one",
    ),
    JoinRefusal.NOT_PREPARED: (
        Kind.PRECONDITION,
        "the operator has not said what judge hosts elsewhere use: record lacks {detail}",
    ),
    QueryRefusal.SIGN_IN_REQUIRED: (Kind.FORBIDDEN, "guests may not see this"),
}


def raise_refusal(refused: Refused[StrEnum]) -> NoReturn:
    kind, message = _MESSAGES.get(refused.reason, (Kind.PRECONDITION, "the submission does not allow this"))
    refuse(kind, refused.reason, message.replace("{detail}", refused.detail))


def raise_entry_refusal(refused: EntryRefused) -> NoReturn:
    refuse(Kind(refused.kind), refused.reason, refused.message)


translate: Final = Translation(
    InvalidValueError,
    {
        ContendedError: Refusal(Kind.UNAVAILABLE, "contended", "others keep changing this; try again"),
        GameAwayError: Refusal(
            Kind.UNAVAILABLE,
            "game_unavailable",
            "the game service does not answer, so nobody knows whether you may submit; try again",
            _SOON,
        ),
        QuestionAwayError: Refusal(
            Kind.UNAVAILABLE,
            "question_unavailable",
            "the question service does not answer, so nobody knows what to judge by; try again",
            _SOON,
        ),
    },
)
