"""Whether everything a worker will call can be reached from here, asked as the worker will ask."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlsplit

import grpc
from redis.exceptions import RedisError

from deepoj.errors import Exit, Failure
from deepoj.worker.join import HostSettings
from deepoj_kit.embedded.reach import without_secrets
from deepoj_kit.grpc import Kind, RemoteError, connect
from deepoj_kit.objects import NotFoundError, ObjectStore, RefusedError
from deepoj_kit.settings import Secret
from deepoj_kit.streams import connect as connect_redis
from deepoj_kit.streams.connection import translated
from deepoj_kit.tls import Tls, TlsError
from deepoj_kit.tls.files import GrpcTls
from deepoj_kit.unavailable import Unavailable

_PATIENCE: Final = timedelta(seconds=10)
_MODES: Final = frozenset({"off", "server", "mutual"})
# Calls that a judge host may make. What they are asked here makes no sense, and to say so is an answer.
_ASKED: Final = {
    "record": "/deepoj.record.v1.WorkerService/GetLeaseTerms",
    "question": "/deepoj.question.v1.QuestionService/GetJudgeSpec",
}
_NOT_FOR_YOU: Final = ": AccessDenied:"
_STRANGER: Final = frozenset({Kind.UNAUTHENTICATED, Kind.FORBIDDEN})
# Signs of what gRPC, OpenSSL and the drivers say, which is long.
_PLAINLY: Final = {
    "certificate has expired": "its certificate has ended",
    "Hostname Verification Check failed": "its certificate is for another name or address",
    "mismatch": "its certificate is for another name or address",
    "CERTIFICATE_VERIFY_FAILED": "its certificate is from no authority that the site has named",
    "WRONG_VERSION_NUMBER": "it does not speak TLS",
    "Socket closed": "it hung up at once: does it speak TLS, and trust the certificate of this host?",
}


@dataclass(frozen=True, slots=True)
class Reached:
    what: str
    address: str
    problem: str = ""


def reached(told: HostSettings, token: str, files: tuple[Path | None, Path | None]) -> list[Reached]:
    """`files`: certificate and key of this host. Raise Failure for certificates that nobody could use."""
    # It tells of each try, and we of what came of them.
    logging.getLogger("urllib3").setLevel(logging.ERROR)
    with _tls(told, files) as tls:
        return asyncio.run(_all(told, Secret(token), tls))


@contextmanager
def _tls(told: HostSettings, files: tuple[Path | None, Path | None]) -> Iterator[Tls]:
    if told.tls not in _MODES:
        raise Failure(f"the server names a tls that is none: {told.tls[:20]!r}", Exit.REFUSED)
    certificate, key = files
    with tempfile.NamedTemporaryFile("w", prefix="deepoj-", suffix=".pem") as authorities:
        authorities.write(told.authorities)
        authorities.flush()
        trusted = Path(authorities.name) if told.authorities else None
        tls = Tls(cast("GrpcTls", told.tls), trusted, certificate, key)
        try:
            tls.check()
        except TlsError as error:
            said = str(error).replace(authorities.name, "what the server sent")
            raise Failure(f"the services cannot be called with TLS: {said}", Exit.REFUSED) from error
        yield tls


async def _all(told: HostSettings, token: Secret, tls: Tls) -> list[Reached]:
    store = told.s3_endpoint
    return list(
        await asyncio.gather(
            _tried("record", told.record_address, lambda: _call("record", told.record_address, token, tls)),
            _tried(
                "question",
                told.question_address,
                lambda: _call("question", told.question_address, token, tls),
            ),
            _tried("redis", _shown(told.redis_url), lambda: _ping(told.redis_url, tls)),
            _tried("s3", _shown(store), lambda: _look(told, tls)),
        )
    )


async def _tried(what: str, address: str, ask: Callable[[], Awaitable[str]]) -> Reached:
    try:
        async with asyncio.timeout(2 * _PATIENCE.total_seconds()):
            said = await ask()
    except (Unavailable, RedisError, OSError, ValueError) as error:
        said = " ".join(str(error).split()) or type(error).__name__
    return Reached(what, address, next((plain for sign, plain in _PLAINLY.items() if sign in said), said))


async def _call(what: str, address: str, token: Secret, tls: Tls) -> str:
    async with connect(address, token, tls=tls, deadline=_PATIENCE) as channel:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_ASKED[what])
        try:
            await call(b"")
        except RemoteError as error:
            if error.kind in {Kind.UNAVAILABLE, Kind.TIMEOUT}:
                return error.message
            if error.kind in _STRANGER:
                return f"it does not take the token: {error.message}"
    return ""


async def _ping(url: str, tls: Tls) -> str:
    async with connect_redis(url, tls) as redis:
        with translated():
            await redis.ping()
    return ""


async def _look(told: HostSettings, tls: Tls) -> str:
    """Read what nobody stored: who may read is told that it is not there."""
    secret = Secret(told.s3_secret_key)
    store = ObjectStore(told.s3_endpoint, told.s3_access_key, secret, told.s3_bucket, tls=tls)
    async with store:
        try:
            await store.read("data/none")
        except NotFoundError:
            return ""
        except RefusedError as error:
            # Who may not list is told this of all that is not there.
            return "" if _NOT_FOR_YOU in str(error) else str(error)
    return ""


def _shown(url: str) -> str:
    return without_secrets(url) if urlsplit(url).scheme != "unix" else f"unix:{urlsplit(url).path}"
