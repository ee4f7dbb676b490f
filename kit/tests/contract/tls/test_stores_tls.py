"""Real stores with certificates of their own: the right authority is believed, others are not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, urlsplit

import psycopg
import pytest

from deepoj_kit.embedded.binaries import POSTGRES_SETTING
from deepoj_kit.embedded.free_ports import free_ports
from deepoj_kit.embedded.postgres import SUPERUSER, postgres
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess
from deepoj_kit.embedded.reach import UnreachableError, reach_postgres, reach_redis, reach_s3
from deepoj_kit.embedded.s3 import S3Access
from deepoj_kit.objects import ObjectStore
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.streams import connect
from deepoj_kit.streams.connection import translated
from deepoj_kit.testing.servers import Servers
from deepoj_kit.tls import Tls
from deepoj_kit.tls.postgres import with_tls
from deepoj_kit.unavailable import Unavailable
from kit.tests.certificates import DAY, LOOPBACK, Authority
from kit.tests.tls_front import behind_tls

PASSWORD = "throw-away"
REFUSALS = ("foreign", "name", "ended")


def server_files(case: str, ours: Authority, foreign: Authority) -> Tls:
    """Return a certificate that a client which trusts `ours` has to refuse for the reason named."""
    return {
        "good": lambda: ours.issue("server"),
        "foreign": lambda: foreign.issue("server"),
        "name": lambda: ours.issue("server", host="127.0.0.2"),
        "ended": lambda: ours.issue("server", ends=-DAY),
    }[case]()


@contextmanager
def running(spec: ProcessSpec, home: Path) -> Iterator[None]:
    process = RunningProcess(spec, home / f"{spec.name}.log")
    try:
        process.wait_ready()
        yield
    finally:
        process.kill()


def rediss(redis_url: str, port: int) -> tuple[str, str]:
    """Return where the server of the test run is, and the URL of what stands before it."""
    parts = urlsplit(redis_url)
    return f"unix:{parts.path}", f"rediss://:{parts.password}@{LOOPBACK}:{port}"


async def ping(url: str, tls: Tls) -> None:
    async with connect(url, tls) as redis:
        with translated():
            await redis.ping()


async def test_redis_is_believed_with_a_certificate_of_our_authority(redis_url: str, ours: Authority) -> None:
    target, _ = rediss(redis_url, 0)
    async with behind_tls(ours.issue("server"), target, mutual=True) as port:
        _, url = rediss(redis_url, port)
        await ping(url, ours.issue("client"))
        await asyncio.to_thread(reach_redis, url, ours.issue("client"))
        with pytest.raises(Unavailable):
            await ping(url, ours.trusted())


@pytest.mark.parametrize("case", REFUSALS)
async def test_redis_with_another_certificate_is_refused(
    redis_url: str, ours: Authority, foreign: Authority, case: str
) -> None:
    target, _ = rediss(redis_url, 0)
    async with behind_tls(server_files(case, ours, foreign), target) as port:
        _, url = rediss(redis_url, port)
        with pytest.raises(Unavailable, match="certificate verify failed"):
            await ping(url, ours.trusted())
        with pytest.raises(UnreachableError, match="certificate verify failed"):
            await asyncio.to_thread(reach_redis, url, ours.trusted())


def secured(servers: Servers, port: int) -> S3Access:
    return replace(servers.s3, endpoint=f"https://{LOOPBACK}:{port}")


def s3_host(servers: Servers) -> str:
    return urlsplit(servers.s3.endpoint).netloc


def store_of(access: S3Access, bucket: str, tls: Tls) -> ObjectStore:
    return ObjectStore(access.endpoint, access.access_key, Secret(access.secret_key), bucket, tls=tls)


async def test_s3_is_believed_with_a_certificate_of_our_authority(
    servers: Servers, bucket: str, ours: Authority
) -> None:
    async with behind_tls(ours.issue("server"), s3_host(servers)) as port:
        access = secured(servers, port)
        await asyncio.to_thread(reach_s3, access, bucket, ours.trusted())
        async with store_of(access, bucket, ours.trusted()) as store:
            await store.put("key", b"content")
            assert await store.read("key") == b"content"


@pytest.mark.parametrize("case", REFUSALS)
async def test_s3_with_another_certificate_is_refused(
    servers: Servers, bucket: str, ours: Authority, foreign: Authority, case: str
) -> None:
    async with behind_tls(server_files(case, ours, foreign), s3_host(servers)) as port:
        access = secured(servers, port)
        with pytest.raises(UnreachableError, match="certificate verify failed"):
            await asyncio.to_thread(reach_s3, access, bucket, ours.trusted())
        async with store_of(access, bucket, ours.trusted()) as store:
            with pytest.raises(Unavailable, match="certificate verify failed"):
                await store.read("key")


@pytest.fixture
def tls_postgres(monkeypatch: pytest.MonkeyPatch) -> None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not found:
        pytest.skip("the PostgreSQL of the wheel has no TLS: install the Debian package postgresql")
    monkeypatch.setenv(POSTGRES_SETTING, str(found[-1].parent))


@pytest.mark.usefixtures("tls_postgres")
async def test_postgres_is_believed_only_with_the_right_certificate(
    private_home: Path, ours: Authority, foreign: Authority
) -> None:
    data, (port,) = private_home / "postgres", free_ports(1)
    spec, local = postgres(data, private_home / "run", PASSWORD, ephemeral=True)
    options = ["listen_addresses=127.0.0.1", f"port={port}"]
    argv = (*spec.argv, *(part for option in options for part in ("-c", option)))
    local = f"{local}&port={port}"
    spec = replace(spec, argv=argv, ready=lambda: can_connect(local))
    url = f"postgresql://{SUPERUSER}:{quote(PASSWORD)}@{LOOPBACK}:{port}/postgres?sslmode=verify-full"
    said = {
        "foreign": "certificate verify failed",
        "name": "does not match host name",
        "ended": "certificate verify failed",
    }
    with running(spec, private_home):
        show(local, data, ours.issue("server"))
        async with Database(with_tls(url, ours.trusted())) as database:
            await database.ping()
        for case, sentence in said.items():
            show(local, data, server_files(case, ours, foreign))
            with pytest.raises(UnreachableError, match=sentence):
                reach_postgres(with_tls(url, ours.trusted()))


def can_connect(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def show(url: str, data: Path, tls: Tls) -> None:
    """Have the server show this certificate from the next connection on."""
    assert tls.certificate is not None
    assert tls.key is not None
    owner = data.stat()
    for source, name in ((tls.certificate, "server.crt"), (tls.key, "server.key")):
        target = data / name
        target.touch(mode=0o600)
        target.write_bytes(source.read_bytes())
        # The server runs as somebody else when the tests run as root.
        os.chown(target, owner.st_uid, owner.st_gid)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET ssl = on")
        connection.execute("SELECT pg_reload_conf()")
