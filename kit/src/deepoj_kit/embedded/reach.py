"""Whether a server that somebody else runs can be reached, said in one sentence when it cannot."""

from __future__ import annotations

from urllib.parse import urlsplit

import psycopg
import urllib3
from minio import Minio
from minio.error import MinioException
from redis import Redis
from redis.exceptions import RedisError

from deepoj_kit.embedded.process import ServerError
from deepoj_kit.embedded.s3 import S3Access

TIMEOUT = 5


def reach_postgres(url: str) -> None:
    try:
        psycopg.connect(url, connect_timeout=TIMEOUT).close()
    except (psycopg.OperationalError, psycopg.ProgrammingError) as error:
        raise _unreachable("PostgreSQL", "DEEPOJ_POSTGRES_URL", without_secrets(url), error) from error


def reach_redis(url: str) -> None:
    try:
        client = Redis.from_url(url, socket_connect_timeout=TIMEOUT, socket_timeout=TIMEOUT)
        try:
            client.ping()
        finally:
            client.close()
    except (RedisError, ValueError) as error:
        raise _unreachable("Redis", "DEEPOJ_REDIS_URL", without_secrets(url), error) from error


def reach_s3(access: S3Access, bucket: str) -> None:
    """Check the credentials too, and make the bucket when it is missing."""
    try:
        client = minio_client(access)
        if not client.bucket_exists(bucket):
            client.make_bucket(bucket)
    except (MinioException, urllib3.exceptions.HTTPError, ValueError) as error:
        raise _unreachable("S3", "DEEPOJ_S3_ENDPOINT", access.endpoint, error) from error


def minio_client(access: S3Access) -> Minio:
    parts = urlsplit(access.endpoint)
    return Minio(
        parts.netloc,
        access_key=access.access_key,
        secret_key=access.secret_key,
        secure=parts.scheme == "https",
        http_client=urllib3.PoolManager(timeout=TIMEOUT, retries=False),
    )


def without_secrets(url: str) -> str:
    """Return the URL as it may be shown: no password, no query."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if parts.scheme else "not a URL"


def _unreachable(server: str, setting: str, where: str, error: Exception) -> ServerError:
    said = " ".join(str(error).split()) or type(error).__name__
    return ServerError(
        f"the {server} server of {setting} ({where}) cannot be reached: {said.rstrip('.')}; "
        f"start it, correct {setting}, or unset it to use the embedded server"
    )
