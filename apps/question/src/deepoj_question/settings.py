"""What the question service is told from outside."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import msgspec

from deepoj_kit.settings import ByteSize, PostgresUrl, ProcessSettings, Secret, ServiceAddress


class QuestionSettings(ProcessSettings, frozen=True, kw_only=True):
    postgres_url: PostgresUrl
    redis_url: Annotated[Secret, msgspec.Meta(description="Redis, redis://… or unix://…")]
    s3_endpoint: Annotated[str, msgspec.Meta(description="object store, http(s)://host:port")]
    s3_access_key: Annotated[str, msgspec.Meta(description="account at the object store")]
    s3_secret_key: Annotated[Secret, msgspec.Meta(description="its secret")]
    s3_bucket: Annotated[str, msgspec.Meta(description="bucket of test data and assets")]
    game_address: ServiceAddress
    postgres_connections: Annotated[
        int, msgspec.Meta(ge=1, description="connections to PostgreSQL at most")
    ] = 8
    object_bytes: Annotated[ByteSize, msgspec.Meta(description="largest file of a question")] = ByteSize(
        1024**3
    )
    outbox_keep: Annotated[timedelta, msgspec.Meta(description="how long delivered messages are kept")] = (
        timedelta(days=1)
    )
