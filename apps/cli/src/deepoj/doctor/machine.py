"""Memory, disk, Python, ports and the three servers."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from deepoj.doctor.finding import Finding, finding
from deepoj.errors import Failure
from deepoj.home import MINIMUM_FREE
from deepoj.stack.ports import refuse_used_port
from deepoj_kit.embedded.binaries import find_postgres, find_redis, find_seaweedfs
from deepoj_kit.embedded.process import ServerError

GROUP = "machine"
SERVERS = "servers"
GIB = 2**30
MEMORY_FOR_STACK = 1 * GIB
PYTHON = (3, 11)
PROGRAM_TIMEOUT = 20.0
# What the sandbox calls, and a Python that was built on an older system lacks.
_NEEDED = ("memfd_create", "pidfd_open")


def machine_findings(data: Path, port: int) -> list[Finding]:
    return [_cores(), _memory(), _disk(data), python_finding(), _port(port), *_servers()]


def _cores() -> Finding:
    count = len(os.sched_getaffinity(0))
    remedy = "two cores let a judge run beside the services"
    return finding(GROUP, "cores", str(count), good=count > 1, remedy=remedy, required=False)


def _memory() -> Finding:
    found = re.search(r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)
    available = int(found[1]) * 1024 if found else 0
    remedy = f"the stack takes about {MEMORY_FOR_STACK / GIB:.0f} GiB before the first submission"
    good = available >= MEMORY_FOR_STACK
    return finding(
        GROUP, "memory", f"{available / GIB:.1f} GiB available", good=good, remedy=remedy, required=False
    )


def _disk(data: Path) -> Finding:
    place = next(directory for directory in (data.absolute(), *data.absolute().parents) if directory.exists())
    free = shutil.disk_usage(place).free
    found = f"{free / GIB:.1f} GiB free at {place}"
    remedy = f"free at least {MINIMUM_FREE // 2**20} MiB, or choose another directory with --data"
    return finding(GROUP, "disk", found, good=free >= MINIMUM_FREE, remedy=remedy)


def python_finding() -> Finding:
    lacking = [name for name in _NEEDED if not hasattr(os, name)]
    found = f"{platform.python_version()}{' without ' if lacking else ''}{', '.join(lacking)}"
    remedy = (
        "install Python 3.11 or newer of the distribution (Debian package python3); one that uv downloads is "
        "built for older systems and makes no boxes"
    )
    return finding(GROUP, "python", found, good=sys.version_info >= PYTHON and not lacking, remedy=remedy)


def _port(port: int) -> Finding:
    try:
        refuse_used_port("127.0.0.1", port)
    except Failure as failure:
        return finding(GROUP, f"port {port}", "in use", good=False, remedy=str(failure), required=False)
    return finding(GROUP, f"port {port}", "free", good=True, remedy="")


def _servers() -> list[Finding]:
    return [
        _server("postgresql", "DEEPOJ_POSTGRES_URL", lambda: find_postgres() / "postgres", ("--version",)),
        _server("redis", "DEEPOJ_REDIS_URL", find_redis, ("--version",)),
        _server("s3", "DEEPOJ_S3_ENDPOINT", find_seaweedfs, ("version",)),
    ]


def _server(name: str, setting: str, find: Callable[[], Path], asks_version: tuple[str, ...]) -> Finding:
    if os.environ.get(setting):
        return finding(SERVERS, name, f"replaced by {setting}", good=True, remedy="")
    try:
        program = find()
        said = version_of(str(program), *asks_version)
    except (ServerError, OSError) as error:
        return finding(SERVERS, name, "not found", good=False, remedy=str(error))
    return finding(
        SERVERS, name, said or "does not run", good=bool(said), remedy=f"{program} does not run here"
    )


def version_of(*argv: str) -> str:
    """Return the first line with a digit that the program prints; empty when it fails."""
    done = subprocess.run(
        argv, capture_output=True, text=True, check=False, timeout=PROGRAM_TIMEOUT, stdin=subprocess.DEVNULL
    )
    lines = (done.stdout + "\n" + done.stderr).splitlines()
    return (
        next((line.strip() for line in lines if re.search(r"\d", line)), "") if done.returncode == 0 else ""
    )
