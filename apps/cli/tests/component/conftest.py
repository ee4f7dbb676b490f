"""A `deepoj up` with toy services, and data directories for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from apps.cli.tests.up_process import UpProcess, own_environ
from deepoj_kit.testing.scratch import scratch_directory
from deepoj_kit.testing.servers import Servers

PROGRAM = Path(__file__).with_name("toy_stack.py")


@pytest.fixture
def new_data() -> Iterator[Path]:
    """Name a data directory, outside pytest's own ones so that an ordinary user reaches it."""
    with scratch_directory() as directory:
        yield directory / "data"


@pytest.fixture
def toy_up(new_data: Path) -> Iterator[Callable[..., UpProcess]]:
    """Start the toy stack on the test's data directory; it is ended with the test."""
    started: list[UpProcess] = []

    def start(
        *,
        port: int = 0,
        environ: Mapping[str, str] | None = None,
        python: Sequence[str] = (sys.executable,),
    ) -> UpProcess:
        argv = (*python, str(PROGRAM), str(new_data), str(port))
        started.append(UpProcess(new_data, argv, own_environ() | dict(environ or {})))
        return started[-1]

    yield start
    for each in started:
        each.stop()


@pytest.fixture
def external(servers: Servers, postgres_url: str) -> dict[str, str]:
    """Return settings that replace all three embedded servers."""
    return {
        "DEEPOJ_POSTGRES_URL": postgres_url,
        "DEEPOJ_REDIS_URL": servers.redis_url,
        "DEEPOJ_S3_ENDPOINT": servers.s3.endpoint,
        "DEEPOJ_S3_ACCESS_KEY": servers.s3.access_key,
        "DEEPOJ_S3_SECRET_KEY": servers.s3.secret_key,
        "DEEPOJ_S3_BUCKET": "cli-tests",
    }
