"""What a log file says about a failure, and a limit on how large it grows."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

TAIL = 64 * 1024
FAILURE = re.compile(r"FATAL|PANIC|ERROR|[Ee]rror")
NOTHING = "it wrote nothing to its log"


def size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def reason(log: Path, start: int = 0) -> str:
    """Return the last line after `start` that names a failure, else the last line."""
    lines = [line.strip() for line in _tail(log, start).splitlines() if line.strip()]
    failures = [line for line in lines if FAILURE.search(line)]
    return _message((failures or lines or [NOTHING])[-1])


def bound(log: Path, limit: int) -> bool:
    """Move a log larger than `limit` to `<name>.1`; say whether it was moved.

    The writer keeps its file open, so the content is copied and the file emptied: O_APPEND puts the next line
    at the new end. Lines written between the two steps are lost, which a renamed file would avoid only
    with the writer's help.
    """
    if size(log) <= limit:
        return False
    shutil.copyfile(log, log.with_name(f"{log.name}.1"))
    with log.open("r+b") as file:
        file.truncate(0)
    return True


def _tail(log: Path, start: int) -> str:
    end = size(log)
    if end == 0:
        return ""
    with log.open("rb") as file:
        # A log that was emptied meanwhile is shorter than the mark.
        file.seek(max(start if start <= end else 0, end - TAIL))
        return file.read().decode(errors="replace")


def _message(line: str) -> str:
    """Return the text of a line that is a JSON log record, else the line."""
    try:
        record = json.loads(line)
    except ValueError:
        return line
    if not isinstance(record, dict):
        return line
    parts = [record[key] for key in ("message", "msg", "event", "error") if isinstance(record.get(key), str)]
    return ": ".join(dict.fromkeys(parts)) or line
