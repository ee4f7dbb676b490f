"""`load`: packages of the local disk, one line each on standard output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_kit.objects import ObjectStoreError
from deepoj_kit.unavailable import Unavailable
from deepoj_question.commands.load_package import LoadPackage

HELP: Final = "import packages of the local disk, publish them under their directories' names, and end"
_LOADED, _FAILED = 0, 1


async def load_all(load: LoadPackage, directories: Sequence[Path]) -> int:
    """Stop at the first that fails, with its name and the reason; return the exit code."""
    for number, directory in enumerate(directories, start=1):
        try:
            loaded = await load(directory)
        except (InvalidValueError, Unavailable, ObjectStoreError, OSError) as error:
            return _failed(directory, str(error))
        if isinstance(loaded, Refused):
            return _failed(directory, f"{loaded.reason} {loaded.detail}".rstrip())
        for warning in loaded.warnings:
            sys.stderr.write(f"{loaded.slug}: warning: {warning}\n")
        sys.stdout.write(
            f"{number}/{len(directories)} {loaded.slug}: revision {loaded.revision}, {loaded.change}\n"
        )
        sys.stdout.flush()
    return _LOADED


def _failed(directory: Path, reason: str) -> int:
    sys.stderr.write(f"question: {directory} was not loaded: {reason}\n")
    return _FAILED
