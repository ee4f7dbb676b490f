"""The pytest plugin: servers for the run, and for each test a database, key space and bucket of its own."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from minio import Minio

from deepoj_kit.embedded.postgres import postgres
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess
from deepoj_kit.embedded.redis import redis
from deepoj_kit.testing import servers as shared
from deepoj_kit.testing.databases import EMPTY, own_database
from deepoj_kit.testing.scratch import scratch_directory
from deepoj_kit.testing.servers import PASSWORD, Servers
from deepoj_kit.testing.services import ServiceStarter

_CLEANUP = pytest.StashKey[ExitStack]()
MakeTemplate = Callable[[Callable[[str], None]], str]


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Start the servers before pytest-xdist starts its workers, which inherit the environment."""
    hear_interrupts()
    config = session.config
    config.stash[_CLEANUP] = ExitStack()
    if config.getoption("numprocesses", default=None) and shared.exported() is None:
        shared.start(config.stash[_CLEANUP]).export()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let Python look for no garbage meanwhile, and never in what stays until the end: half of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def hear_interrupts() -> None:
    """A shell has what it runs in the background ignore Ctrl-C, and with it all that the tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_unconfigure(config: pytest.Config) -> None:
    cleanup = config.stash.get(_CLEANUP, None)
    if cleanup is not None:
        cleanup.close()


@pytest.fixture(scope="session")
def servers(pytestconfig: pytest.Config) -> Servers:
    found = shared.exported()
    if found is None:
        found = shared.start(pytestconfig.stash[_CLEANUP])
        found.export()
    return found


@pytest.fixture(scope="session")
def make_template(servers: Servers) -> Iterator[MakeTemplate]:
    """Give a function that makes a database, lets its argument prepare it, and returns its name.

    Migrating takes longer than copying: migrate once, and copy for each test with `make_database`.
    """
    with ExitStack() as cleanup:

        def make(prepare: Callable[[str], None]) -> str:
            url = cleanup.enter_context(own_database(servers))
            prepare(url)
            return urlsplit(url).path.removeprefix("/")

        yield make


@pytest.fixture
def make_database(servers: Servers) -> Iterator[Callable[[str], str]]:
    """Give a function that copies a template database and returns the copy's URL."""
    with ExitStack() as cleanup:
        yield lambda template: cleanup.enter_context(own_database(servers, template))


@pytest.fixture
def postgres_url(make_database: Callable[[str], str]) -> str:
    """Return the URL of an empty database that only this test uses."""
    return make_database(EMPTY)


@pytest.fixture
def redis_url(servers: Servers) -> str:
    return servers.redis_url


@pytest.fixture
def key_prefix() -> str:
    """Return a prefix for Redis keys that only this test uses."""
    return f"deepoj:test-{uuid4().hex}:"


@pytest.fixture
def bucket(servers: Servers) -> str:
    """Return the name of an empty bucket that only this test uses."""
    name = f"test-{uuid4().hex}"
    access = servers.s3
    host = urlsplit(access.endpoint).netloc
    Minio(host, access_key=access.access_key, secret_key=access.secret_key, secure=False).make_bucket(name)
    return name


class PrivateServer:
    """A server that one test may stop, kill and start again."""

    def __init__(self, spec: ProcessSpec, url: str, log: Path) -> None:
        self.url = url
        self._spec = spec
        self._log = log
        self._process: RunningProcess | None = None

    def start(self) -> None:
        self._process = RunningProcess(self._spec, self._log)
        self._process.wait_ready()

    def stop(self) -> None:
        if self._process is not None:
            self._process.stop()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()


@pytest.fixture
def private_home() -> Iterator[Path]:
    with scratch_directory() as home:
        (home / "run").mkdir(mode=0o700)
        yield home


@pytest.fixture
def start_service(private_home: Path) -> Iterator[ServiceStarter]:
    with ExitStack() as cleanup:
        yield ServiceStarter(private_home, cleanup)


@pytest.fixture
def private_postgres(private_home: Path) -> Iterator[PrivateServer]:
    spec, url = postgres(private_home / "postgres", private_home / "run", PASSWORD)
    yield from _started(PrivateServer(spec, url, private_home / "postgres.log"))


@pytest.fixture
def private_redis(private_home: Path) -> Iterator[PrivateServer]:
    spec, url = redis(private_home / "redis", private_home / "run", PASSWORD)
    yield from _started(PrivateServer(spec, url, private_home / "redis.log"))


def _started(server: PrivateServer) -> Iterator[PrivateServer]:
    server.start()
    yield server
    server.kill()
