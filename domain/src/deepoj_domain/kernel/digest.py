from hashlib import sha256
from re import compile as pattern
from typing import NewType

from deepoj_domain.kernel.errors import InvalidValueError

# SHA-256 in hex: the address of immutable bytes (source code, test data).
ContentHash = NewType("ContentHash", str)

_HEX = pattern(r"[0-9a-f]{64}")


def hash_of(content: bytes) -> ContentHash:
    return ContentHash(sha256(content).hexdigest())


def content_hash(text: str) -> ContentHash:
    if not _HEX.fullmatch(text):
        raise InvalidValueError("hash_malformed", "a content hash is 64 lower-case hex digits")
    return ContentHash(text)
