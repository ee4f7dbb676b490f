"""What must not reach a log: secrets by type, by name of the field and by form in a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from deepoj_kit.settings.secret import REDACTED, Secret, redact_url

_SECRET_KEY = re.compile(
    r"passw(or)?d|passphrase|secret|token|authorization|cookie|credential|(api|access|private)_?key",
    re.IGNORECASE,
)
_BEARER = re.compile(r"(?P<before>\b(?:bearer|basic)\s+)[\w.~+/=-]{4,}", re.IGNORECASE)
MAX_DEPTH = 6


def redact_text(text: str) -> str:
    # Most fields are one short word or id. Printable text without a space has no white space at all, and
    # neither form below does without white space or "://".
    if " " not in text and "://" not in text and text.isprintable():
        return text
    return _BEARER.sub(rf"\g<before>{REDACTED}", redact_url(text))


def redact_fields(fields: Mapping[str, object], depth: int = 0) -> dict[str, object]:
    return {
        str(key): REDACTED if _is_secret(str(key)) else _redact(value, depth + 1)
        for key, value in fields.items()
    }


@lru_cache(maxsize=1024)
def _is_secret(key: str) -> bool:
    return _SECRET_KEY.search(key) is not None


def _redact(value: object, depth: int) -> object:
    """Return something JSON can hold: containers kept, all else as text."""
    if isinstance(value, str):
        return redact_text(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Secret) or depth > MAX_DEPTH:
        return REDACTED if isinstance(value, Secret) else "…"
    if isinstance(value, Mapping):
        return redact_fields(value, depth)
    if isinstance(value, list | tuple | set | frozenset):
        return [_redact(each, depth + 1) for each in value]
    return redact_text(str(value))
