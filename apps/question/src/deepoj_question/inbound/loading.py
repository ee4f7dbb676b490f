"""`load`: packages of the local disk, one line each on standard output."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_kit.lifecycle import StartError
from deepoj_kit.objects import ObjectStoreError
from deepoj_kit.unavailable import Unavailable
from deepoj_question.commands.load_package import LoadPackage

_log = logging.getLogger(__name__)


async def load_all(load: LoadPackage, directories: Sequence[str]) -> None:
    """Stop at the first that fails: its name and the reason are the error."""
    for number, directory in enumerate(directories, start=1):
        try:
            loaded = await load(Path(directory))
        except (InvalidValueError, Unavailable, ObjectStoreError, OSError) as error:
            raise StartError(f"{directory} was not loaded: {error}") from error
        if isinstance(loaded, Refused):
            raise StartError(f"{directory} was not loaded: {loaded.reason} {loaded.detail}".rstrip())
        for warning in loaded.warnings:
            _log.warning("%s: %s", loaded.slug, warning)
        sys.stdout.write(
            f"{number}/{len(directories)} {loaded.slug}: revision {loaded.revision}, {loaded.change}\n"
        )
        sys.stdout.flush()
