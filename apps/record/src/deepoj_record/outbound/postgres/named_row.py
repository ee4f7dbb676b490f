"""Rows by the names of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def utc(moment: datetime) -> datetime:
    """PostgreSQL answers in the time zone of the session."""
    return moment.astimezone(UTC)


def made_of(row: Mapping[str, Any], kind: type[T]) -> T:
    """Make a dataclass of the columns that are named like its fields."""
    values = {name: utc(value) if isinstance(value, datetime) else value for name, value in row.items()}
    return msgspec.convert(values, kind)
