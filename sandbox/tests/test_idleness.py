"""Who counts as asleep, by looks that may come late."""

import os
import socket
import time
from collections.abc import Iterator

import pytest

from deepoj_sandbox.box import idleness as module
from deepoj_sandbox.box import wire
from deepoj_sandbox.box.idleness import Idleness
from deepoj_sandbox.box.rest import Rest

MS = 1_000_000
LONGEST = 1000 * MS


class World:
    """What a keeper sees: the time, the threads of its box, an output and the control socket."""

    def __init__(self, *, rests: bool = False) -> None:
        self.now = 0
        self.threads = b"SS"
        self.reader, self.writer = os.pipe()
        self.host, self._control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.host.setblocking(False)  # noqa: FBT003 -- socket's own signature
        self.rest = Rest(self._control, wanted=rests)
        self.idleness = Idleness(LONGEST, 0, [self.writer], self.rest)

    def look_after(self, milliseconds: int, used_ms: int = 0) -> bool:
        self.now += milliseconds * MS
        return self.idleness.is_over(used_ms * MS)

    def heard(self) -> bytes:
        try:
            return self.host.recv(wire.MAX_REPLY)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        os.close(self.reader)
        os.close(self.writer)
        self.host.close()
        self._control.close()


@pytest.fixture
def worlds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[World]]:
    made: list[World] = []
    monkeypatch.setattr(module, "thread_states", lambda: made[-1].threads)
    monkeypatch.setattr(time, "monotonic_ns", lambda: made[-1].now)
    yield made
    for each in made:
        each.close()


@pytest.fixture
def world(worlds: list[World]) -> World:
    worlds.append(World())
    return worlds[-1]


@pytest.fixture
def resting(worlds: list[World]) -> World:
    worlds.append(World(rests=True))
    return worlds[-1]


def test_four_looks_at_sleeping_threads_are_too_long(world: World) -> None:
    assert [world.look_after(250) for _ in range(4)] == [False, False, False, True]


def test_a_look_that_comes_late_says_nothing_of_the_time_before(world: World) -> None:
    assert [world.look_after(60_000) for _ in range(4)] == [False, False, False, True]


def test_looks_in_quick_succession_after_a_late_one_count_for_what_they_are(world: World) -> None:
    assert not world.look_after(60_000)
    assert not any(world.look_after(10) for _ in range(70))
    assert any(world.look_after(10) for _ in range(10))


@pytest.mark.parametrize("threads", [b"SR", b"DS"])
def test_a_thread_that_waits_for_a_processor_or_a_disk_is_awake(world: World, threads: bytes) -> None:
    world.threads = threads
    assert not any(world.look_after(250) for _ in range(20))


def test_whoever_wrote_what_nobody_has_taken_yet_is_awake(world: World) -> None:
    os.write(world.writer, b"x")
    assert not any(world.look_after(250) for _ in range(20))
    os.read(world.reader, 1)
    assert [world.look_after(250) for _ in range(4)] == [False, False, False, True]


def test_the_host_is_told_once_of_a_program_that_sleeps(resting: World) -> None:
    assert not resting.look_after(60_000)
    assert resting.heard() == b""
    assert not resting.look_after(25)
    assert resting.heard() == wire.ASLEEP
    assert any(resting.look_after(10) for _ in range(100))
    assert resting.heard() == b""


def test_a_host_that_does_not_ask_is_told_nothing(world: World) -> None:
    assert any(world.look_after(250) for _ in range(4))
    assert world.heard() == b""
