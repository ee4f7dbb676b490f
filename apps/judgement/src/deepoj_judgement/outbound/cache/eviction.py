"""What a cache directory holds, by age."""

from __future__ import annotations

import os
from pathlib import Path


def oldest_first(directory: Path, pattern: str) -> list[tuple[os.stat_result, Path]]:
    """Pass over what another thread evicts or completes meanwhile."""
    found = []
    for entry in directory.glob(pattern):
        try:
            found.append((entry.stat(), entry))
        except FileNotFoundError:
            continue
    return sorted(found, key=lambda each: each[0].st_mtime_ns)
