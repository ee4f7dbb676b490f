"""The whole system with two copies of whatever several may run, and people who meet another one each time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import running_copies
from tests.e2e.copies.balancer import Balancer

if TYPE_CHECKING:
    from deepoj_kit.testing.servers import Servers
    from tests.e2e.conftest import System

COPIES = 2
# In flight so few that two doors which do not know of each other would let in too many.
SETTINGS = {"submit_in_flight": "4", "run_in_flight": "2", "shutdown_notice": "500ms"}


@pytest.fixture(scope="session")
def balancer(doubled: tuple[System, Balancer]) -> Balancer:
    return doubled[1]


@pytest.fixture(scope="session")
def system(doubled: tuple[System, Balancer]) -> System:
    return doubled[0]


@pytest.fixture(scope="session")
def doubled(servers: Servers) -> Iterator[tuple[System, Balancer]]:
    with running_copies(servers, COPIES, SETTINGS) as system, Balancer(system.started) as balancer:
        system.route = balancer.route
        system.guest.http = system.client()
        system.admin.http = system.client(system.admin.token)
        yield system, balancer
