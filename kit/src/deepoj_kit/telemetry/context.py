"""Fields that every log line inside a block carries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

_EMPTY: Mapping[str, object] = MappingProxyType({})
_FIELDS: ContextVar[Mapping[str, object]] = ContextVar("deepoj_log_fields", default=_EMPTY)


@contextmanager
def bind(**fields: object) -> Iterator[None]:
    """Add fields to the log lines of this block and of the tasks it starts."""
    token = _FIELDS.set({**_FIELDS.get(), **fields})
    try:
        yield
    finally:
        _FIELDS.reset(token)


def bound() -> Mapping[str, object]:
    return _FIELDS.get()
