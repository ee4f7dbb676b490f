"""What the HTTP front door is told from outside."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from deepoj_kit.settings import ByteSize, ProcessSettings, Secret, ServiceAddress

HttpListen = Annotated[
    str, Meta(pattern=r"^[^:]+:\d+$", description="host:port on which browsers and tools are served")
]


class BffSettings(ProcessSettings, frozen=True, kw_only=True):
    listen: HttpListen = "127.0.0.1:8000"
    record_address: ServiceAddress
    judgement_address: ServiceAddress
    question_address: ServiceAddress
    game_address: ServiceAddress
    user_address: ServiceAddress
    redis_url: Annotated[Secret, Meta(description="Redis, redis://… or unix://…")]
    public_url: Annotated[
        str | None,
        Meta(
            pattern=r"^https?://[^/\s]+$",
            description="the site as browsers see it; https makes cookies secure",
        ),
    ] = None
    trusted_proxies: Annotated[
        tuple[str, ...], Meta(description="networks whose X-Forwarded-For is believed, such as 10.0.0.0/8")
    ] = ()
    body_limit: Annotated[ByteSize, Meta(description="largest JSON body")] = ByteSize(1024 * 1024)
