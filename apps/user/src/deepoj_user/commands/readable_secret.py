"""Secrets that people read from a sheet and type."""

from __future__ import annotations

from base64 import b32encode
from typing import Final

from deepoj_user.commands.ports import RandomBytes

# The letters and digits of base 32 do not look like each other.
_BITS: Final = 5
_BYTE: Final = 8


def readable_secret(random_bytes: RandomBytes, groups: int, size: int) -> str:
    """Return groups of letters and digits with a line between them; each letter is worth five bits."""
    length = groups * size
    text = b32encode(random_bytes(-(-length * _BITS // _BYTE))).decode()[:length]
    return "-".join(text[start : start + size] for start in range(0, length, size))


def generated_password(random_bytes: RandomBytes) -> str:
    """60 bits: behind throttles and argon2id nobody guesses that."""
    return readable_secret(random_bytes, groups=3, size=4).lower()
