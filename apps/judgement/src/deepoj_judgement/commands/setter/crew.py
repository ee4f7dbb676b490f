"""How many programs of a verification run at once on this machine."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from deepoj_judgement.commands.setter.ports import Result, Turn, at_once

Made = TypeVar("Made")
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Crew:
    size: int = 1
    turn: Turn = at_once

    async def do(self, works: Sequence[Callable[[], Coroutine[Any, Any, Result]]]) -> list[Result]:
        """Return what each came to, in their order. The first failure stops the others."""
        return await self.do_then(works, lambda _, result: result)

    async def do_then(
        self,
        works: Sequence[Callable[[], Coroutine[Any, Any, Result]]],
        then: Callable[[int, Result], Made],
    ) -> list[Made]:
        """`then` is told each result, and its place, as soon as it is there and only once."""
        free = asyncio.Semaphore(self.size)

        async def one(at: int, work: Callable[[], Coroutine[Any, Any, Result]]) -> Made:
            async with free:
                return then(at, await self.turn(work))

        tasks = [asyncio.create_task(one(at, work)) for at, work in enumerate(works)]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                # Those who wait end at once when all are cancelled; who works clears up, and is told once.
                if not task.cancelling():
                    task.cancel()
            if tasks:
                await asyncio.wait(tasks)

    def shares(self, things: Sequence[Thing]) -> list[Sequence[Thing]]:
        """Deal things out, so that neighbours, which are often alike in size, go to different hands."""
        return [share for at in range(self.size) if (share := things[at :: self.size])]
