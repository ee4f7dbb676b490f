"""How many event streams may be open, and how long each lives."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, Self

from deepoj_bff.inbound.http.auth.caller import Caller
from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_bff.inbound.http.sse.frames import Event, framed
from deepoj_domain.kernel.network import Address, Network


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamTerms:
    heartbeat: float
    """Seconds between signs of life on a stream without events."""
    lifetime: float
    """Seconds after which a stream ends, so that its caller proves again who they are. Clients resume."""
    most: int
    most_of_one: int
    most_of_guests: int
    """From one network: those behind it cannot be told apart."""
    exempt: tuple[Network, ...] = ()
    """Networks whose guests are not counted together."""
    look: float = 3.0
    """Seconds after which a watcher looks without an event; the view it finds may be two seconds old."""
    recheck: float = 60.0
    """Seconds between two questions whether a watcher may still see what others read for it."""


class Pulse:
    """When a stream is to show a sign of life, to look by itself, and to end."""

    __slots__ = ("_checked", "_ends", "_heartbeat", "_recheck", "_spoke", "look")

    def __init__(self, terms: StreamTerms) -> None:
        self._spoke = self._checked = time.monotonic()
        self._recheck = terms.recheck
        self._ends = self._spoke + terms.lifetime
        self._heartbeat = terms.heartbeat
        self.look = min(terms.look, terms.heartbeat)

    @property
    def over(self) -> bool:
        return time.monotonic() >= self._ends

    @property
    def due(self) -> bool:
        """Whether nothing was said for so long that something has to be."""
        return time.monotonic() - self._spoke >= self._heartbeat

    def spoke(self) -> None:
        self._spoke = time.monotonic()

    @property
    def recheck_due(self) -> bool:
        return time.monotonic() - self._checked >= self._recheck

    def rechecked(self) -> None:
        self._checked = time.monotonic()


_RETRY: Final = timedelta(seconds=5)
_IPV6_NETWORK: Final = 8


class Place:
    """One of the streams that may be open; free again after its block, or when nobody came to use it."""

    __slots__ = ("_free",)

    def __init__(self, free: Callable[[], None]) -> None:
        self._free: Callable[[], None] | None = free

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        free, self._free = self._free, None
        if free is not None:
            free()

    def __del__(self) -> None:
        # A client that is gone before the first frame leaves behind a stream that never began.
        self.__exit__()


@dataclass(slots=True)
class OpenStreams:
    terms: StreamTerms
    on_change: Callable[[str, int], None]
    _by_watcher: Counter[str] = field(default_factory=Counter)
    _by_kind: Counter[str] = field(default_factory=Counter)

    def take(self, kind: str, caller: Caller) -> Place:
        """Take a place for a stream that is about to begin, or raise when there is none."""
        watcher, most = caller.account_id, self.terms.most_of_one
        if not watcher:
            address = caller.origin.address
            watcher, most = f"guests of {_network(address)}", self.terms.most_of_guests
            if address and any(_plain(address) in network for network in self.terms.exempt):
                most = self.terms.most
        if self._by_kind.total() >= self.terms.most:
            detail = "as many event streams are open as this server takes"
            raise ApiError(ErrorType.UNAVAILABLE, "too_many_streams", detail, retry_after=_RETRY)
        if self._by_watcher[watcher] >= most:
            whose = "you have" if caller.account_id else "guests at your address have"
            detail = f"{whose} {most} event streams open; close one"
            raise ApiError(ErrorType.TOO_MANY_REQUESTS, "too_many_streams", detail, retry_after=_RETRY)
        self._add(kind, watcher, 1)
        return Place(partial(self._add, kind, watcher, -1))

    def _add(self, kind: str, watcher: str, by: int) -> None:
        self._by_kind[kind] += by
        self._by_watcher[watcher] += by
        if not self._by_watcher[watcher]:
            del self._by_watcher[watcher]
        self.on_change(kind, self._by_kind[kind])


def _network(address: str) -> str:
    """Return what one household has: an IPv4 address, or the first half of an IPv6 one."""
    if ":" not in address:
        return address
    whole = _plain(address)
    return str(whole) if isinstance(whole, IPv4Address) else whole.packed[:_IPV6_NETWORK].hex()


def _plain(address: str) -> Address:
    found = ip_address(address)
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


async def placed(place: Place, events: AsyncGenerator[Event | None]) -> AsyncIterator[bytes]:
    """Encode the events of a stream, whose place is free again at its end."""
    with place:
        async with aclosing(framed(events)) as frames:
            async for each in frames:
                yield each
