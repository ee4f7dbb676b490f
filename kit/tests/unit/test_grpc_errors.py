from __future__ import annotations

from datetime import timedelta

import pytest
from grpc import StatusCode
from grpc.aio import AioRpcError, Metadata

from deepoj_kit.grpc.errors import KIND_OF, REASON_KEY, STATUS_OF, Kind, Refusal, remote_error


def answered(code: StatusCode, *trailers: tuple[str, str], details: str | None = "why") -> AioRpcError:
    return AioRpcError(code, Metadata(), Metadata(*trailers), details)


def test_every_kind_has_one_code_of_its_own_and_comes_back() -> None:
    assert set(STATUS_OF) == set(Kind)
    assert len(set(STATUS_OF.values())) == len(Kind)
    assert all(KIND_OF[STATUS_OF[kind]] is kind for kind in Kind)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("retry_after", [None, timedelta(milliseconds=250)])
def test_a_refusal_survives_the_way_there_and_back(kind: Kind, retry_after: timedelta | None) -> None:
    refusal = Refusal(kind, "some_reason", "why", retry_after)
    error = remote_error(answered(STATUS_OF[kind], *refusal.trailers()))
    assert (error.kind, error.reason, error.message, error.retry_after) == (
        kind,
        "some_reason",
        "why",
        retry_after,
    )


@pytest.mark.parametrize("code", list(StatusCode))
def test_every_status_code_has_a_kind(code: StatusCode) -> None:
    error = remote_error(answered(code, details=None))
    assert error.kind is KIND_OF.get(code, Kind.INTERNAL)
    assert error.reason == code.name.lower()


def test_a_malformed_retry_after_is_ignored() -> None:
    error = remote_error(answered(StatusCode.UNAVAILABLE, ("deepoj-retry-after-ms", "soon")))
    assert error.retry_after is None


@pytest.mark.parametrize("code", [StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED])
def test_who_did_not_answer_is_the_reason_where_it_has_a_name(code: StatusCode) -> None:
    assert remote_error(answered(code), "question").reason == "question_unavailable"
    assert remote_error(answered(code, (REASON_KEY, "store_unavailable")), "question").reason == (
        "store_unavailable"
    )
    assert remote_error(answered(StatusCode.INTERNAL), "question").reason == "internal"
