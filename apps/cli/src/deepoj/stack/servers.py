"""The three servers: embedded ones prepared, or somebody else's checked, one by one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from deepoj.credentials import Credentials
from deepoj.errors import Exit, Failure
from deepoj.home import Home
from deepoj_kit.embedded.postgres import postgres
from deepoj_kit.embedded.process import ProcessSpec, ServerError
from deepoj_kit.embedded.reach import reach_postgres, reach_redis, reach_s3
from deepoj_kit.embedded.redis import redis
from deepoj_kit.embedded.s3 import S3Access, s3

BUCKET = "deepoj"
S3_VARIABLES = ("DEEPOJ_S3_ENDPOINT", "DEEPOJ_S3_ACCESS_KEY", "DEEPOJ_S3_SECRET_KEY")


@dataclass(frozen=True, slots=True)
class Servers:
    specs: tuple[ProcessSpec, ...]
    """Those to start; the rest runs elsewhere."""
    postgres_url: str = field(repr=False)
    postgres_embedded: bool
    redis_url: str = field(repr=False)
    s3: S3Access = field(repr=False)
    bucket: str


async def prepare_servers(home: Home, run: Path, credentials: Credentials, *, ephemeral: bool) -> Servers:
    """Do the slow parts side by side: making a database cluster, asking remote servers."""
    bucket = os.environ.get("DEEPOJ_S3_BUCKET", BUCKET)
    prepared = await asyncio.gather(
        asyncio.to_thread(_postgres, home, run, credentials, ephemeral=ephemeral),
        asyncio.to_thread(_redis, home, run, credentials, ephemeral=ephemeral),
        asyncio.to_thread(_s3, home, run, credentials, bucket),
    )
    (postgres_spec, postgres_url), (redis_spec, redis_url), (s3_spec, s3_access) = prepared
    specs = tuple(spec for spec in (postgres_spec, redis_spec, s3_spec) if spec is not None)
    return Servers(specs, postgres_url, postgres_spec is not None, redis_url, s3_access, bucket)


def _postgres(
    home: Home, run: Path, credentials: Credentials, *, ephemeral: bool
) -> tuple[ProcessSpec | None, str]:
    url = os.environ.get("DEEPOJ_POSTGRES_URL")
    if url is None:
        return postgres(home.root / "postgres", run, credentials.postgres, ephemeral=ephemeral)
    _reached(lambda: reach_postgres(url))
    return None, url


def _redis(
    home: Home, run: Path, credentials: Credentials, *, ephemeral: bool
) -> tuple[ProcessSpec | None, str]:
    url = os.environ.get("DEEPOJ_REDIS_URL")
    if url is None:
        return redis(home.root / "redis", run, credentials.redis, ephemeral=ephemeral)
    _reached(lambda: reach_redis(url))
    return None, url


def _s3(home: Home, run: Path, credentials: Credentials, bucket: str) -> tuple[ProcessSpec | None, S3Access]:
    given = [os.environ.get(name) for name in S3_VARIABLES]
    if given[0] is None:
        return s3(home.root / "s3", run, credentials.s3_access_key, credentials.s3_secret_key)
    missing = [name for name, value in zip(S3_VARIABLES, given, strict=True) if not value]
    if missing:
        raise Failure(
            f"{S3_VARIABLES[0]} is set but {' and '.join(missing)} is not: set all three, or none to use the "
            "embedded server",
            Exit.USAGE,
        )
    access = S3Access(*(value or "" for value in given))
    _reached(lambda: reach_s3(access, bucket))
    return None, access


def _reached(check: Callable[[], None]) -> None:
    try:
        check()
    except ServerError as error:
        raise Failure(str(error), Exit.UNREACHABLE) from error
