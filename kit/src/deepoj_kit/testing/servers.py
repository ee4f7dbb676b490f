"""One set of real servers for a whole test run, however many processes run the tests."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from deepoj_kit.embedded.postgres import postgres
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess
from deepoj_kit.embedded.redis import redis
from deepoj_kit.embedded.s3 import S3Access, s3
from deepoj_kit.testing.scratch import scratch_directory

POSTGRES = "DEEPOJ_TEST_POSTGRES_URL"
REDIS = "DEEPOJ_TEST_REDIS_URL"
S3_ENDPOINT = "DEEPOJ_TEST_S3_ENDPOINT"
S3_ACCESS_KEY = "DEEPOJ_TEST_S3_ACCESS_KEY"
S3_SECRET_KEY = "DEEPOJ_TEST_S3_SECRET_KEY"  # noqa: S105 — the variable's name
VARIABLES = (POSTGRES, REDIS, S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY)
PASSWORD = "throw-away"  # noqa: S105 — guards a server that lives for one test run behind a 0700 directory


@dataclass(frozen=True, slots=True)
class Servers:
    postgres_url: str
    redis_url: str
    s3: S3Access

    def export(self) -> None:
        """Let child processes of the test run find these servers."""
        values = (self.postgres_url, self.redis_url, self.s3.endpoint, self.s3.access_key, self.s3.secret_key)
        os.environ.update(zip(VARIABLES, values, strict=True))


def exported() -> Servers | None:
    """Return the servers named by the environment, when it names all of them."""
    if not all(name in os.environ for name in VARIABLES):
        return None
    postgres_url, redis_url, *s3_access = (os.environ[name] for name in VARIABLES)
    return Servers(postgres_url, redis_url, S3Access(*s3_access))


def start(cleanup: ExitStack, *, ephemeral: bool = True) -> Servers:
    """Start all three side by side; `cleanup` stops them and removes their files.

    Ephemeral servers do not wait for the disk.
    """
    home = cleanup.enter_context(scratch_directory())
    run = home / "run"
    run.mkdir(mode=0o700)
    postgres_spec, postgres_url = postgres(home / "postgres", run, PASSWORD, ephemeral=ephemeral)
    redis_spec, redis_url = redis(home / "redis", run, PASSWORD, ephemeral=ephemeral)
    s3_spec, s3_access = s3(home / "s3", run, "test", PASSWORD)
    processes = [_launch(spec, home, cleanup) for spec in (postgres_spec, redis_spec, s3_spec)]
    for process in processes:
        process.wait_ready()
    return Servers(postgres_url, redis_url, s3_access)


def _launch(spec: ProcessSpec, home: Path, cleanup: ExitStack) -> RunningProcess:
    process = RunningProcess(spec, home / f"{spec.name}.log")
    # Nothing in them is kept: a hard kill is faster than a clean stop and leaves as little.
    cleanup.callback(process.kill)
    return process
