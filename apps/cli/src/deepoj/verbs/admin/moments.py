"""Moments and lengths of time as they are typed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

import click

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_LENGTH: Final = re.compile(r"(\d{1,7})([smhd])")


class _Moment(click.ParamType[datetime]):
    name = "moment"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value} is no moment such as 2026-10-01T18:30:00Z", param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class _Length(click.ParamType[int]):
    name = "length"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        found = _LENGTH.fullmatch(str(value))
        if found is None:
            self.fail(f"{value} is no length such as 90s, 15m or 1h", param, ctx)
        return int(found[1]) * _UNITS[found[2]] * 1000


MOMENT: Final = _Moment()
"""A time without a zone is UTC."""
LENGTH_MS: Final = _Length()
