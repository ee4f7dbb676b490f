"""Files that a package and a copy of it have in common."""

import os
from pathlib import Path


def share(source: Path, target: Path) -> None:
    try:
        os.link(source.resolve(), target)
    except OSError:
        # Another file system, or one that has no hard links.
        target.symlink_to(source.resolve())
