"""A list of accounts as people keep it in a spreadsheet: CSV with a line of column names."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.inbound.http.wire.user import GrantedRole

MOST_ROWS: Final = 1000
COLUMNS: Final = ("name", "display_name", "email", "password", "role")
_DELIMITERS: Final = (",", ";", "\t")


@dataclass(frozen=True, slots=True)
class AccountLine:
    line: int
    name: str
    display_name: str = ""
    email: str = ""
    password: str = ""
    role: GrantedRole = GrantedRole.CONTESTANT
    refusal: str = ""
    """Why it cannot be read; empty when it can."""


def account_lines(text: str) -> list[AccountLine]:
    """Return the lines in order; refuse a text that is no such list."""
    rows = _rows(text)
    header = [each.strip().lower() for each in next(rows, (0, [""]))[1]]
    if "name" not in header or not set(header) <= set(COLUMNS) or len(set(header)) < len(header):
        detail = f"the first line names the columns: name, and any of {', '.join(COLUMNS[1:])}"
        raise ApiError(ErrorType.INVALID_REQUEST, "columns_malformed", detail)
    seen: set[str] = set()
    lines: list[AccountLine] = []
    for number, cells in rows:
        if not any(each.strip() for each in cells):
            continue
        if len(lines) == MOST_ROWS:
            detail = f"a list has at most {MOST_ROWS} accounts: send it in parts"
            raise ApiError(ErrorType.INVALID_REQUEST, "too_many_rows", detail)
        lines.append(_line(number, header, cells, seen))
    return lines


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        detail = f"line {reader.line_num} cannot be read: {error}"
        raise ApiError(ErrorType.INVALID_REQUEST, "csv_malformed", detail) from error


def _line(number: int, header: list[str], cells: list[str], seen: set[str]) -> AccountLine:
    found = {name: cell.strip() for name, cell in zip(header, cells, strict=False)}
    name, role = found.get("name", ""), found.get("role", "").lower() or GrantedRole.CONTESTANT
    refusal = ""
    if len(cells) != len(header):
        refusal = "columns_malformed"
    elif role not in set(GrantedRole):
        refusal = "role_unknown"
    elif name.lower() in seen:
        refusal = "name_repeated"
    seen.add(name.lower())
    return AccountLine(
        number,
        name[:64],
        found.get("display_name", "")[:65],
        found.get("email", "")[:255],
        found.get("password", "")[:257],
        GrantedRole.CONTESTANT if refusal else GrantedRole(role),
        refusal,
    )
