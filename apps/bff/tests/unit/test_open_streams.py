"""How many event streams may be open, and whose."""

from __future__ import annotations

import gc
from uuid import uuid4

import pytest

from deepoj_bff.inbound.http.auth.caller import GUEST, Caller, Identity, Means
from deepoj_bff.inbound.http.errors import ApiError
from deepoj_bff.inbound.http.sse.open_streams import OpenStreams, Place, StreamTerms
from deepoj_bff.queries.services import Origin
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role

TERMS = StreamTerms(heartbeat=15, lifetime=60, most=5, most_of_one=2, most_of_guests=3)


@pytest.fixture
def counted() -> list[tuple[str, int]]:
    return []


@pytest.fixture
def streams(counted: list[tuple[str, int]]) -> OpenStreams:
    return OpenStreams(TERMS, lambda kind, number: counted.append((kind, number)))


def somebody() -> Caller:
    return Caller(Identity(Actor(AccountId(uuid4()), Role.CONTESTANT), Means.BEARER), Origin("192.0.2.1", ""))


def guest(address: str = "192.0.2.1") -> Caller:
    return Caller(GUEST, Origin(address, ""))


def refused(streams: OpenStreams, caller: Caller) -> tuple[int, str]:
    with pytest.raises(ApiError) as error:
        streams.take("contest", caller)
    assert error.value.retry_after is not None
    return error.value.kind.status, error.value.reason


def test_an_account_has_its_own_number_of_streams(streams: OpenStreams) -> None:
    ada, bob = somebody(), somebody()
    kept = [streams.take("submission", ada), streams.take("contest", ada)]
    assert refused(streams, ada) == (429, "too_many_streams")
    with streams.take("contest", bob):
        pass
    with kept[0]:
        pass
    assert isinstance(streams.take("contest", ada), Place)


@pytest.mark.parametrize(
    ("first", "neighbour", "stranger"),
    [
        ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"),
        ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"),
        ("fe80::1%eth0", "fe80::2", "::ffff:192.0.2.2"),
        ("", "", "192.0.2.1"),
    ],
)
def test_guests_of_one_network_share_theirs_and_leave_room_for_others(
    streams: OpenStreams, first: str, neighbour: str, stranger: str
) -> None:
    kept = [streams.take("contest", guest(first)) for _ in range(3)]
    assert refused(streams, guest(neighbour)) == (429, "too_many_streams")
    kept += [streams.take("contest", guest(stranger)), streams.take("contest", somebody())]
    assert refused(streams, somebody()) == (503, "too_many_streams"), "the server is full"


def test_a_stream_that_never_began_leaves_its_place(
    streams: OpenStreams, counted: list[tuple[str, int]]
) -> None:
    place = streams.take("contest", guest())
    assert counted == [("contest", 1)]
    del place
    gc.collect()
    assert counted == [("contest", 1), ("contest", 0)]


def test_a_place_is_left_once(streams: OpenStreams, counted: list[tuple[str, int]]) -> None:
    with streams.take("contest", guest()):
        pass
    gc.collect()
    assert counted == [("contest", 1), ("contest", 0)]
