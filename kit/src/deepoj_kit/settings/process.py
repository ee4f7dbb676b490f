"""The settings every process has."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from deepoj_kit.settings.secret import Secret
from deepoj_kit.tls import Tls

Listen = Annotated[
    str,
    msgspec.Meta(pattern=r"^(unix:.+|.+:\d+)$", description="address to listen on, unix:/path or host:port"),
]
OpsListen = Annotated[
    str, msgspec.Meta(pattern=r"^.+:\d+$", description="host:port of /livez, /readyz and /metrics")
]
PostgresUrl = Annotated[
    Secret, msgspec.Meta(description="PostgreSQL database of the service, postgresql://…")
]
ServiceAddress = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^(unix:.+|.+:\d+)$",
        description="where to call a service, unix:/path, host:port or ipv4:address:port,address:port",
    ),
]


class ProcessSettings(msgspec.Struct, frozen=True, kw_only=True):
    listen: Listen
    service_token: Annotated[Secret, msgspec.Meta(description="credential that services show each other")]
    env: Annotated[
        str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,64}$", description="environment; part of every shared name")
    ] = "dev"
    ops_listen: OpsListen = "127.0.0.1:0"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], msgspec.Meta(description="least level that is logged")
    ] = "info"
    otlp_endpoint: Annotated[
        str | None, msgspec.Meta(description="where traces are sent (OTLP over gRPC); unset sends none")
    ] = None
    trace_ratio: Annotated[
        float, msgspec.Meta(ge=0, le=1, description="share of new traces that are recorded")
    ] = 1.0
    shutdown_notice: Annotated[
        timedelta,
        msgspec.Meta(
            description="time after SIGTERM in which a process says that it goes (/readyz is 503) and still "
            "serves: as long as balancers take to notice"
        ),
    ] = timedelta(0)
    shutdown_grace: Annotated[
        timedelta, msgspec.Meta(description="time that work in hand gets when the process is told to stop")
    ] = timedelta(seconds=10)
    tls: Annotated[
        Literal["off", "server", "mutual"],
        msgspec.Meta(
            description="calls over TCP: off, server (it shows a certificate) or mutual (the caller too)"
        ),
    ] = "off"
    tls_ca: Annotated[
        Path | None,
        msgspec.Meta(
            description="PEM file of the authorities to trust; for Redis and S3 beside those of the system"
        ),
    ] = None
    tls_certificate: Annotated[
        Path | None, msgspec.Meta(description="PEM file of the certificate that this process shows")
    ] = None
    tls_key: Annotated[Path | None, msgspec.Meta(description="PEM file of its key")] = None

    @property
    def tls_files(self) -> Tls:
        return Tls(self.tls, self.tls_ca, self.tls_certificate, self.tls_key)
