"""Whoever runs alone does not keep the others waiting for long."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from deepoj_sandbox.host.gate import OPEN, Gate

PATIENCE = 30.0


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Runner(threading.Thread):
    """A run in a thread of its own: says when it is inside, and leaves when told."""

    def __init__(self, gate: Gate, *, alone: bool = False) -> None:
        super().__init__(daemon=True)
        self._gate = gate
        self._alone = alone
        self.inside = threading.Event()
        self.leave = threading.Event()

    def run(self) -> None:
        with self._gate.enter(alone=self._alone):
            self.inside.set()
            self.leave.wait(PATIENCE)


@contextmanager
def running(gate: Gate, *, alone: bool = False) -> Iterator[Runner]:
    runner = Runner(gate, alone=alone)
    runner.start()
    try:
        yield runner
    finally:
        runner.leave.set()
        runner.join(PATIENCE)


def test_while_one_runs_alone_nobody_starts() -> None:
    gate = Gate()
    with ExitStack() as stack:
        alone = stack.enter_context(running(gate, alone=True))
        assert alone.inside.wait(PATIENCE)
        other = stack.enter_context(running(gate))
        assert not other.inside.wait(0.1)
        alone.leave.set()
        assert other.inside.wait(PATIENCE)


def test_whoever_would_wait_long_to_be_alone_runs_beside_the_others() -> None:
    gate = Gate(patience=0.05)
    with running(gate) as first, running(gate, alone=True) as alone:
        assert first.inside.wait(PATIENCE)
        assert alone.inside.wait(PATIENCE)
        with running(gate) as third:
            assert third.inside.wait(PATIENCE)


@contextmanager
def running_by_itself(gate: Gate) -> Iterator[int]:
    """As one does who drives a box of its own."""
    shared = gate.share()
    fcntl.flock(shared, fcntl.LOCK_SH)
    try:
        yield shared
    finally:
        os.close(shared)


def test_who_runs_by_itself_is_waited_for_and_sees_the_gate_closed() -> None:
    gate = Gate()
    with ExitStack() as stack:
        with running_by_itself(gate) as shared:
            assert os.pread(shared, 1, 0) == OPEN
            alone = stack.enter_context(running(gate, alone=True))
            assert not alone.inside.wait(0.1)
            assert os.pread(shared, 1, 0) != OPEN
        assert alone.inside.wait(PATIENCE)
        late = gate.share()
        stack.callback(os.close, late)
        with pytest.raises(BlockingIOError):
            fcntl.flock(late, fcntl.LOCK_SH | fcntl.LOCK_NB)
        alone.leave.set()
        alone.join(PATIENCE)
        assert os.pread(late, 1, 0) == OPEN
        fcntl.flock(late, fcntl.LOCK_SH | fcntl.LOCK_NB)


def test_whoever_would_wait_long_for_one_that_runs_by_itself_runs_beside_it() -> None:
    gate = Gate(patience=0.05)
    with running_by_itself(gate) as shared, running(gate, alone=True) as alone:
        assert alone.inside.wait(PATIENCE)
        assert os.pread(shared, 1, 0) == OPEN


def test_of_all_the_time_little_is_spent_alone() -> None:
    clock = Clock()
    gate = Gate(clock)

    def is_alone() -> bool:
        """Whether a run that wants to be alone keeps another out."""
        with running(gate, alone=True) as wanting:
            assert wanting.inside.wait(PATIENCE)
            with running(gate) as other:
                kept_out = not other.inside.wait(0.1)
                clock.now += 2
                wanting.leave.set()
        return kept_out

    assert is_alone()
    for _ in range(5):
        assert not is_alone()
    clock.now += 48
    assert is_alone()
