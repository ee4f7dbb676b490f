"""Hashes of bytes, and the text of a value that a judge hash is made of."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from hashlib import sha256
from re import compile as pattern
from typing import Final, NewType

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


LATER: Final[Mapping[str, bool]] = {"later": True}
"""Marks a field that older values do not know: at its default it is left out, and their hash stays."""


def written_out(value: object) -> str:
    """The names of types are in it: two checkers may have the same fields."""
    if is_dataclass(value):
        named = (
            f"{each.name}={written_out(getattr(value, each.name))}"
            for each in fields(value)
            if not (each.metadata == LATER and getattr(value, each.name) == each.default)
        )
        return f"{type(value).__name__}({','.join(named)})"
    if isinstance(value, tuple):
        return f"[{','.join(map(written_out, value))}]"
    if isinstance(value, frozenset):
        return f"[{','.join(sorted(map(written_out, value)))}]"
    return repr(value)
