"""Which tests a change calls for: those of the members it touches, and of members that depend on these."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

from deepoj.errors import Exit, Failure

MAIN = "main"
# These tests look at the source tree, so every change concerns them.
ARCHITECTURE = "tests/architecture"
# Directories whose tests are their own business; what they cross is tested by the members.
OWN = (ARCHITECTURE, "tests/component", "tests/e2e", "benchmarks")
PACKAGE = re.compile(r"\bdeepoj_\w+")


@dataclass(frozen=True, slots=True)
class Member:
    path: str
    package: str
    names: frozenset[str]
    """The packages that its files name, its tests' among them: they start services that nobody imports."""


def changed_files(checkout: Path) -> list[str]:
    """Return what differs from where this branch left main, committed or not."""
    base = _git(checkout, "merge-base", "HEAD", MAIN)
    if not base:
        raise Failure(
            f"there is no branch {MAIN} to compare with: fetch it, or run all with deepoj test", Exit.UNUSABLE
        )
    different = _git(checkout, "diff", "--name-only", "--no-renames", base[0])
    return [*different, *_git(checkout, "ls-files", "--others", "--exclude-standard")]


def members_of(checkout: Path) -> list[Member]:
    settings = tomllib.loads((checkout / "pyproject.toml").read_text())
    globs = settings["tool"]["uv"]["workspace"]["members"]
    return [
        _member(checkout, path) for glob in globs for path in sorted(checkout.glob(glob)) if path.is_dir()
    ]


def called_for(files: Iterable[str], members: Iterable[Member]) -> list[str] | None:
    """Return the directories whose tests to run; None when only all of them will do."""
    known = list(members)
    chosen: set[str] = set()
    for file in files:
        if (found := _called_for(file, known)) is None:
            return None
        chosen |= {ARCHITECTURE} | found
    return sorted(chosen)


def _called_for(file: str, members: list[Member]) -> set[str] | None:
    path = PurePath(file)
    if path.suffix == ".md":
        return set()
    if own := [each for each in OWN if path.is_relative_to(each)]:
        return set(own)
    for member in members:
        if path.is_relative_to(f"{member.path}/tests"):
            return {member.path}
        if path.is_relative_to(member.path):
            return _dependents(member, members)
    return None


def _dependents(changed: Member, members: list[Member]) -> set[str]:
    found = {changed.package}
    while more := {each.package for each in members if each.names & found} - found:
        found |= more
    return {each.path for each in members if each.package in found}


def _member(checkout: Path, path: Path) -> Member:
    package = next(each.parent.name for each in path.glob("src/*/__init__.py"))
    names = {name for file in path.rglob("*.py") for name in PACKAGE.findall(file.read_text())}
    return Member(str(path.relative_to(checkout)), package, frozenset(names - {package}))


def _git(checkout: Path, *arguments: str) -> list[str]:
    """Return the lines it prints; none when it fails."""
    done = subprocess.run(["git", *arguments], cwd=checkout, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []
