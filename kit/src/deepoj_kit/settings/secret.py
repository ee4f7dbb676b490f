"""A value that must not be shown."""

from __future__ import annotations

import hmac
import re
from typing import NoReturn

REDACTED = "***"
# Without the scheme: to look for one in a text of letters and points costs the square of its length.
_URL_PASSWORD = re.compile(r"(?P<before>://[^\s/:@]*:)[^\s/@]+(?=@)")


class Secret:
    """Shows as `***` however it is printed; no encoder and no pickle takes it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return f"Secret({REDACTED})"

    def __str__(self) -> str:
        return REDACTED

    def __format__(self, spec: str) -> str:
        return format(REDACTED, spec)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._value.encode(), other._value.encode())

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is not pickled")


def redact_url(text: str) -> str:
    """Hide the password of every URL in a text."""
    return _URL_PASSWORD.sub(rf"\g<before>{REDACTED}", text)
