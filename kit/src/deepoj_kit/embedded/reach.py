"""Whether a server that somebody else runs can be reached, said in one sentence when it cannot."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg

from deepoj_kit.embedded.process import ServerError
from deepoj_kit.embedded.s3 import S3Access
from deepoj_kit.tls import Tls

if TYPE_CHECKING:
    from minio import Minio

TIMEOUT = 5
NO_TLS = Tls()
# A server that took the connection is there, however busy: making a bucket waits for its disk.
_ANSWER_SECONDS = 60
_PAUSE = 0.1
_IN_THE_MAKING = frozenset({"BucketAlreadyOwnedByYou", "NoSuchBucket"})


class UnreachableError(ServerError):
    """A server that somebody else runs does not answer as it should."""


def reach_postgres(url: str) -> None:
    try:
        psycopg.connect(url, connect_timeout=TIMEOUT).close()
    except (psycopg.OperationalError, psycopg.ProgrammingError) as error:
        raise _unreachable("PostgreSQL", "DEEPOJ_POSTGRES_URL", without_secrets(url), error) from error


def reach_redis(url: str, tls: Tls = NO_TLS) -> None:
    # Imported here: most stacks embed their own, and it takes half a second.
    from redis import Redis  # noqa: PLC0415
    from redis.exceptions import RedisError  # noqa: PLC0415

    from deepoj_kit.streams.connection import redis_tls  # noqa: PLC0415

    try:
        client = Redis.from_url(
            url, **redis_tls(url, tls), socket_connect_timeout=TIMEOUT, socket_timeout=TIMEOUT
        )
        try:
            client.ping()
        finally:
            client.close()
    except (RedisError, ValueError) as error:
        raise _unreachable("Redis", "DEEPOJ_REDIS_URL", without_secrets(url), error) from error


def reach_s3(access: S3Access, bucket: str, tls: Tls = NO_TLS) -> None:
    """Check the credentials too, and make the bucket when it is missing."""
    # As in s3.py.
    import urllib3  # noqa: PLC0415
    from minio import Minio  # noqa: PLC0415
    from minio.error import MinioException  # noqa: PLC0415

    parts = urlsplit(access.endpoint)
    try:
        client = Minio(
            parts.netloc,
            access_key=access.access_key,
            secret_key=access.secret_key,
            secure=parts.scheme == "https",
            # As the services' client: it asks for the bucket itself and not for its location first, of which
            # SeaweedFS believes for minutes that there is none if another stack made it while it looked.
            region="us-east-1",
            http_client=urllib3.PoolManager(
                ssl_context=tls.context() if parts.scheme == "https" else None,
                timeout=urllib3.Timeout(connect=TIMEOUT, read=_ANSWER_SECONDS),
                retries=False,
            ),
        )
        _ensure_bucket(client, bucket)
    except (MinioException, urllib3.exceptions.HTTPError, ValueError) as error:
        raise _unreachable("S3", "DEEPOJ_S3_ENDPOINT", access.endpoint, error) from error


def _ensure_bucket(client: Minio, bucket: str) -> None:
    """Look, and make it; again when another stack makes it at the same moment, and it is half there."""
    from minio.error import S3Error  # noqa: PLC0415 — as above

    deadline = time.monotonic() + _ANSWER_SECONDS
    while True:
        try:
            if not client.bucket_exists(bucket):
                client.make_bucket(bucket)
        except S3Error as error:
            if error.code not in _IN_THE_MAKING or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


def without_secrets(url: str) -> str:
    """Return the URL as it may be shown: no password, no query."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if parts.scheme else "not a URL"


def _unreachable(server: str, setting: str, where: str, error: Exception) -> UnreachableError:
    said = " ".join(str(error).split()) or type(error).__name__
    return UnreachableError(
        f"the {server} server of {setting} ({where}) cannot be reached: {said.rstrip('.')}; "
        f"start it, correct {setting}, or unset it to use the embedded server"
    )
