"""Several services at once that know each other, on stores of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from minio import Minio

from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.services import Service, ServiceStarter


def store_settings(servers: Servers, database: str) -> dict[str, str]:
    """Make a bucket; return the settings that name it, the database and a key space nobody else has."""
    bucket = f"test-{uuid4().hex}"
    s3 = servers.s3
    host = urlsplit(s3.endpoint).netloc
    Minio(host, access_key=s3.access_key, secret_key=s3.secret_key, secure=False).make_bucket(bucket)
    return {
        "env": f"test-{uuid4().hex[:12]}", "postgres_url": database, "redis_url": servers.redis_url,
        "s3_endpoint": s3.endpoint, "s3_access_key": s3.access_key, "s3_secret_key": s3.secret_key,
        "s3_bucket": bucket,
    }  # fmt: skip


def addresses(home: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the settings by which services find those that a starter of this home starts."""
    return {f"{name}_address": f"unix:{home}/deepoj_{name}-serve.sock" for name in names}


def start_together(
    start: ServiceStarter, settings: Mapping[str, str], programs: Mapping[str, tuple[str, str, str | None]]
) -> dict[str, Service]:
    """Start all side by side, each (module, role, listen); return when every one is ready."""
    started = {
        name: start(module, settings, role=role, listen=listen, wait=False)
        for name, (module, role, listen) in programs.items()
    }
    for service in started.values():
        service.process.wait_ready()
    return started
