"""What a judge host elsewhere is told."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from deepoj_bff.queries.views.base import View


class HostSettings(View, frozen=True, kw_only=True):
    """Settings of a worker by name."""

    name: Annotated[str, Meta(description="What it calls itself; its workers are `name` and `name.…`.")]
    env: str
    record_address: str
    question_address: str
    redis_url: str
    s3_endpoint: str
    s3_bucket: str
    s3_access_key: str
    s3_secret_key: str
    tls: Annotated[str, Meta(description="off, server or mutual.")]
    authorities: Annotated[str, Meta(description="PEM; empty: those of the system.")]
    reference_ms: Annotated[int, Meta(description="What its times are told in; 0: in its own.")]
