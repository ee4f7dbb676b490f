"""`sweep`: delete the logs of submissions that are not there, once, for an operator."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import timedelta
from typing import Final

from deepoj_kit.unavailable import Unavailable
from deepoj_record.commands.sweep_logs import SweepLogs

SWEEP: Final = "delete logs of submissions that are not there, and end"
# It lists the whole store.
SWEEPS: Final = timedelta(hours=6)
# However old the clock of a host is: what is written now is never looked at.
LEAST_AGE: Final = timedelta(days=1)
_DONE, _FAILED = 0, 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="only tell what it would delete")


def deleting(sweep: SweepLogs) -> Callable[[timedelta], Awaitable[int]]:
    async def deleted(keep: timedelta) -> int:
        return (await sweep(keep)).deleted_objects

    return deleted


async def sweep_once(sweep: SweepLogs, arguments: argparse.Namespace) -> int:
    """Tell it as JSON."""
    try:
        done = await sweep(LEAST_AGE, dry_run=arguments.dry_run)
    except Unavailable as error:
        sys.stderr.write(f"record: logs cannot be swept: {error}\n")
        return _FAILED
    sys.stdout.write(json.dumps({**asdict(done), "dry_run": arguments.dry_run}) + "\n")
    return _DONE
