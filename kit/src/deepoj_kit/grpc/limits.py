"""Limits that both sides of a call share: sizes and times of a channel, the deadline of what is served."""

from __future__ import annotations

import time
from contextvars import ContextVar
from typing import Final

MAX_MESSAGE: Final = 4 * 1024 * 1024
# For calls that carry many sources or results: 32 of four megabytes, the longest that anybody can send.
BATCH_MESSAGE: Final = 128 * 1024 * 1024
KEEPALIVE_MS: Final = 30_000
KEEPALIVE_TIMEOUT_MS: Final = 10_000

Options = list[tuple[str, str | int]]


def shared_options(max_message: int) -> Options:
    return [
        ("grpc.max_receive_message_length", max_message),
        ("grpc.max_send_message_length", max_message),
        ("grpc.keepalive_time_ms", KEEPALIVE_MS),
        ("grpc.keepalive_timeout_ms", KEEPALIVE_TIMEOUT_MS),
        ("grpc.keepalive_permit_without_calls", 1),
    ]


def server_options(max_message: int) -> Options:
    return [
        *shared_options(max_message),
        # A server answers more frequent pings than it allows with GOAWAY: allow what our clients send.
        ("grpc.http2.min_ping_interval_without_data_ms", KEEPALIVE_MS // 2),
        # Otherwise a second process could listen on the same port, and the kernel would share out the calls.
        ("grpc.so_reuseport", 0),
    ]


# So that calls made on behalf of the call being served do not outlive it.
_DEADLINE: ContextVar[float | None] = ContextVar("deepoj_call_deadline", default=None)


def serve_until(seconds: float) -> None:
    _DEADLINE.set(time.monotonic() + seconds)


def at_most(seconds: float) -> float:
    """Shorten a time-out to what the served call has left."""
    deadline = _DEADLINE.get()
    return seconds if deadline is None else max(0.0, min(seconds, deadline - time.monotonic()))
