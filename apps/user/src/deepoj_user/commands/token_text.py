"""Secret tokens as people get to see them."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error

from deepoj_domain.account.session import TOKEN_BYTES


def encode_token(prefix: str, token: bytes) -> str:
    """With a prefix by which secret scanners know it."""
    return prefix + urlsafe_b64encode(token).rstrip(b"=").decode()


def decode_token(prefix: str, text: str) -> bytes | None:
    """Return None for what was never given out."""
    body = text.removeprefix(prefix)
    if body == text or not body.isascii():
        return None
    try:
        token = urlsafe_b64decode(body + "=" * (-len(body) % 4))
    except Base64Error:
        return None
    return token if len(token) == TOKEN_BYTES else None
