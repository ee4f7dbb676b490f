"""The server every service runs."""

from __future__ import annotations

from datetime import timedelta
from types import TracebackType
from typing import Self

import grpc

from deepoj_kit.grpc.credentials import of_server
from deepoj_kit.grpc.errors import Translate
from deepoj_kit.grpc.guests import Guests
from deepoj_kit.grpc.health import Health
from deepoj_kit.grpc.limits import MAX_MESSAGE, server_options
from deepoj_kit.grpc.server_interceptor import CallInterceptor, CallPolicy
from deepoj_kit.lifecycle import Readiness, StartError
from deepoj_kit.settings import ProcessSettings, Secret
from deepoj_kit.tls import Tls, TlsError


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
        tls: Tls | None = None,
        translate: Translate = lambda _: None,
        max_duration: timedelta = timedelta(seconds=30),
        max_message: int = MAX_MESSAGE,
        grace: timedelta = timedelta(seconds=8),
    ) -> None:
        """`translate` turns an application's own exceptions into refusals; `grace` is for calls in flight."""
        if not token.reveal():
            raise StartError("the service credential (service_token) is empty")
        self.address = listen
        self._grace = grace
        self._tls = tls or Tls()
        self._interceptor = CallInterceptor(CallPolicy(token, max_duration, translate))
        self.registry = grpc.aio.server(
            interceptors=[self._interceptor],
            options=server_options(max_message),
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
            tls=settings.tls_files,
            translate=translate,
            max_message=max_message,
            grace=settings.shutdown_grace * 0.8,
        )

    def admit(self, guests: Guests) -> None:
        """Let callers in that have a credential of their own; without this there are none."""
        self._interceptor.guests = guests

    async def __aenter__(self) -> Self:
        try:
            port = self._listen()
        except RuntimeError as error:
            raise StartError(f"cannot listen on {self.address}: is the address in use?") from error
        except TlsError as error:
            raise StartError(str(error)) from error
        if not self.address.startswith("unix:"):
            self.address = f"{self.address.rpartition(':')[0]}:{port}"
        await self.registry.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.registry.stop(self._grace.total_seconds())

    def _listen(self) -> int:
        credentials = of_server(self._tls, self.address)
        if credentials is None:
            return self.registry.add_insecure_port(self.address)
        return self.registry.add_secure_port(self.address, credentials)
