"""How the server is reached: address, credentials, time-outs, retries."""

from __future__ import annotations

from datetime import timedelta
from typing import Final, Protocol
from urllib.parse import urlsplit

import urllib3
from minio import Minio

from deepoj_kit.settings import Secret
from deepoj_kit.tls import Tls

BUSY_STATUS: Final = (500, 502, 503, 504)


class S3Settings(Protocol):
    """The settings a process needs to reach the store; msgspec structs cannot be mixed in."""

    @property
    def s3_endpoint(self) -> str: ...
    @property
    def s3_access_key(self) -> str: ...
    @property
    def s3_secret_key(self) -> Secret: ...
    @property
    def s3_bucket(self) -> str: ...
    @property
    def tls_files(self) -> Tls: ...


def make_client(
    endpoint: str,
    access_key: str,
    secret_key: Secret,
    *,
    tls: Tls,
    threads: int,
    connect: timedelta,
    read: timedelta,
) -> tuple[Minio, urllib3.PoolManager]:
    parts = urlsplit(endpoint)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise ValueError(f"s3_endpoint is {endpoint!r}, expected http://host:port or https://host")
    pool = urllib3.PoolManager(
        num_pools=2,
        ssl_context=tls.context() if parts.scheme == "https" else None,
        maxsize=threads,
        timeout=urllib3.Timeout(connect=connect.total_seconds(), read=read.total_seconds()),
        # Every S3 request here may be repeated: a PUT replaces the object by the same one.
        retries=urllib3.Retry(
            total=2, backoff_factor=0.1, status_forcelist=BUSY_STATUS, allowed_methods=None
        ),
    )
    # With a region given, the client does not ask for the bucket's location before its first request.
    client = Minio(
        parts.netloc,
        access_key=access_key,
        secret_key=secret_key.reveal(),
        secure=parts.scheme == "https",
        region="us-east-1",
        http_client=pool,
    )
    return client, pool
