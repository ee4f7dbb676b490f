"""What a caller of Run or Verify is told when this host cannot serve it."""

from __future__ import annotations

import pytest

from deepoj_judgement.commands.judge.errors import (
    LanguageNotInstalledError,
    StoreFailedError,
    UnknownLanguageError,
)
from deepoj_judgement.commands.setter.verify_revision import VerificationBusyError
from deepoj_judgement.commands.worker.slots import HostBusyError
from deepoj_judgement.inbound.grpc.refusals import translate
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_packages.refusal import PackageRefusedError, Reason


@pytest.mark.parametrize(
    ("error", "kind", "reason", "told"),
    [
        (LanguageNotInstalledError("go", "golang"), Kind.PRECONDITION, "language_not_installed", "golang"),
        (UnknownLanguageError("cobol"), Kind.INVALID, "unknown_language", "cobol"),
        (StoreFailedError("s3 is away"), Kind.UNAVAILABLE, "store_unavailable", "s3 is away"),
        (HostBusyError(16), Kind.EXHAUSTED, "judge_host_busy", "try again later"),
        (VerificationBusyError(), Kind.EXHAUSTED, "verification_under_way", "try again"),
        (PackageRefusedError(Reason.TOO_LARGE, "5 GiB"), Kind.PRECONDITION, "package_too_large", "5 GiB"),
        (RemoteError(Kind.NOT_FOUND, "not_found", "no such"), Kind.NOT_FOUND, "not_found", "no such"),
    ],
)
def test_a_refusal_names_its_reason_and_what_to_do(
    error: Exception, kind: Kind, reason: str, told: str
) -> None:
    refusal = translate(error)
    assert refusal is not None
    assert (refusal.kind, refusal.reason) == (kind, reason)
    assert told in refusal.message
