"""A run of the tests hears Ctrl-C wherever it was started."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from deepoj_kit.testing.plugin import hear_interrupts


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_run_in_the_background_hears_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    hear_interrupts()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_who_listens_already_is_left_alone() -> None:
    def listen(*_: object) -> None: ...

    signal.signal(signal.SIGINT, listen)
    hear_interrupts()
    assert signal.getsignal(signal.SIGINT) is listen
