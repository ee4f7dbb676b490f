"""Delete files that no revision names and nobody has relied on for long; any number of copies, at any time.

A file that was never seen before counts as relied on now: a later sweep deletes it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Protocol

from deepoj_domain.kernel.digest import ContentHash
from deepoj_question.commands.ports import StoredObject

_BATCH: Final = 50
# Far below the lease of a batch: whoever was frozen for longer leaves the rest to the next sweep.
_PATIENCE: Final = 60.0

Seconds = Callable[[], float]
"""A clock that only goes forward, whatever becomes of the time of day."""


@dataclass(frozen=True, slots=True)
class Taken:
    contents: frozenset[ContentHash]
    at: datetime


class ObjectUses(Protocol):
    async def register(self, contents: Collection[ContentHash]) -> None:
        """Remember files that were not known: relied on now."""
        ...

    async def take(self, keep: timedelta, most: int) -> Taken | None:
        """Take files that nothing names and nobody held for so long; from then on nobody can hold them."""
        ...

    async def candidates(self, keep: timedelta) -> frozenset[ContentHash]:
        """Return what `take` would take, without taking it."""
        ...

    async def forget(self, contents: Collection[ContentHash], taken_at: datetime) -> None:
        """The files are gone, and may come again."""
        ...

    async def absent(
        self, after: ContentHash | None, upto: ContentHash | None, there: Sequence[ContentHash]
    ) -> frozenset[ContentHash]:
        """Return what revisions name between the two that is not among those there."""
        ...


class SweptObjects(Protocol):
    def pages(self) -> AsyncIterator[Sequence[StoredObject]]:
        """Give all files in the order of their names."""
        ...

    async def size(self, content: ContentHash) -> int | None: ...

    async def delete(self, content: ContentHash) -> None: ...


@dataclass(slots=True)
class Swept:
    objects: int = 0
    bytes: int = 0
    deleted_objects: int = 0
    """In a dry run: those that would be deleted."""
    deleted_bytes: int = 0
    missing: list[ContentHash] = field(default_factory=list)
    """Named by a revision and not there: nothing of this deletes such a file."""


class SweepObjects:
    def __init__(self, uses: ObjectUses, objects: SweptObjects, seconds: Seconds) -> None:
        self._uses = uses
        self._objects = objects
        self._seconds = seconds

    async def __call__(self, keep: timedelta, *, dry_run: bool = False) -> Swept:
        swept = Swept()
        await self._look(swept, register=not dry_run)
        if dry_run:
            for content in await self._uses.candidates(keep):
                await self._count(swept, content)
            return swept
        while (taken := await self._take(keep)) is not None:
            until, batch = taken
            if not await self._delete(batch, until, swept):
                break
        return swept

    async def _take(self, keep: timedelta) -> tuple[float, Taken] | None:
        # Read before the batch is taken: its lease is not shorter than we think.
        until = self._seconds() + _PATIENCE
        taken = await self._uses.take(keep, _BATCH)
        return None if taken is None else (until, taken)

    async def _delete(self, taken: Taken, until: float, swept: Swept) -> bool:
        """Return whether there was time for all of them."""
        gone: list[ContentHash] = []
        for content in sorted(taken.contents):
            size = await self._objects.size(content)
            if self._seconds() >= until:
                break
            await self._objects.delete(content)
            gone.append(content)
            _add(swept, size)
        await self._uses.forget(gone, taken.at)
        return len(gone) == len(taken.contents)

    async def _count(self, swept: Swept, content: ContentHash) -> None:
        _add(swept, await self._objects.size(content))

    async def _look(self, swept: Swept, *, register: bool) -> None:
        after: ContentHash | None = None
        async for page in self._objects.pages():
            contents = [each.content for each in page]
            swept.objects += len(page)
            swept.bytes += sum(each.size for each in page)
            if register:
                await self._uses.register(contents)
            await self._miss(swept, await self._uses.absent(after, contents[-1], contents))
            after = contents[-1]
        await self._miss(swept, await self._uses.absent(after, None, ()))

    async def _miss(self, swept: Swept, suspects: frozenset[ContentHash]) -> None:
        """What was stored after its page was read is not missing."""
        swept.missing += [each for each in sorted(suspects) if await self._objects.size(each) is None]


def _add(swept: Swept, size: int | None) -> None:
    if size is not None:
        swept.deleted_objects += 1
        swept.deleted_bytes += size
