"""What operators want of this worker: whether it is to take jobs, and what it is to judge again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

from deepoj_judgement.commands.worker.gate import Gate, Hold
from deepoj_judgement.commands.worker.ports import RecordsFailedError
from deepoj_judgement.commands.worker.reproduce import Reproduction

_log = logging.getLogger(__name__)
_NO_REASON: Final = "no reason is given"
_HASTE: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Drain:
    """The order to be out of service."""

    reason: str
    hand_back_in: timedelta
    """What is not judged by then others judge."""


@dataclass(frozen=True, slots=True)
class Orders:
    drain: Drain | None = None
    reproductions: Sequence[Reproduction] = ()


class AskOrders(Protocol):
    async def __call__(self) -> Orders:
        """Raise RecordsFailedError when nobody can say."""
        ...


class OrdersObserver(Protocol):
    def drained(self, *, yes: bool) -> None: ...


class FollowOrders:
    """Holds the gate until it is told for the first time: a restart puts no drained worker into service.

    Whoever cannot ask record cannot claim a job either, so nothing waits for that.
    """

    def __init__(
        self,
        ask: AskOrders,
        reproduce: Callable[[Reproduction], Awaitable[None]],
        gate: Gate,
        observer: OrdersObserver,
        interval: timedelta,
    ) -> None:
        self._ask = ask
        self._reproduce = reproduce
        self._reproducing: dict[str, asyncio.Task[None]] = {}
        self._gate = gate
        self._observer = observer
        self._interval = interval
        self._told = False
        self._drain: Drain | None = None
        gate.close(Hold.OPERATOR, hand_back=False)

    @property
    def drained(self) -> str:
        """Why this worker is out of service, empty when it is not."""
        return "" if self._drain is None else self._drain.reason or _NO_REASON

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                orders = await self._ask()
                self._follow(orders.drain)
                self._begin(orders.reproductions)
            except RecordsFailedError as error:
                _log.warning("what operators want is not known anew: %s", error)
            pause = self._interval if self._told else min(self._interval, _HASTE)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause.total_seconds())
        begun = list(self._reproducing.values())
        for task in begun:
            task.cancel()
        await asyncio.gather(*begun, return_exceptions=True)

    def _begin(self, asked: Sequence[Reproduction]) -> None:
        """What was not answered is asked for again, and begun once at a time."""
        for each in asked:
            if each.reproduction_id not in self._reproducing:
                task = asyncio.create_task(self._try(each))
                self._reproducing[each.reproduction_id] = task

    async def _try(self, asked: Reproduction) -> None:
        try:
            await self._reproduce(asked)
        except RecordsFailedError as error:
            _log.warning("what was judged again is not told: %s", error)
        finally:
            del self._reproducing[asked.reproduction_id]

    def _follow(self, drain: Drain | None) -> None:
        was_drained, self._drain, self._told = self._drain is not None, drain, True
        self._observer.drained(yes=drain is not None)
        if drain is None:
            if was_drained:
                _log.warning("this worker is in service again")
            self._gate.open(Hold.OPERATOR)
            return
        if not was_drained:
            _log.warning("this worker is out of service: %s", self.drained)
        self._gate.close(Hold.OPERATOR, hand_back=not drain.hand_back_in)
