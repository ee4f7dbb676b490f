"""Rows as one JSON parameter.

psycopg converts an array in Python, element by element, and a batch has hundreds of them. Encoding the rows
as JSON here and taking them apart in the server costs a small part of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

_ENCODER = msgspec.json.Encoder()


class Records:
    """Rows of named and typed columns, for `FROM {records} AS name` and one parameter."""

    def __init__(self, *columns: str) -> None:
        self._columns = ", ".join(columns)
        self.names: Sequence[str] = tuple(column.split()[0] for column in columns)

    def called(self, alias: str) -> str:
        return f"json_to_recordset(%s::json) AS {alias} ({self._columns})"

    def parameter(self, rows: Iterable[Sequence[object]]) -> str:
        return self.named(dict(zip(self.names, row, strict=True)) for row in rows)

    def named(self, rows: Iterable[Mapping[str, object]]) -> str:
        """Make the parameter of rows by column name; a column that a row does not name is empty in it."""
        return _ENCODER.encode(list(rows)).decode()
