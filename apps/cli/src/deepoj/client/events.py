"""Server-sent events, and how to follow them through a broken connection."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import httpx
import msgspec

from deepoj.client.api import Api
from deepoj.client.refusals import failure_of, unreachable
from deepoj.client.wire import Problem
from deepoj.errors import Exit, Failure

# Connections in a row on which nothing was heard.
BREAKS: Final = 6
_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 8.0


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    data: str
    id: str = ""


def events_in(lines: Iterable[str]) -> Iterator[Event]:
    """Read a stream as the HTML standard says; comments, such as heartbeats, are passed over."""
    fields: dict[str, str] = {}
    for line in lines:
        if not line:
            if "data" in fields:
                yield Event(fields.get("event", "message"), fields["data"], fields.get("id", ""))
            fields = {}
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        fields[name] = f"{fields[name]}\n{value}" if name == "data" and "data" in fields else value


class _Connection:
    """One try to follow; it knows whether it heard anything, be it a heartbeat."""

    def __init__(self, api: Api, path: str) -> None:
        self._api = api
        self._path = path
        self.last = ""
        self.heard = False
        self.is_over = False

    def events(self) -> Iterator[Event]:
        self.heard = False
        headers = {"accept": "text/event-stream", **({"last-event-id": self.last} if self.last else {})}
        with self._api.stream("GET", self._path, headers=headers) as answer:
            self.is_over = answer.status_code == HTTPStatus.NO_CONTENT
            for event in events_in(self._heard(answer.iter_lines())):
                if event.name == "end":
                    self.is_over = True
                    return
                if event.name == "error":
                    raise failure_of(msgspec.json.decode(event.data, type=Problem))
                self.last = event.id or self.last
                yield event

    def _heard(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            self.heard = True
            yield line


def follow(api: Api, path: str, sleep: Callable[[float], None] = time.sleep) -> Iterator[Event]:
    """Yield events until `end`, going on where a broken connection left off."""
    connection, breaks = _Connection(api, path), 0
    while True:
        broken: Exception = EOFError("it ends before its end")
        try:
            yield from connection.events()
        except httpx.TransportError as error:
            broken = error
        except Failure as failure:
            if failure.code is not Exit.LATER:
                raise
            broken = failure
        if connection.is_over:
            return
        breaks = 1 if connection.heard else breaks + 1
        if breaks >= BREAKS:
            raise broken if isinstance(broken, Failure) else unreachable(api.server, broken)
        sleep(min(_PAUSE * 2 ** (breaks - 1), _LONGEST_PAUSE))
