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
from deepoj_kit.settings.sources import Sources

BUCKET = "deepoj"
S3_SETTINGS = ("s3_endpoint", "s3_access_key", "s3_secret_key")
# Variables and the file of DEEPOJ_CONFIG are searched as every service does it, under this name.
SCOPE = "up"


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
    bucket = given("s3_bucket") or BUCKET
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
    url = given("postgres_url")
    if url is None:
        return postgres(home.root / "postgres", run, credentials.postgres, ephemeral=ephemeral)
    _reached(lambda: reach_postgres(url))
    return None, url


def _redis(
    home: Home, run: Path, credentials: Credentials, *, ephemeral: bool
) -> tuple[ProcessSpec | None, str]:
    url = given("redis_url")
    if url is None:
        return redis(home.root / "redis", run, credentials.redis, ephemeral=ephemeral)
    _reached(lambda: reach_redis(url))
    return None, url


def _s3(home: Home, run: Path, credentials: Credentials, bucket: str) -> tuple[ProcessSpec | None, S3Access]:
    endpoint, access_key, secret_key = (given(name) for name in S3_SETTINGS)
    if endpoint is None:
        return s3(home.root / "s3", run, credentials.s3_access_key, credentials.s3_secret_key)
    if access_key is None or secret_key is None:
        raise Failure(
            "DEEPOJ_S3_ENDPOINT is set but its keys are not: set DEEPOJ_S3_ACCESS_KEY and DEEPOJ_S3_SECRET_KEY as "
            "well, or unset all three to use the embedded server",
            Exit.USAGE,
        )
    access = S3Access(endpoint, access_key, secret_key)
    _reached(lambda: reach_s3(access, bucket))
    return None, access


def given(setting: str) -> str | None:
    sources = Sources(SCOPE, os.environ)
    if sources.problems:
        raise Failure("; ".join(str(problem) for problem in sources.problems), Exit.USAGE)
    found = sources.find(setting)
    return None if found is None else str(found.raw)


def _reached(check: Callable[[], None]) -> None:
    try:
        check()
    except ServerError as error:
        raise Failure(str(error), Exit.UNREACHABLE) from error
