"""What the front door is told from outside is checked before it opens."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from deepoj_bff.__main__ import serve
from deepoj_bff.settings import BffSettings
from deepoj_kit.lifecycle import Process, StartError
from deepoj_kit.settings import Secret

NOWHERE = "unix:/nobody"


def settings(*trusted_proxies: str) -> BffSettings:
    return BffSettings(
        service_token=Secret("x"),
        record_address=NOWHERE,
        judgement_address=NOWHERE,
        question_address=NOWHERE,
        game_address=NOWHERE,
        user_address=NOWHERE,
        redis_url=Secret("redis://127.0.0.1:1/0"),
        trusted_proxies=trusted_proxies,
    )


def test_proxies_are_networks_of_either_kind() -> None:
    found = settings("10.1.2.3/8", "192.0.2.1", "2001:db8::/32").proxies()
    assert found == (ip_network("10.0.0.0/8"), ip_network("192.0.2.1/32"), ip_network("2001:db8::/32"))


@pytest.mark.parametrize("text", ["10.0.0.0/33", "proxy.example", "10.0.0"])
async def test_a_proxy_that_is_no_network_is_told_at_the_start(text: str) -> None:
    made = settings(text)
    with pytest.raises(StartError, match=f"trusted_proxies has '{text}'"):
        await serve(Process(), made)
