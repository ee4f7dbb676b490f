"""The stores of a system for a command that works on all of them: of a running stack, or started for it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from deepoj.credentials import load_or_make
from deepoj.errors import Exit, Failure
from deepoj.home import Home, is_running, locked, prepare
from deepoj.runtime import runtime_directory, runtime_path
from deepoj.stack.database import DATABASE
from deepoj.stack.predecessor import clear_predecessor
from deepoj.stack.servers import BUCKET, Servers, given, given_s3, given_tls, prepare_servers
from deepoj.state import Phase, read_state
from deepoj_kit.embedded.postgres import SUPERUSER, postgres_url
from deepoj_kit.embedded.process import ServerError, running
from deepoj_kit.embedded.reach import reach_postgres, reach_s3
from deepoj_kit.embedded.roles import ensure_database
from deepoj_kit.embedded.s3 import S3Access
from deepoj_kit.objects import ObjectStore
from deepoj_kit.settings import Secret
from deepoj_kit.tls import Tls
from deepoj_kit.tls.postgres import with_tls


@dataclass(frozen=True, slots=True)
class OpenStores:
    postgres_url: str = field(repr=False)
    """Of a role that may do everything in the database."""
    redis_url: str | None = field(repr=False)
    """None where a running stack has its own, which nobody else needs."""
    s3: S3Access = field(repr=False)
    bucket: str
    tls: Tls

    def objects(self) -> ObjectStore:
        secret = Secret(self.s3.secret_key)
        return ObjectStore(self.s3.endpoint, self.s3.access_key, secret, self.bucket, tls=self.tls)


@contextmanager
def open_stores(home: Home) -> Iterator[OpenStores]:
    """Reach the stores of the system on `home`, whether it runs or not."""
    external = _external()
    if external is not None:
        yield external
        return
    if not home.credentials.exists():
        raise Failure(
            f"there is no system in {home.root}: name its directory with --data, or its servers with "
            "DEEPOJ_POSTGRES_URL and DEEPOJ_S3_ENDPOINT",
            Exit.NOT_RUNNING,
        )
    if is_running(home):
        yield _of_running(home)
    else:
        with own_stores(home) as stores:
            yield stores


@contextmanager
def own_stores(home: Home) -> Iterator[OpenStores]:
    """Start what is embedded, for nobody else; a stack that runs on the directory is refused."""
    prepare(home.root)
    with locked(home), ExitStack() as cleanup:
        clear_predecessor(home)
        run = cleanup.enter_context(runtime_directory(home.root))
        credentials = load_or_make(home, ())
        servers = asyncio.run(prepare_servers(home, run, credentials, ephemeral=False))
        try:
            for spec in servers.specs:
                cleanup.enter_context(running(spec, home.log(spec.name)))
            yield _started(servers)
        except ServerError as error:
            raise Failure(str(error), Exit.FAILED) from error


def _started(servers: Servers) -> OpenStores:
    embedded, url, tls = servers.postgres_embedded, servers.postgres_url, given_tls()
    reach_s3(servers.s3, servers.bucket, tls)
    database = ensure_database(url, DATABASE) if embedded else url
    return OpenStores(database, servers.redis_url, servers.s3, servers.bucket, tls)


def _of_running(home: Home) -> OpenStores:
    state = read_state(home.state)
    if state is None or state.phase is not Phase.READY:
        raise Failure(f"the stack on {home.root} starts or stops: try again when it is ready", Exit.BUSY)
    credentials, tls, url = load_or_make(home, ()), given_tls(), given("postgres_url")
    own_url = postgres_url(runtime_path(home.root), SUPERUSER, credentials.postgres, DATABASE)
    own_s3 = S3Access(state.s3_endpoint, credentials.s3_access_key, credentials.s3_secret_key)
    return OpenStores(
        own_url if url is None else with_tls(url, tls),
        given("redis_url"),
        given_s3() or own_s3,
        given("s3_bucket") or BUCKET,
        tls,
    )


def _external() -> OpenStores | None:
    """Return the stores when the operator runs all of them, wherever the services are."""
    url, access = given("postgres_url"), given_s3()
    if url is None or access is None:
        return None
    bucket, tls = given("s3_bucket") or BUCKET, given_tls()
    url = with_tls(url, tls)
    try:
        reach_postgres(url)
        reach_s3(access, bucket, tls)
    except ServerError as error:
        raise Failure(str(error), Exit.UNREACHABLE) from error
    return OpenStores(url, given("redis_url"), access, bucket, tls)
