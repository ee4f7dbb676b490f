"""Many accounts from a list, and the sheet of their passwords."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from rich.status import Status

from deepoj.client.account_wire import ImportedAccounts
from deepoj.console import err
from deepoj.errors import Exit, Failure
from deepoj.verbs.admin.desk import Desk

# A password is hashed slowly on purpose, a thousand of them for minutes on a small machine.
_PATIENCE: Final = 600.0
_COLUMNS: Final = ("name", "display_name", "password", "outcome", "reason")
# A spreadsheet takes a text that begins so for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def import_list(desk: Desk, text: str, *, contest: object, sheet: Path | None, dry_run: bool) -> None:
    body = {"csv": text, "dry_run": dry_run, "contest_id": contest}
    with _opened(None if dry_run else sheet) as file:
        console = err()
        with Status("making accounts", console=console) if console.is_terminal else _silence():
            answer = desk.api.change("POST", "/api/users/import", ImportedAccounts, body, patience=_PATIENCE)
        if file is not None:
            _write(file, answer)
    desk.show(answer.items, "line", *_shown(with_passwords=file is None), none="the list is empty")
    would = "would be made" if dry_run else "made"
    desk.note(f"{answer.created} {would}, {answer.refused} refused")
    if file is not None:
        desk.note(f"names and passwords are in {sheet}")
    if answer.refused:
        sys.exit(Exit.FAILED)


def _shown(*, with_passwords: bool) -> tuple[str, ...]:
    columns = tuple(name for name in _COLUMNS if with_passwords or name != "password")
    return (*columns, "enrolled")


@contextmanager
def _silence() -> Iterator[None]:
    yield


@contextmanager
def _opened(path: Path | None) -> Iterator[IO[str] | None]:
    """Open the sheet before any account is made: a password that cannot be written would be lost."""
    if path is None:
        yield None
        return
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise Failure(
            f"{path} is there already and may hold passwords: name another file", Exit.USAGE
        ) from error
    with os.fdopen(descriptor, "w", newline="", encoding="utf-8") as file:
        try:
            yield file
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def _write(file: IO[str], answer: ImportedAccounts) -> None:
    sheet = csv.writer(file)
    sheet.writerow(_COLUMNS)
    for each in answer.items:
        sheet.writerow([_harmless(getattr(each, name) or "") for name in _COLUMNS])


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
