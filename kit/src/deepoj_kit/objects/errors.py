"""What can go wrong with an object, translated once.

Unavailable            the server did not answer, or not completely: try again later
ObjectStoreError
├── NotFoundError      there is no such object
├── CorruptError       the content is not what its hash says
├── TooLargeError      more bytes than the caller allows
└── RefusedError       the server understood and said no (bucket, credentials, name)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from minio.error import InvalidResponseError, MinioException, S3Error, ServerError
from urllib3.exceptions import HTTPError, SSLError

from deepoj_kit.unavailable import Unavailable

_MISSING = frozenset({"NoSuchKey", "ResourceNotFound"})
_BUSY = frozenset({"InternalError", "ServiceUnavailable", "SlowDown", "RequestTimeout"})


class ObjectStoreError(Exception):
    pass


class NotFoundError(ObjectStoreError):
    pass


class CorruptError(ObjectStoreError):
    pass


class TooLargeError(ObjectStoreError):
    pass


class RefusedError(ObjectStoreError):
    pass


@contextmanager
def translated(key: str) -> Iterator[None]:
    try:
        yield
    except S3Error as error:
        raise _from_s3(error, key) from error
    except (HTTPError, InvalidResponseError, ServerError) as error:
        raise Unavailable(f"{key}: the object store did not answer ({_why(error)})") from error
    except MinioException as error:
        raise RefusedError(f"{key}: {error}") from error


def _from_s3(error: S3Error, key: str) -> ObjectStoreError | Unavailable:
    if error.code in _MISSING:
        return NotFoundError(f"{key}: no such object")
    if error.code in _BUSY:
        return Unavailable(f"{key}: the object store is busy ({error.code})")
    return RefusedError(f"{key}: {error.code}: {error.message}")


def _why(error: Exception) -> str:
    """Return the kind of failure, and what TLS had against the server."""
    cause = getattr(error, "reason", None)
    return str(cause) if isinstance(cause, SSLError) else type(error).__name__
