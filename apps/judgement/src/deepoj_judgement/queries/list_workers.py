"""Which judge workers are alive, and how busy."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerView:
    name: str
    version: str
    started_at: datetime
    seen_at: datetime
    running: int
    capacity: int
    languages: dict[str, str]
    """Version by slug."""
    layers: tuple[str, ...] = ()
    memory_mib: int = 0
    """What one program may use; 0: it does not say."""
    speed_percent: int = 100
    """How long it takes for what the reference does in 100; its times are told in the reference's."""
    trouble: str = ""
    """What its canaries say against it."""
    held_back: bool = False
    """It takes no jobs, because of that or because it is drained."""
    drained: str = ""
    """Why an operator took it out of service."""


class Workers(Protocol):
    async def workers(self) -> Sequence[WorkerView]: ...


@dataclass(frozen=True, slots=True)
class ListWorkers:
    found: Workers

    async def __call__(self) -> list[WorkerView]:
        return sorted(await self.found.workers(), key=lambda worker: worker.name)
