"""What the HTTP front door is told from outside."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from deepoj_kit.settings import ProcessSettings, ServiceAddress

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
