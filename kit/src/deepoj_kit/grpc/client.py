"""Channels to other services: credential, trace context, deadline, typed errors, retries where declared."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

import grpc
import msgspec

from deepoj_kit.grpc.client_interceptors import CallDefaults, interceptors
from deepoj_kit.grpc.limits import MAX_MESSAGE, Options, shared_options
from deepoj_kit.settings import Secret

# gRPC spreads each back-off by a fifth and allows at most five attempts.
RETRY_POLICY: Final = {
    "maxAttempts": 5,
    "initialBackoff": "0.1s",
    "maxBackoff": "1s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE"],
}
RECONNECT_MIN_MS: Final = 100
RECONNECT_MAX_MS: Final = 2_000
# A busy server may take long to shake hands; an attempt that is cut short fails the calls that wait for it.
CONNECT_MS: Final = 10_000


def connect(
    address: str,
    token: Secret,
    *,
    deadline: timedelta = timedelta(seconds=5),
    idempotent: Iterable[str] = (),
    max_message: int = MAX_MESSAGE,
) -> grpc.aio.Channel:
    """Make a channel (an async context manager) to `unix:/path` or host:port; it connects at the first call.

    `deadline` holds for calls made without a time-out. `idempotent` names the methods
    (`/package.Service/Method`) that may be sent again when the service is unavailable; no other ever is.
    """
    return grpc.aio.insecure_channel(
        address,
        options=_options(tuple(idempotent), max_message),
        interceptors=interceptors(CallDefaults(token, deadline)),
    )


def _options(idempotent: tuple[str, ...], max_message: int) -> Options:
    return [
        *shared_options(max_message),
        ("grpc.service_config", _service_config(idempotent)),
        ("grpc.initial_reconnect_backoff_ms", RECONNECT_MIN_MS),
        # Despite its name the time one attempt may take.
        ("grpc.min_reconnect_backoff_ms", CONNECT_MS),
        ("grpc.max_reconnect_backoff_ms", RECONNECT_MAX_MS),
        # Channels share connections by default; closing one must not depend on another.
        ("grpc.use_local_subchannel_pool", 1),
    ]


def _service_config(idempotent: tuple[str, ...]) -> str:
    config: dict[str, object] = {"loadBalancingConfig": [{"round_robin": {}}]}
    if idempotent:
        config["methodConfig"] = [{"name": [_name(each) for each in idempotent], "retryPolicy": RETRY_POLICY}]
    return msgspec.json.encode(config).decode()


def _name(method: str) -> dict[str, str]:
    service, _, name = method.lstrip("/").partition("/")
    if not service or not name:
        raise ValueError(f"{method} is not of the form /package.Service/Method")
    return {"service": service, "method": name}
