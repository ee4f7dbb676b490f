"""Passwords and keys of the embedded servers, made once and kept in a file only their owner can read."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

from deepoj.errors import Exit, Failure
from deepoj.home import Home


@dataclass(frozen=True, slots=True)
class Credentials:
    postgres: str = field(repr=False)
    redis: str = field(repr=False)
    s3_access_key: str = field(repr=False)
    s3_secret_key: str = field(repr=False)
    service_token: str = field(repr=False)
    roles: dict[str, str] = field(repr=False)
    """Database password of each service."""


def load_or_make(home: Home, services: Sequence[str]) -> Credentials:
    known = _load(home) if home.credentials.exists() else _make(home)
    missing = {name: _secret() for name in services if name not in known.roles}
    if missing or not home.credentials.exists():
        known = Credentials(**{**asdict(known), "roles": known.roles | missing})
        _save(home, known)
    return known


def take_service_token(home: Home, token: str) -> None:
    """Go on with the credential of a system that is restored here: its signing keys are encrypted with it."""
    _save(home, replace(load_or_make(home, ()), service_token=token))


def _make(home: Home) -> Credentials:
    if (home.root / "postgres" / "PG_VERSION").exists():
        raise Failure(
            f"{home.credentials} is missing, and without it the databases beside it cannot be opened: put it "
            "back from a backup, or choose another directory with --data",
            Exit.UNUSABLE,
        )
    return Credentials(_secret(), _secret(), _secret(), _secret(), _secret(), roles={})


def _load(home: Home) -> Credentials:
    try:
        home.credentials.chmod(0o600)
        values = json.loads(home.credentials.read_text())
        return Credentials(**{name: values[name] for name in Credentials.__slots__})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(
            f"{home.credentials} cannot be read ({type(error).__name__}): put it back from a backup, or "
            "choose another directory with --data",
            Exit.UNUSABLE,
        ) from error


def _save(home: Home, credentials: Credentials) -> None:
    draft = home.credentials.with_suffix(".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(asdict(credentials), file, indent=2)
        file.flush()
        os.fsync(file.fileno())  # losing it would cost the databases
    draft.replace(home.credentials)


def _secret() -> str:
    return secrets.token_hex(24)
