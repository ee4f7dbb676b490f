"""Each import contract holds on the tree as it is, and breaks when somebody breaks it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]

# contract, where somebody writes, what they write
PLANTED = [
    ("rooms", "deepoj_record/commands/planted.py", "import deepoj_record.container"),
    ("rooms", "deepoj_record/queries/planted.py", "import deepoj_record.commands.planted"),
    ("rooms", "deepoj_record/inbound/planted.py", "import deepoj_record.outbound.planted"),
    ("rooms", "deepoj_record/outbound/planted.py", "import deepoj_record.settings"),
    ("rooms", "deepoj_record/a_room_nobody_planned.py", ""),
    ("members", "deepoj_record/planted.py", "import deepoj_game.settings"),
    ("members", "deepoj_kit/planted.py", "import deepoj_record.settings"),
    ("members", "deepoj_domain/planted.py", "import deepoj_kit.settings"),
    ("members", "deepoj_sandbox/planted.py", "import deepoj_kit.settings"),
    ("processes", "deepoj/planted.py", "import deepoj_record.settings"),
    ("plumbing", "deepoj_kit/planted.py", "import deepoj_domain"),
    ("plumbing", "deepoj_sandbox/planted.py", "import deepoj_domain"),
    ("pure", "deepoj_record/commands/planted.py", "import psycopg"),
    ("pure", "deepoj_record/queries/planted.py", "import deepoj_kit.settings"),
    ("protobuf", "deepoj_record/outbound/postgres.py", "import deepoj_proto.record.v1.record_pb2"),
    ("protobuf", "deepoj_record/commands/planted.py", "import deepoj_proto.record.v1.record_pb2"),
    (
        "judgement",
        "deepoj_judgement/commands/judge/planted.py",
        "import deepoj_judgement.commands.worker.slots",
    ),
    (
        "judgement",
        "deepoj_judgement/commands/worker/planted.py",
        "import deepoj_judgement.commands.setter.problem",
    ),
]
# What the planted modules import must exist beside them.
NEIGHBOURS = ("deepoj_record/commands/planted.py", "deepoj_record/outbound/planted.py")


def test_every_member_is_under_the_contracts(packages: dict[str, Path]) -> None:
    assert set(CONFIG["root_packages"]) == set(packages)


def test_every_contract_has_a_planted_violation() -> None:
    assert {contract["id"] for contract in CONFIG["contracts"]} == {contract for contract, _, _ in PLANTED}


def test_the_tree_keeps_every_contract() -> None:
    linted = lint_imports({})
    assert linted.returncode == 0, linted.stdout


@pytest.fixture(scope="module")
def tree(packages: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of all members, in which a test may plant what it takes away again."""
    copy = tmp_path_factory.mktemp("tree")
    for name, source in packages.items():
        shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.mark.parametrize(("contract", "path", "text"), PLANTED)
def test_a_planted_violation_breaks_its_contract(tree: Path, contract: str, path: str, text: str) -> None:
    with ExitStack() as taken_away:
        taken_away.enter_context(planted(tree / path, text))
        for neighbour in NEIGHBOURS:
            if neighbour.split(".")[0].replace("/", ".") in text:
                taken_away.enter_context(planted(tree / neighbour, ""))
        linted = lint_imports({"PYTHONPATH": str(tree)}, "--contract", contract)
    assert linted.returncode == 1, linted.stdout
    assert "0 kept, 1 broken" in linted.stdout


@contextmanager
def planted(module: Path, text: str) -> Iterator[None]:
    assert not module.exists()
    module.write_text(text + "\n")
    yield
    module.unlink()


def lint_imports(environ: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    program = str(Path(sys.executable).with_name("lint-imports"))
    return subprocess.run(
        [program, "--no-cache", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environ,
        cwd=ROOT,
    )
