"""Whether the command runs from a checkout of the workspace, and where that is."""

from __future__ import annotations

import tomllib
from pathlib import Path

WORKSPACE = "deepoj-workspace"


def find_checkout() -> Path | None:
    """Look above this file (an editable install), then above the current directory."""
    for start in (Path(__file__).resolve(), Path.cwd() / "here"):
        for directory in start.parents:
            if _is_workspace(directory):
                return directory
    return None


def _is_workspace(directory: Path) -> bool:
    project = directory / "pyproject.toml"
    if not project.is_file() or not (directory / "uv.lock").is_file():
        return False
    try:
        name = tomllib.loads(project.read_text()).get("project", {}).get("name")
    except (OSError, tomllib.TOMLDecodeError):
        return False
    return bool(name == WORKSPACE)
