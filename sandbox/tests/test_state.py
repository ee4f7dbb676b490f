"""What the sandbox keeps between starts is believed only when nobody else can have written it."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host import maker
from deepoj_sandbox.host.slots import take_slot
from deepoj_sandbox.host.workshop import Workshop
from deepoj_sandbox.testing import Laboratory


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


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: boxes with users of their own")
def test_a_factory_that_is_too_slow_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "_START_SECONDS", 0.001)
    with pytest.raises(SandboxError, match=r"start factory \(no answer within 0.001 seconds\)"):
        Workshop(tmp_path)


@pytest.fixture
def private_umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.mark.usefixtures("private_umask")
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: boxes with users of their own")
def test_a_program_reaches_what_it_needs_whatever_the_umask_of_the_host_is(tmp_path: Path) -> None:
    with Workshop(tmp_path) as workshop:
        laboratory, box = Laboratory(workshop, tmp_path), workshop.make()
        try:
            laboratory.put(box, "deep/data.txt", b"read")
            laboratory.put(
                box, "deep/show", b"#!/bin/sh\ncat /app/deep/data.txt > /dev/stdout\numask\n", executable=True
            )
            ended = laboratory.run(box, "/app/deep/show")
            etc = laboratory.run(box, "/bin/ls", "/etc/ld.so.cache", "/dev/null")
        finally:
            box.close()
    assert (ended.stdout, ended.stderr) == (b"read0022\n", b"")
    assert etc.stdout == b"/dev/null\n/etc/ld.so.cache\n"
