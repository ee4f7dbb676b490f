"""What killed workers left on the disk."""

from __future__ import annotations

import shutil
from pathlib import Path


def remove_dead(directory: Path) -> None:
    """Remove the directories named after processes that no longer exist. A second call does nothing."""
    for each in directory.glob("*"):
        if each.name.isdigit() and not Path("/proc", each.name).exists():
            shutil.rmtree(each, ignore_errors=True)
