"""Hear the canaries again and again, and hold back for as long as one of them says so."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from deepoj_judgement.commands.judge.toolchain import Toolchain
from deepoj_judgement.commands.worker.canary.hear import HearCanary, Heard, Outcome
from deepoj_judgement.commands.worker.canary.ports import (
    CanaryObserver,
    CanarySkippedError,
    Colleagues,
)
from deepoj_judgement.commands.worker.gate import Gate, Hold

_log = logging.getLogger(__name__)
# Who is in trouble looks so many times as often whether it is over.
_HASTE: Final = 10
_MOST_CHARACTERS: Final = 500


@dataclass(slots=True)
class _Trouble:
    heard: Heard
    right: int = 0
    """How often in a row it has been right since."""


@dataclass(slots=True)
class WatchCanaries:
    hear: HearCanary
    toolchains: Callable[[], Sequence[Toolchain]]
    gate: Gate
    colleagues: Colleagues
    observer: CanaryObserver
    interval: timedelta
    times_right: int
    """How often in a row a canary must be right before its trouble is over."""
    troubles: dict[str, _Trouble] = field(default_factory=dict)

    @property
    def trouble(self) -> str:
        """What the canaries say against this worker, empty when nothing."""
        return "; ".join(each.heard.why for each in self.troubles.values())[:_MOST_CHARACTERS]

    async def run(self, stop: asyncio.Event) -> None:
        clock, every = asyncio.get_running_loop().time, self.interval.total_seconds()
        due = clock()
        while not stop.is_set():
            is_due = clock() >= due
            due = clock() + every if is_due else due
            await self._until_stopped(stop, self.look(only_troubles=not is_due))
            pause = every / _HASTE if self.troubles else every
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), max(0.0, min(pause, due - clock())))

    async def _until_stopped(self, stop: asyncio.Event, work: Coroutine[object, object, None]) -> None:
        looking, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({looking, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if looking.done():
                await looking
        finally:
            stopping.cancel()
            looking.cancel()
            await asyncio.wait({looking})

    async def look(self, *, only_troubles: bool = False) -> None:
        """Hear all of them, or those again that made trouble."""
        for toolchain in self.toolchains():
            if only_troubles and self._name(toolchain) not in self.troubles:
                continue
            try:
                heard = await self.hear(toolchain)
            except CanarySkippedError:
                self.observer.heard(self._name(toolchain), "skipped")
                continue
            self._note(self._name(toolchain), heard)
            await self._decide()
        if not only_troubles:
            self.observer.round_done()

    def _note(self, name: str, heard: Heard) -> None:
        self.observer.heard(name, heard.outcome)
        known = self.troubles.get(name)
        if heard.outcome is not Outcome.RIGHT:
            self.troubles[name] = _Trouble(heard)
            if known is None:
                _log.error("a canary is %s: %s", heard.outcome, heard.why)
        elif known is not None:
            known.right += 1
            if known.right >= self.times_right:
                del self.troubles[name]
                _log.warning("the canary of %s is right again", name)

    async def _decide(self) -> None:
        wrong = any(each.heard.outcome is Outcome.WRONG for each in self.troubles.values())
        if wrong or (self.troubles and await self._others_can()):
            if not self.gate.is_held_by(Hold.CANARIES):
                _log.error("this worker takes no jobs: %s", self.trouble)
            self.gate.close(Hold.CANARIES, hand_back=wrong)
        else:
            if self.gate.is_held_by(Hold.CANARIES):
                _log.warning("the canaries are no reason any more to take no jobs")
            self.gate.open(Hold.CANARIES)
        self.observer.held_back(yes=self.gate.is_held_by(Hold.CANARIES))

    async def _others_can(self) -> bool:
        """Say whether workers without trouble have all our languages: a late verdict is better than none."""
        sound = [each for each in await self.colleagues() if not each.has_trouble]
        theirs = frozenset[str]().union(*(each.languages for each in sound))
        return theirs >= {self._name(each) for each in self.toolchains()}

    @staticmethod
    def _name(toolchain: Toolchain) -> str:
        return toolchain.language.slug
