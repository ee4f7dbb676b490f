"""The compilers and interpreters of the languages that can be judged."""

from __future__ import annotations

import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from deepoj.doctor.finding import Finding, finding
from deepoj.doctor.machine import version_of

GROUP = "languages"


@dataclass(frozen=True, slots=True)
class Toolchain:
    language: str
    argv: tuple[str, ...]
    package: str
    """In Debian."""
    oldest: int = 0


TOOLCHAINS = (
    Toolchain("c11", ("gcc", "--version"), "gcc", 5),
    Toolchain("cpp17", ("g++", "--version"), "g++", 8),
    Toolchain("cpp20", ("g++", "--version"), "g++", 11),
    Toolchain("java17", ("javac", "-version"), "openjdk-17-jdk-headless", 17),
    Toolchain("python3", ("python3", "--version"), "python3", 3),
    Toolchain("pypy3", ("pypy3", "--version"), "pypy3"),
    Toolchain("go", ("go", "version"), "golang-go"),
    Toolchain("rust", ("rustc", "--version"), "rustc"),
    Toolchain("node", ("node", "--version"), "nodejs"),
)


def toolchain_findings() -> list[Finding]:
    with ThreadPoolExecutor() as pool:
        return list(pool.map(_check, TOOLCHAINS))


def _check(tool: Toolchain) -> Finding:
    program = tool.argv[0]
    remedy = f"install the Debian package {tool.package}"
    if shutil.which(program) is None:
        return finding(GROUP, tool.language, f"no {program}", good=False, remedy=remedy, required=False)
    try:
        said = version_of(*tool.argv)
    except (OSError, subprocess.TimeoutExpired) as error:
        said = ""
        remedy = f"{program} does not run: {error}"
    good = bool(said) and major(said) >= tool.oldest
    if said and not good:
        remedy = f"install {program} {tool.oldest} or newer (Debian package {tool.package})"
    return finding(GROUP, tool.language, said or f"{program} fails", good=good, remedy=remedy, required=False)


def major(version: str) -> int:
    """Return the first number of the first dotted version in what a program says about itself."""
    found = re.findall(r"(\d+)(?:\.\d+)+", version)
    return int(found[0]) if found else 0
