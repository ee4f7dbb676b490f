from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def packages() -> dict[str, Path]:
    """Return every member's import package and where it lives."""
    workspace = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]["workspace"]
    members = [member for pattern in workspace["members"] for member in ROOT.glob(pattern)]
    return {path.name: path for member in members for path in (member / "src").iterdir() if path.is_dir()}
