"""A balancer in the client: each request goes to the next front door that says it is ready."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from itertools import count
from typing import Self

import httpx

from deepoj_kit.testing.services import Service, http_get
from tests.e2e.conftest import CERTIFICATES

# Doors give notice for longer than two looks.
LOOK_SECONDS = 0.1
_READY = 200


class Balancer:
    def __init__(self, services: Mapping[str, Service]) -> None:
        self._doors = [service for name, service in services.items() if name.startswith("bff")]
        self._open: list[httpx.URL] = []
        self._turn = count()
        self._over = threading.Event()
        self._looking = threading.Thread(target=self._look_on)
        self.answered: dict[str, int] = {}
        """How many requests each door has answered."""

    def __enter__(self) -> Self:
        self._look()
        self._looking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._looking.join()

    def route(self) -> httpx.BaseTransport:
        return _Route(self)

    def next_door(self) -> httpx.URL:
        doors = self._open
        return doors[next(self._turn) % len(doors)]

    @property
    def open(self) -> int:
        return len(self._open)

    def _look_on(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self._look()

    def _look(self) -> None:
        ready = [door for door in self._doors if http_get(f"{door.ops_url}/readyz")[0] == _READY]
        self._open = [httpx.URL(f"http://{door.address}") for door in ready]


class _Route(httpx.BaseTransport):
    def __init__(self, balancer: Balancer) -> None:
        self._balancer = balancer
        self._connections = httpx.HTTPTransport(verify=CERTIFICATES)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        door = self._balancer.next_door()
        request.url = request.url.copy_with(host=door.host, port=door.port)
        answer = self._connections.handle_request(request)
        counts = self._balancer.answered
        counts[str(door)] = counts.get(str(door), 0) + 1
        return answer

    def close(self) -> None:
        self._connections.close()
