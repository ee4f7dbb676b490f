"""What a running `deepoj up` tells the other commands: a small file it rewrites on every change."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path


class Phase(StrEnum):
    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"


class State(StrEnum):
    WAITING = "waiting"
    STARTING = "starting"
    READY = "ready"
    NOT_READY = "not ready"
    BACK_OFF = "back-off"
    STOPPING = "stopping"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class ProcessState:
    name: str
    state: State
    pid: int | None
    birth: int | None
    """The kernel's start time of the pid, which tells it from a later process with the same number."""
    restarts: int
    since: float | None
    """When the current run started, as a UNIX time."""
    reason: str
    """Why it last stopped by itself; empty when it never did."""
    leftovers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StackState:
    pid: int
    birth: int | None
    phase: Phase
    url: str
    processes: tuple[ProcessState, ...]
    notices: tuple[str, ...] = ()
    """What a person should know though everything runs."""
    s3_endpoint: str = ""
    """Where objects are; it has another port after each start."""

    def write(self, path: Path) -> None:
        draft = path.with_suffix(".new")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(asdict(self)))
        draft.replace(path)


def read_state(path: Path) -> StackState | None:
    """Return None for a file that is missing or that another version wrote."""
    try:
        values = json.loads(path.read_text())
        processes = tuple(_process(each) for each in values["processes"])
        birth = None if values["birth"] is None else int(values["birth"])
        notices = tuple(map(str, values["notices"]))
        phase, url = Phase(values["phase"]), str(values["url"])
        s3_endpoint = str(values["s3_endpoint"])
        return StackState(int(values["pid"]), birth, phase, url, processes, notices, s3_endpoint)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def birth_of(pid: int) -> int | None:
    """Return the start time of a process in clock ticks since boot; None when it is gone or a zombie."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # the name before it may hold blanks and brackets
    return None if fields[0] == "Z" else int(fields[19])


def _process(values: dict[str, object]) -> ProcessState:
    known = {name: values[name] for name in ProcessState.__slots__}
    known["state"] = State(str(known["state"]))
    known["leftovers"] = tuple(str(path) for path in _list(known["leftovers"]))
    return ProcessState(**known)  # type: ignore[arg-type]  # our own file; a wrong type would only be shown


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
