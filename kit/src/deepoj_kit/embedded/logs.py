"""What a log file says about a failure, and a limit on how large it grows."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

TAIL = 64 * 1024
FAILURE = re.compile(r"FATAL|PANIC|ERROR|[Ee]rror")
LEVELS = ("info", "error", "critical")
NOTHING = "it wrote nothing to its log"


def size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def reason(log: Path, start: int = 0) -> str:
    """Return the gravest line after `start`, the last of several: what follows a failure is clearing up."""
    lines = [line.strip() for line in _tail(log, start).splitlines() if line.strip()]
    return _message(max(reversed(lines), key=_gravity, default=NOTHING))


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


def _gravity(line: str) -> int:
    record = _record(line)
    if "level" in record:
        return LEVELS.index(record["level"]) if record["level"] in LEVELS else 0
    return LEVELS.index("error") if FAILURE.search(line) else 0


def _message(line: str) -> str:
    """Return the text of a line that is a JSON log record, else the line."""
    record = _record(line)
    values = (record.get(key) for key in ("message", "msg", "event", "error", "detail", "reason"))
    parts = [value for value in values if isinstance(value, str)]
    return ": ".join(dict.fromkeys(parts)) or line


def _record(line: str) -> dict[str, object]:
    """Return what a line that is a JSON object holds; other lines hold nothing."""
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}
