"""Admins made from outside the service: one when there is none yet, more by an operator's command."""

from __future__ import annotations

import argparse
import getpass
import json
import logging
import os
import secrets
import sys
from functools import partial
from pathlib import Path
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_user.commands.create_admin import CreateAdmin, CreateAdminRefusal, NewAdmin

_log = logging.getLogger(__name__)
NAME: Final = "admin"
# Nobody can own an address there, so nobody but the operator can read what is mailed to it.
EMAIL: Final = "admin@deepoj.invalid"
_DONE, _FAILED = 0, 1


async def make_first_admin(create: CreateAdmin, file: Path) -> None:
    new = NewAdmin(name=NAME, email=EMAIL, password=_generated())
    outcome = await create(new, only_first=True, keep=partial(_write, file))
    if not isinstance(outcome, Refused):
        _log.info("made the first admin; the credentials are in %s", file)
    elif outcome.reason is not CreateAdminRefusal.HAS_ADMIN:
        _log.error(
            "there is no admin, and none could be made (%s): run `python -m deepoj_user create-admin`",
            outcome.reason,
        )


def _write(file: Path, new: NewAdmin) -> None:
    file.unlink(missing_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as written:
        json.dump({"name": new.name, "email": new.email, "password": new.password}, written, indent=2)
        written.write("\n")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", required=True, help="username")
    parser.add_argument("--email", required=True, help="e-mail address, for changing the password later")
    parser.add_argument(
        "--generate", action="store_true", help="make a password and print it; otherwise it is read "
        "from standard input, or asked for on a terminal"
    )  # fmt: skip


async def create_admin(create: CreateAdmin, arguments: argparse.Namespace) -> int:
    password = _generated() if arguments.generate else _read()
    try:
        outcome = await create(NewAdmin(name=arguments.name, email=arguments.email, password=password))
    except InvalidValueError as error:
        sys.stderr.write(f"no admin was made: {error}\n")
        return _FAILED
    if isinstance(outcome, Refused):
        sys.stderr.write(f"no admin was made: {outcome.reason}\n")
        return _FAILED
    sys.stdout.write(f"{password}\n" if arguments.generate else "")
    return _DONE


def _generated() -> str:
    return secrets.token_urlsafe(18)


def _read() -> str:
    if sys.stdin.isatty():
        return getpass.getpass("password of the new admin: ")
    return sys.stdin.readline().rstrip("\n")
