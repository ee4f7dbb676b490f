"""Fields that every log line inside a block carries."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType

_EMPTY: Mapping[str, object] = MappingProxyType({})
_FIELDS: ContextVar[Mapping[str, object]] = ContextVar("deepoj_log_fields", default=_EMPTY)


class bind:  # noqa: N801 — read as a verb; a class because a generator costs as much again
    """Add fields to the log lines of this block and of the tasks it starts."""

    __slots__ = ("_fields", "_token")

    def __init__(self, **fields: object) -> None:
        self._fields = fields

    def __enter__(self) -> None:
        self._token = _FIELDS.set({**_FIELDS.get(), **self._fields})

    def __exit__(self, *_: object) -> None:
        _FIELDS.reset(self._token)


def bound() -> Mapping[str, object]:
    return _FIELDS.get()
