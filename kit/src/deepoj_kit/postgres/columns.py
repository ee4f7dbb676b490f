"""Columns as `tables.py` of a service names them: by type, never empty unless it is said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Integer, LargeBinary, Text, Uuid
from sqlalchemy.dialects.postgresql import ARRAY, INET, JSONB
from sqlalchemy.types import TypeEngine


class MakeColumn(Protocol):
    def __call__(self, name: str, /, *, key: bool = False, optional: bool = False) -> Column[Any]: ...


def _of(kind: Callable[[], TypeEngine[Any]]) -> MakeColumn:
    def column(name: str, /, *, key: bool = False, optional: bool = False) -> Column[Any]:
        return Column(name, kind(), primary_key=key, autoincrement=False, nullable=optional)

    return column


bigint: Final = _of(BigInteger)
binary: Final = _of(LargeBinary)
boolean: Final = _of(Boolean)
inet: Final = _of(INET)
integer: Final = _of(Integer)
json: Final = _of(JSONB)
moment: Final = _of(lambda: DateTime(timezone=True))
text: Final = _of(Text)
texts: Final = _of(lambda: ARRAY(Text))
uuid: Final = _of(Uuid)
