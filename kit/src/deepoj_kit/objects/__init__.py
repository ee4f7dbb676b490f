"""Objects in S3: streamed, atomic, addressed by name or by content."""

from deepoj_kit.objects.access import S3Settings
from deepoj_kit.objects.errors import (
    CorruptError,
    NotFoundError,
    ObjectStoreError,
    RefusedError,
    TooLargeError,
)
from deepoj_kit.objects.store import LIST_PAGE, ObjectInfo, ObjectStore

__all__ = [
    "LIST_PAGE",
    "CorruptError",
    "NotFoundError",
    "ObjectInfo",
    "ObjectStore",
    "ObjectStoreError",
    "RefusedError",
    "S3Settings",
    "TooLargeError",
]
