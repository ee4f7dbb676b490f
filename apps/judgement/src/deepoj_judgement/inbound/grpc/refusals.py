"""Our errors as status codes, mapped once."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.submission.retry import Failure
from deepoj_judgement.commands.judge.errors import JudgingFailedError
from deepoj_judgement.commands.setter.errors import SetterFailedError
from deepoj_judgement.commands.setter.verify_revision import VerificationBusyError
from deepoj_judgement.commands.worker.slots import HostBusyError
from deepoj_kit.grpc import Kind, Refusal, RemoteError
from deepoj_packages.refusal import PackageRefusedError

_SOON: Final = timedelta(seconds=5)
_LATER: Final = timedelta(seconds=30)
_REFUSED: Final = frozenset({Kind.INVALID, Kind.NOT_FOUND, Kind.FORBIDDEN, Kind.PRECONDITION})


def translate(error: Exception) -> Refusal | None:
    if isinstance(error, InvalidValueError):
        return Refusal(Kind.INVALID, error.code, str(error))
    if isinstance(error, HostBusyError):
        return Refusal(Kind.EXHAUSTED, "judge_host_busy", str(error), _SOON)
    if isinstance(error, JudgingFailedError):
        return Refusal(_kind(error.failure), error.failure, error.detail)
    return _not_verified(error)


def _not_verified(error: Exception) -> Refusal | None:
    if isinstance(error, VerificationBusyError):
        return Refusal(Kind.EXHAUSTED, "verification_under_way", str(error), _LATER)
    if isinstance(error, PackageRefusedError | SetterFailedError):
        return Refusal(Kind.PRECONDITION, f"package_{error.reason}", str(error))
    if isinstance(error, RemoteError) and error.kind in _REFUSED:
        # What question does not let a caller export, it does not let them verify.
        return Refusal(error.kind, error.reason, error.message)
    return None


def _kind(failure: Failure) -> Kind:
    match failure:
        case Failure.UNKNOWN_LANGUAGE | Failure.POLICY_VIOLATION:
            return Kind.INVALID
        case Failure.MALFORMED_JOB:
            return Kind.NOT_FOUND
        case Failure.LANGUAGE_NOT_INSTALLED | Failure.NOT_ENOUGH_MEMORY:
            return Kind.PRECONDITION
        case (
            Failure.INFRASTRUCTURE
            | Failure.SANDBOX_CRASH
            | Failure.STORE_UNAVAILABLE
            | Failure.WORKER_DRAINING
        ):
            return Kind.UNAVAILABLE
