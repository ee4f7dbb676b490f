"""The same key with the same request is the same submission; with another request it is a conflict."""

from re import compile as pattern
from typing import NewType

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.submission.submission import Order

# Chosen by the client and unique per account.
IdempotencyKey = NewType("IdempotencyKey", str)

_KEY = pattern(r"[\x21-\x7e]{1,128}")


def idempotency_key(text: str) -> IdempotencyKey:
    if not _KEY.fullmatch(text):
        raise InvalidValueError("idempotency_key_malformed", "the key is 1 to 128 visible ASCII characters")
    return IdempotencyKey(text)


def fingerprint(order: Order) -> ContentHash:
    """Neither time nor revision number counts: a resend is later, and may meet a newer revision."""
    parts = (order.account_id, order.game_id, order.revision.question_id, order.language, order.code)
    return hash_of("\n".join(str(part) for part in parts).encode())
