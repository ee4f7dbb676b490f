"""The server every service runs."""

from __future__ import annotations

from datetime import timedelta
from types import TracebackType
from typing import Self

import grpc

from deepoj_kit.grpc.health import Health
from deepoj_kit.grpc.limits import MAX_MESSAGE, server_options
from deepoj_kit.grpc.server_interceptor import CallInterceptor, CallPolicy
from deepoj_kit.grpc.translation import Translate
from deepoj_kit.lifecycle import Readiness, StartError
from deepoj_kit.settings import ProcessSettings, Secret


class Server:
    """An async context manager: listens inside the block, then lets calls in flight finish.

    Register servicers on `registry` before entering it.
    """

    def __init__(
        self,
        listen: str,
        token: Secret,
        readiness: Readiness,
        *,
        translate: Translate = lambda _: None,
        max_duration: timedelta = timedelta(seconds=30),
        max_message: int = MAX_MESSAGE,
        max_calls: int | None = None,
        grace: timedelta = timedelta(seconds=8),
    ) -> None:
        """`translate` turns an application's own exceptions into refusals; `grace` is for calls in flight."""
        if not token.reveal():
            raise StartError("the service credential (service_token) is empty")
        self.address = listen
        self._grace = grace
        self.registry = grpc.aio.server(
            interceptors=[CallInterceptor(CallPolicy(token, max_duration, translate))],
            options=server_options(max_message),
            maximum_concurrent_rpcs=max_calls,
        )
        self.registry.add_generic_rpc_handlers((Health(readiness).handler(),))

    @classmethod
    def for_process(
        cls,
        settings: ProcessSettings,
        readiness: Readiness,
        *,
        translate: Translate = lambda _: None,
        max_message: int = MAX_MESSAGE,
    ) -> Self:
        """Serve on `listen`; calls in flight get most of the shutdown grace, other parts the rest."""
        return cls(
            settings.listen,
            settings.service_token,
            readiness,
            translate=translate,
            max_message=max_message,
            grace=settings.shutdown_grace * 0.8,
        )

    async def __aenter__(self) -> Self:
        try:
            port = self.registry.add_insecure_port(self.address)
        except RuntimeError as error:
            raise StartError(f"cannot listen on {self.address}: is the address in use?") from error
        if not self.address.startswith("unix:"):
            self.address = f"{self.address.rpartition(':')[0]}:{port}"
        await self.registry.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.registry.stop(self._grace.total_seconds())
