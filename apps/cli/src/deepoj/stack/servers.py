"""The three servers: embedded ones prepared, or somebody else's checked, one by one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from deepoj.credentials import Credentials
from deepoj.errors import Exit, Failure
from deepoj.home import Home
from deepoj_kit.embedded.binaries import find_postgres, find_redis, find_seaweedfs
from deepoj_kit.embedded.postgres import postgres
from deepoj_kit.embedded.process import ProcessSpec, ServerError
from deepoj_kit.embedded.reach import UnreachableError, reach_postgres, reach_redis, reach_s3
from deepoj_kit.embedded.redis import redis
from deepoj_kit.embedded.s3 import S3Access, s3
from deepoj_kit.settings.sources import Sources
from deepoj_kit.tls import Tls, TlsError
from deepoj_kit.tls.postgres import with_tls

BUCKET = "deepoj"
TLS_SETTINGS = ("tls_ca", "tls_certificate", "tls_key")
S3_SETTINGS = ("s3_endpoint", "s3_access_key", "s3_secret_key")
# Variables and the file of DEEPOJ_CONFIG are searched as every service does it, under this name.
SCOPE = "up"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Servers:
    specs: tuple[ProcessSpec, ...]
    """The servers to start; the rest runs elsewhere."""
    postgres_url: str = field(repr=False)
    postgres_embedded: bool
    redis_url: str = field(repr=False)
    s3: S3Access = field(repr=False)
    bucket: str


async def prepare_servers(home: Home, run: Path, credentials: Credentials, *, ephemeral: bool) -> Servers:
    """Check all three side by side before anything is made, then make what the embedded ones need."""
    tls, bucket = given_tls(), given("s3_bucket") or BUCKET
    postgres_url, redis_url, access = given("postgres_url"), given("redis_url"), given_s3()
    if postgres_url is not None:
        postgres_url = with_tls(postgres_url, tls)
    checks = (
        partial(reach_postgres, postgres_url) if postgres_url else find_postgres,
        partial(reach_redis, redis_url, tls) if redis_url else find_redis,
        partial(reach_s3, access, bucket, tls) if access else find_seaweedfs,
    )
    await asyncio.gather(*(asyncio.to_thread(_checked, check) for check in checks))
    specs: list[ProcessSpec] = []
    if postgres_url is None:
        # In a thread, because the first time it makes a database cluster.
        make = partial(postgres, home.root / "postgres", run, credentials.postgres, ephemeral=ephemeral)
        made: tuple[ProcessSpec, str] = await asyncio.to_thread(_checked, make)
        postgres_url = made[1]
        specs.append(made[0])
    if redis_url is None:
        spec, redis_url = redis(home.root / "redis", run, credentials.redis, ephemeral=ephemeral)
        specs.append(spec)
    if access is None:
        spec, access = s3(home.root / "s3", run, credentials.s3_access_key, credentials.s3_secret_key)
        specs.append(spec)
    embedded = any(spec.name == "postgres" for spec in specs)
    return Servers(tuple(specs), postgres_url, embedded, redis_url, access, bucket)


def given(setting: str) -> str | None:
    sources = Sources(SCOPE, os.environ)
    if sources.problems:
        raise Failure("; ".join(str(problem) for problem in sources.problems), Exit.USAGE)
    found = sources.find(setting)
    return None if found is None else str(found.raw)


def given_tls() -> Tls:
    """Return the files that servers of somebody else are reached with."""
    files = [None if (path := given(name)) is None else Path(path) for name in TLS_SETTINGS]
    tls = Tls("off", *files)
    try:
        tls.check()
    except TlsError as error:
        raise Failure(str(error), Exit.USAGE) from error
    return tls


def given_s3() -> S3Access | None:
    endpoint, access_key, secret_key = (given(name) for name in S3_SETTINGS)
    if endpoint is None:
        return None
    if access_key is None or secret_key is None:
        raise Failure(
            "DEEPOJ_S3_ENDPOINT is set but its keys are not: set DEEPOJ_S3_ACCESS_KEY and "
            "DEEPOJ_S3_SECRET_KEY as well, or unset all three to use the embedded server",
            Exit.USAGE,
        )
    return S3Access(endpoint, access_key, secret_key)


def _checked(check: Callable[[], T]) -> T:
    try:
        return check()
    except UnreachableError as error:
        raise Failure(str(error), Exit.UNREACHABLE) from error
    except ServerError as error:
        raise Failure(str(error), Exit.UNUSABLE) from error
