"""What `deepoj login` leaves behind: the server, and a credential for each, for its owner's eyes only."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec

from deepoj.errors import Exit, Failure
from deepoj_kit.private import private_directory

DEFAULT_SERVER = "http://127.0.0.1:8000"


class Credential(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tokens of a session, or an API token."""

    name: str = ""
    access_token: str = ""
    access_expires_at: datetime | None = None
    refresh_token: str = ""
    api_token: str = ""


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    server: str = DEFAULT_SERVER
    credentials: dict[str, Credential] = msgspec.field(default_factory=dict)
    """By server."""


class SavedFile:
    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Saved:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Saved)
        except FileNotFoundError:
            return Saved()
        except msgspec.DecodeError as error:
            raise Failure(
                f"{self.path} is damaged ({error}): remove it and log in again with deepoj login",
                Exit.UNUSABLE,
            ) from error

    def keep(self, server: str, credential: Credential) -> None:
        saved = self.read()
        self._write(Saved(server=server, credentials={**saved.credentials, server: credential}))

    def drop(self, server: str) -> None:
        saved = self.read()
        rest = {name: each for name, each in saved.credentials.items() if name != server}
        self._write(Saved(server=saved.server, credentials=rest))

    def _write(self, saved: Saved) -> None:
        """Whole or not at all, because another command may read it now."""
        private_directory(self.path.parent)
        draft = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        with suppress(FileNotFoundError):
            draft.unlink()
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(saved), indent=2) + b"\n")
        draft.replace(self.path)


def default_file() -> SavedFile:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return SavedFile(Path(base) / "deepoj" / "client.json")
