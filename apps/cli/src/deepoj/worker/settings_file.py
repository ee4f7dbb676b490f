"""The file with a worker's settings: systemd reads it (EnvironmentFile), and so does `deepoj worker run`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from deepoj.errors import Exit, Failure
from deepoj.worker.join import HostSettings

_HEAD: Final = "# Written by deepoj worker join; it holds passwords. Settings of your own may follow.\n"


def default_settings() -> Path:
    if os.geteuid() == 0:
        return Path("/etc/deepoj/worker.env")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "deepoj" / "worker.env"


def default_home() -> Path:
    if os.geteuid() == 0:
        return Path("/var/lib/deepoj/worker")
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "deepoj" / "worker"


settings_option = click.option(
    "--settings",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=default_settings,
    show_default="/etc/deepoj/worker.env, without root ~/.config/deepoj/worker.env",
    help="The file with the worker's settings.",
)


def worker_environ(
    told: HostSettings, token: str, settings: Path, home: Path, files: tuple[Path | None, Path | None]
) -> dict[str, str]:
    environ = {
        "DEEPOJ_ENV": told.env,
        "DEEPOJ_SERVICE_TOKEN": token,
        "DEEPOJ_JUDGEMENT_WORKER_NAME": told.name,
        "DEEPOJ_JUDGEMENT_HOME": str(home),
        "DEEPOJ_JUDGEMENT_LISTEN": f"unix:{home}/judge.sock",
        "DEEPOJ_JUDGEMENT_JUDGE_CACHE": "false",
        "DEEPOJ_RECORD_ADDRESS": told.record_address,
        "DEEPOJ_QUESTION_ADDRESS": told.question_address,
        "DEEPOJ_REDIS_URL": told.redis_url,
        "DEEPOJ_S3_ENDPOINT": told.s3_endpoint,
        "DEEPOJ_S3_BUCKET": told.s3_bucket,
        "DEEPOJ_S3_ACCESS_KEY": told.s3_access_key,
        "DEEPOJ_S3_SECRET_KEY": told.s3_secret_key,
        "DEEPOJ_TLS": told.tls,
    }
    if told.reference_ms:
        environ["DEEPOJ_JUDGEMENT_REFERENCE_MS"] = str(told.reference_ms)
    if told.authorities:
        environ["DEEPOJ_TLS_CA"] = str(_authorities(settings))
    for name, file in zip(("CERTIFICATE", "KEY"), files, strict=True):
        if file is not None:
            environ[f"DEEPOJ_TLS_{name}"] = str(file.absolute())
    return environ


def write_settings(path: Path, settings: Mapping[str, str], authorities: str = "") -> None:
    """Write them, and beside them whom they trust; last, so that settings are there when all is."""
    text = _HEAD + "".join(f"{name}={_quoted(value)}\n" for name, value in settings.items())
    path.parent.mkdir(parents=True, exist_ok=True)
    if authorities:
        write_whole(_authorities(path), authorities, mode=0o644)
    write_whole(path, text, mode=0o600)


def write_whole(path: Path, text: str, *, mode: int) -> None:
    """Write all of it or leave what was there, which a worker may run by."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w") as file:
            file.write(text)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _authorities(settings: Path) -> Path:
    return settings.with_name("authorities.pem")


def read_settings(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text().splitlines()
    except FileNotFoundError as error:
        raise Failure(f"{path} is not there: deepoj worker join writes it", Exit.UNUSABLE) from error
    return dict(_setting(path, line) for line in lines if line.strip() and not line.startswith("#"))


def _setting(path: Path, line: str) -> tuple[str, str]:
    try:
        [word] = shlex.split(line)
    except ValueError:
        word = ""
    name, equals, value = word.partition("=")
    if not equals:
        raise Failure(f"{path} has a line that is no setting: {line[:40]}…", Exit.UNUSABLE)
    return name, value


def _quoted(value: str) -> str:
    """Quote so that systemd and `read_settings` read the same; neither expands anything."""
    if any(not sign.isprintable() for sign in value):
        raise Failure("the server sent a setting with a line end or another control character", Exit.REFUSED)
    escaped = "".join(f"\\{sign}" if sign in '"\\' else sign for sign in value)
    return f'"{escaped}"'
