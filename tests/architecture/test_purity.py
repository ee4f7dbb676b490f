"""What import contracts cannot say: who needs nothing but the standard library, and what importing does."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

IMPORT_EVERYTHING = """
import importlib, pkgutil, sys, threading

watched = {"socket.connect", "subprocess.Popen", "os.posix_spawn", "os.fork", "os.exec"}
seen = []
sys.addaudithook(lambda event, args: seen.append(event) if event in watched else None)
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith(("__main__", ".env")) and ".versions." not in module.name:
            importlib.import_module(module.name)
print(sorted(set(seen)), threading.active_count())
"""


def test_the_sandbox_needs_nothing_but_the_standard_library(packages: dict[str, Path]) -> None:
    assert imported_by(packages["deepoj_sandbox"]) - {"deepoj_sandbox"} <= sys.stdlib_module_names


def test_a_planted_import_is_seen(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text("def f():\n    import socket\n    from os.path import join\n")
    assert imported_by(tmp_path) == {"socket", "os"}


def test_importing_connects_to_nothing_and_starts_nothing(packages: dict[str, Path]) -> None:
    script = [sys.executable, "-c", IMPORT_EVERYTHING, *packages]
    imported = subprocess.run(script, capture_output=True, text=True, check=True)
    assert imported.stdout.strip() == "[] 1"


@pytest.mark.parametrize("word", ["submission", "judge", "verdict", "contest", "scoreboard", "question"])
def test_the_kit_has_no_business_word(packages: dict[str, Path], word: str) -> None:
    said = [path for path in packages["deepoj_kit"].rglob("*.py") if word in path.read_text().lower()]
    assert said == []


def imported_by(package: Path) -> set[str]:
    found: set[str] = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
                found.add(node.module.split(".")[0])
    return found
