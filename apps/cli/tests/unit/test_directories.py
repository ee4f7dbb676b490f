"""Where things are kept, and what is refused there."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from deepoj.credentials import load_or_make
from deepoj.errors import Exit, Failure
from deepoj.home import Home, default_data, is_running, locked, prepare
from deepoj.runtime import LONGEST_DIRECTORY, runtime_directory, runtime_path


def test_the_data_directory_is_a_setting_else_in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEEPOJ_DATA", raising=False)
    assert default_data().name == ".deepoj"
    monkeypatch.setenv("DEEPOJ_DATA", "/srv/judge")
    assert default_data() == Path("/srv/judge")


def test_a_nearly_full_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10 * 2**20))
    with pytest.raises(Failure, match="only 10 MiB are free") as refused:
        prepare(tmp_path / "data")
    assert refused.value.code is Exit.UNUSABLE


def test_the_lock_shows_whether_a_stack_runs(tmp_path: Path) -> None:
    home = prepare(tmp_path / "data")
    assert not is_running(home)
    with locked(home):
        assert is_running(home)
        with pytest.raises(Failure, match="another deepoj up uses"), locked(home):
            pass
    assert not is_running(home)


def test_sockets_get_a_short_private_directory_however_long_the_data_path_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / ("x" * 120)))
    data = prepare(tmp_path / ("d" * 200)).root
    assert len(str(runtime_path(data))) <= LONGEST_DIRECTORY
    with runtime_directory(data) as run:
        assert run == runtime_path(data)
        assert run.stat().st_mode & 0o777 == 0o700
        (run / "socket").touch()
    assert not run.exists()


@pytest.mark.parametrize("intruder", ["link", "open"])
def test_a_socket_directory_that_others_could_have_prepared_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, intruder: str
) -> None:
    with tempfile.TemporaryDirectory() as base:  # a short path; pytest's own is too long for sockets
        monkeypatch.setenv("XDG_RUNTIME_DIR", base)
        path = runtime_path(prepare(tmp_path).root)
        assert path.parent == Path(base)
        if intruder == "link":
            path.symlink_to(tmp_path)
        else:
            path.mkdir()
            path.chmod(0o777)
        with pytest.raises(Failure, match="not a private directory"), runtime_directory(tmp_path):
            pass


def test_a_stack_that_ends_leaves_the_sockets_of_one_started_meanwhile_at_the_same_path(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(locked(prepare(data)))
        first.enter_context(runtime_directory(data))
        shutil.rmtree(data)
        second.enter_context(locked(prepare(data)))
        run = second.enter_context(runtime_directory(data))
        (run / "socket").touch()
        first.close()
        assert (run / "socket").exists()


def test_credentials_are_kept_private_and_grow_with_new_services(tmp_path: Path) -> None:
    home = Home(tmp_path)
    first = load_or_make(home, ("record",))
    home.credentials.chmod(0o644)
    second = load_or_make(home, ("record", "game"))
    assert home.credentials.stat().st_mode & 0o777 == 0o600
    assert second.postgres == first.postgres
    assert second.roles["record"] == first.roles["record"]
    assert set(second.roles) == {"record", "game"}
    assert first.postgres not in repr(first)


def test_unreadable_credentials_are_not_replaced(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.credentials.write_text("{")
    with pytest.raises(Failure, match="put it back from a backup"):
        load_or_make(home, ())
    assert home.credentials.read_text() == "{"
