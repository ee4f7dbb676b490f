from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from rich.console import Console

from deepoj.stack.board import picture_of, uptime
from deepoj.state import Phase, ProcessState, StackState, State, birth_of, read_state


def test_the_state_survives_being_written_and_read(tmp_path: Path) -> None:
    process = ProcessState("record", State.READY, 7, 99, 2, 12.5, "signal 9: nothing", ("/run/a.sock",))
    state = StackState(1, 42, Phase.READY, "http://127.0.0.1:8000", (process,), ("less",))
    state.write(tmp_path / "state.json")
    assert read_state(tmp_path / "state.json") == state
    assert (tmp_path / "state.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"pid": 1, "birth": 2, "phase": "gone", "url": "", "processes": []}']
)
def test_a_state_of_another_version_counts_as_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "state.json").write_text(content)
    assert read_state(tmp_path / "state.json") is None


def test_a_process_is_told_from_another_with_its_number() -> None:
    assert birth_of(os.getpid()) is not None
    assert birth_of(0) is None


def test_uptime_reads_like_a_clock() -> None:
    process = ProcessState("record", State.READY, 7, 99, 0, 1000.0, "")
    assert uptime(process, 1000.0 + 3600 * 26 + 61) == "26:01:01"


def test_the_picture_of_a_stack_shows_what_a_person_should_know() -> None:
    state = StackState(
        1, 42, Phase.READY, "http://127.0.0.1:8000", (), ("Isolation is degraded: no cgroup.",)
    )
    console = Console(record=True, file=io.StringIO())
    console.print(picture_of(state))
    assert "Isolation is degraded: no cgroup." in console.export_text()
