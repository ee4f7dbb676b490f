"""A service made of plain functions over bytes, on a unix socket or on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import grpc
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

from deepoj_kit.grpc import Server
from deepoj_kit.grpc.errors import Translate
from deepoj_kit.grpc.server_interceptor import Behaviour
from deepoj_kit.lifecycle import Readiness, State
from deepoj_kit.settings import Secret

TOKEN = Secret("the right one")
Serve = Callable[..., AbstractAsyncContextManager["Served"]]


@dataclass(frozen=True, slots=True)
class Served:
    server: Server
    readiness: Readiness

    @property
    def address(self) -> str:
        return self.server.address


@asynccontextmanager
async def served(
    listen: str,
    *,
    max_duration: float = 90,
    max_message: int = 1024,
    translate: Translate = lambda _: None,
    grace: float = 90,
    **methods: Behaviour,
) -> AsyncIterator[Served]:
    readiness = Readiness()
    server = Server(
        listen,
        TOKEN,
        readiness,
        translate=translate,
        max_duration=timedelta(seconds=max_duration),
        max_message=max_message,
        grace=timedelta(seconds=grace),
    )
    handlers = {name: _handler(name, behaviour) for name, behaviour in methods.items()}
    server.registry.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Test", handlers),))
    async with server:
        await readiness.move_to(State.READY)
        yield Served(server, readiness)


def _handler(name: str, behaviour: Behaviour) -> grpc.RpcMethodHandler[bytes, bytes]:
    """Take the shape of a method from the end of its name."""
    if name.endswith("_up"):
        return grpc.stream_unary_rpc_method_handler(behaviour)
    if name.endswith("_down"):
        return grpc.unary_stream_rpc_method_handler(behaviour)
    if name.endswith("_both"):
        return grpc.stream_stream_rpc_method_handler(behaviour)
    return grpc.unary_unary_rpc_method_handler(behaviour)


@pytest.fixture
def serve() -> Serve:
    return served


@pytest.fixture
def token() -> Secret:
    return TOKEN


@pytest.fixture(params=["unix", "loopback"])
def listen(request: pytest.FixtureRequest, private_home: Path) -> str:
    return f"unix:{private_home / 'run' / 'test.sock'}" if request.param == "unix" else "127.0.0.1:0"


@pytest.fixture
def socket(private_home: Path) -> str:
    return f"unix:{private_home / 'run' / 'test.sock'}"


@pytest.fixture(scope="session")
def traced() -> None:
    """Record spans in this process; the provider can be set only once."""
    trace.set_tracer_provider(TracerProvider(shutdown_on_exit=False))
