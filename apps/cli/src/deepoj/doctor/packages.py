"""Get what languages need from Debian; only what the language table names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence

from deepoj.errors import Exit, Failure
from deepoj.setter.events import Language

INSTALL = ("apt-get", "install", "-y", "--no-install-recommends")
# Somebody else may be at it: a timer of the system, another administrator.
_LOCK = ("-o", "DPkg::Lock::Timeout=600", "-o", "Dpkg::Use-Pty=0")
# A server that says nothing for so long is away.
_AWAY = ("-o", "Acquire::http::Timeout=10", "-o", "Acquire::https::Timeout=10", "-o", "Acquire::Retries=1")
_OPTIONS = (*_LOCK, *_AWAY)
_QUIET = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
_LAST_WORDS = 3


def packages_of(languages: Iterable[Language]) -> list[str]:
    return sorted({name for each in languages for name in each.package.split()})


def install(languages: Sequence[Language], tell: Callable[[str], None]) -> None:
    """Install what they need and Debian has here; say each step and every line of apt."""
    wanted = packages_of(languages)
    _refuse_unfit(wanted)
    _run(("apt-get", *_OPTIONS, "update"), tell)
    known = _available(wanted)
    for each in languages:
        if unknown := [name for name in each.package.split() if name not in known]:
            tell(f"{each.slug}: this Debian has no package {' '.join(unknown)}")
    chosen = packages_of(each for each in languages if known.issuperset(each.package.split()))
    if chosen:
        _run((*INSTALL, *_OPTIONS, *chosen), tell)


def commands(packages: Sequence[str]) -> list[tuple[str, ...]]:
    """Return what gets packages that every Debian has."""
    return [("apt-get", *_OPTIONS, "update"), (*INSTALL, *_OPTIONS, *packages)]


def _refuse_unfit(packages: Sequence[str]) -> None:
    if shutil.which("apt-get") is None:
        raise Failure(
            "this machine has no apt-get: install what corresponds to the Debian packages "
            f"{' '.join(packages)}",
            Exit.UNUSABLE,
        )
    if os.geteuid() != 0:
        line = " ".join((*INSTALL, *packages))
        raise Failure(f"only root can install packages: run sudo {line}", Exit.UNUSABLE)


def _available(packages: Sequence[str]) -> frozenset[str]:
    """Return those that some source of this machine offers."""
    told = subprocess.run(
        ("apt-cache", "policy", *packages),
        capture_output=True, text=True, check=False, env=os.environ | _QUIET,
    )  # fmt: skip
    found = re.findall(r"^(\S+):\n(?:  .*\n)*?  Candidate: (\S+)", told.stdout, re.MULTILINE)
    return frozenset(name for name, candidate in found if candidate != "(none)")


def _run(argv: Sequence[str], tell: Callable[[str], None]) -> None:
    tell(" ".join(argv))
    said: list[str] = []
    with subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=os.environ | _QUIET,
    ) as process:
        for line in process.stdout or ():
            said = [*said[1 - _LAST_WORDS :], line.strip()]
            tell(f"  {line.rstrip()}")
    if process.returncode != 0:
        raise Failure(
            f"{argv[0]} ended with code {process.returncode}: {' '.join(said)}; correct that, then try again",
            Exit.FAILED,
        )
