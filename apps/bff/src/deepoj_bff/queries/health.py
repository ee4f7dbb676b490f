"""Whether the whole system is able to serve."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class ServiceProbe(Protocol):
    async def is_serving(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class SystemHealth:
    services: Mapping[str, bool]

    @property
    def serving(self) -> bool:
        return all(self.services.values())


class GetHealth:
    def __init__(self, probes: Mapping[str, ServiceProbe]) -> None:
        self._probes = probes

    async def __call__(self) -> SystemHealth:
        answers = await asyncio.gather(*(probe.is_serving() for probe in self._probes.values()))
        return SystemHealth(dict(zip(self._probes, answers, strict=True)))
