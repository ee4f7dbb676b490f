"""Our errors as status codes, mapped once."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.submission.retry import Failure
from deepoj_judgement.commands.judge.errors import JudgingFailedError
from deepoj_judgement.commands.worker.slots import HostBusyError
from deepoj_kit.grpc import Kind, Refusal

_SOON: Final = timedelta(seconds=5)


def translate(error: Exception) -> Refusal | None:
    if isinstance(error, InvalidValueError):
        return Refusal(Kind.INVALID, error.code, str(error))
    if isinstance(error, HostBusyError):
        return Refusal(Kind.EXHAUSTED, "judge_host_busy", str(error), _SOON)
    if isinstance(error, JudgingFailedError):
        return Refusal(_kind(error.failure), error.failure, error.detail)
    return None


def _kind(failure: Failure) -> Kind:
    match failure:
        case Failure.UNKNOWN_LANGUAGE | Failure.POLICY_VIOLATION:
            return Kind.INVALID
        case Failure.MALFORMED_JOB:
            return Kind.NOT_FOUND
        case Failure.LANGUAGE_NOT_INSTALLED:
            return Kind.PRECONDITION
        case (
            Failure.INFRASTRUCTURE
            | Failure.SANDBOX_CRASH
            | Failure.STORE_UNAVAILABLE
            | Failure.WORKER_DRAINING
        ):
            return Kind.UNAVAILABLE
