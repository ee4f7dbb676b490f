"""What the sandbox keeps between starts is believed only when nobody else can have written it."""

import json
import os
from pathlib import Path

import pytest

from deepoj_sandbox.host.slots import take_slot


def planted(tmp_path: Path) -> Path:
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    (state / "slot-0.lock").write_text(json.dumps([str(tmp_path / "victim")]))
    return state


def test_a_state_directory_others_may_write_to_is_refused(tmp_path: Path) -> None:
    state = planted(tmp_path)
    state.chmod(0o777)
    removed: list[Path] = []
    with pytest.raises(PermissionError, match="writable to nobody else"):
        take_slot(state, removed.append)
    assert removed == []


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: only root can make directories of other users")
def test_a_state_directory_of_another_user_is_refused(tmp_path: Path) -> None:
    state = planted(tmp_path)
    os.chown(state, 54321, 54321)
    removed: list[Path] = []
    with pytest.raises(PermissionError, match="must belong to this user"):
        take_slot(state, removed.append)
    assert removed == []
