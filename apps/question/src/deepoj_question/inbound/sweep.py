"""`sweep`: from time to time while the service serves, and once for an operator."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from deepoj_kit.objects import ObjectStoreError
from deepoj_kit.telemetry import counter, gauge
from deepoj_kit.unavailable import Unavailable
from deepoj_question.commands.sweep_objects import SweepObjects, Swept

SWEEP: Final = "delete files that no revision names, and end"
# It lists the whole store.
SWEEPS: Final = timedelta(hours=6)
_LEAST: Final = timedelta(days=1)
_DONE, _DAMAGED, _BAD_SETTINGS, _FAILED = 0, 1, 2, 5
_OBJECTS: Final = counter("question_swept_objects", "Files deleted because no revision names them")
_BYTES: Final = counter("question_swept_bytes", "Bytes of them")
_MISSING: Final = gauge("question_missing_objects", "Files that a revision names and the store lacks")

_log = logging.getLogger(__name__)


def too_soon(keep: timedelta) -> str | None:
    if keep and keep < _LEAST:
        return "objects_keep is less than a day, and an import may need hours: set a day or more, or 0"
    return None


def swept_counter(sweep: SweepObjects) -> Callable[[timedelta], Awaitable[int]]:
    async def swept(keep: timedelta) -> int:
        try:
            done = await sweep(keep)
        except ObjectStoreError as error:
            raise Unavailable(f"files cannot be swept: {error}") from error
        _OBJECTS.add(done.deleted_objects)
        _BYTES.add(done.deleted_bytes)
        _MISSING.set(len(done.missing))
        if done.missing:
            _log.error("%d files of problems are not in the object store, such as %s", *_worst(done))
        return done.deleted_objects

    return swept


def add_sweep_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="only tell what it would delete")


async def sweep_once(sweep: SweepObjects, keep: timedelta, arguments: argparse.Namespace) -> int:
    """Tell it as JSON; return 1 when files of revisions are missing."""
    if problem := too_soon(keep):
        sys.stderr.write(f"question: {problem}\n")
        return _BAD_SETTINGS
    try:
        done = await sweep(keep, dry_run=arguments.dry_run) if keep else Swept()
    except (Unavailable, ObjectStoreError) as error:
        sys.stderr.write(f"question: files cannot be swept: {error}\n")
        return _FAILED
    told = {
        "objects": done.objects,
        "bytes": done.bytes,
        "deleted_objects": done.deleted_objects,
        "deleted_bytes": done.deleted_bytes,
        "missing": done.missing,
        "dry_run": arguments.dry_run,
        "keep_seconds": round(keep.total_seconds()),
    }
    sys.stdout.write(json.dumps(told) + "\n")
    return _DAMAGED if done.missing else _DONE


def _worst(done: Swept) -> tuple[int, str]:
    return len(done.missing), done.missing[0]
