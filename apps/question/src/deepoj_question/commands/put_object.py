"""Store a file that a draft is going to name."""

from __future__ import annotations

from collections.abc import AsyncIterable

from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.visibility import may_create
from deepoj_question.commands.ports import CommandRefusal, Objects, StoredObject


class PutObject:
    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    async def __call__(
        self, actor: Actor, chunks: AsyncIterable[bytes]
    ) -> StoredObject | Refused[CommandRefusal]:
        if not may_create(actor):
            return Refused(CommandRefusal.NOT_ALLOWED)
        return await self._objects.put(chunks)
