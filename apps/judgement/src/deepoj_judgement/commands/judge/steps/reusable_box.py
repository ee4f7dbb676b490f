"""Boxes that take the files of many cases: the one at hand until it is full, then another."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from types import TracebackType
from typing import Generic, Self, TypeVar

# Files in a box are memory. One case may be larger, and then has a box of its own.
ROOM_BYTES = 128 * 1024 * 1024
Held = TypeVar("Held")


class ReusableBox(Generic[Held]):
    def __init__(
        self,
        enter: Callable[[], AbstractAsyncContextManager[Held]],
        furnish: Callable[[Held], Awaitable[None]],
    ) -> None:
        self._enter = enter
        self._furnish = furnish
        self._stack = AsyncExitStack()
        self._held: Held | None = None
        self._used = 0

    async def with_space(self, size: int, *, same: bool = False) -> Held:
        """`same`: the box at hand, however full it is."""
        if self._held is None or (self._used + size > ROOM_BYTES and not same):
            await self._stack.aclose()
            self._held, self._used = None, 0
            held = await self._stack.enter_async_context(self._enter())
            await self._furnish(held)
            self._held = held
        self._used += size
        return self._held

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)
