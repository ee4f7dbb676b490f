"""A directory is ours alone, or it is refused."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_IMODE

import pytest

from deepoj_kit.private import private_directory


def mode(path: Path) -> int:
    return S_IMODE(path.stat().st_mode)


def test_a_new_directory_is_private_from_the_first_moment(tmp_path: Path) -> None:
    made = private_directory(tmp_path / "new" / "home")
    assert mode(made) == 0o700
    assert private_directory(made) == made


def test_a_directory_others_could_only_read_is_closed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o755)
    private_directory(home)
    assert mode(home) == 0o700


def test_a_directory_others_could_write_to_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o777)
    with pytest.raises(OSError, match="other users may write to it"):
        private_directory(home)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o755)
    (tmp_path / "home").symlink_to("theirs")
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        private_directory(tmp_path / "home")
    assert mode(tmp_path / "theirs") == 0o755


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: only root can make directories of other users")
def test_a_directory_of_another_user_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    os.chown(home, 54321, 54321)
    with pytest.raises(OSError, match="it belongs to another user"):
        private_directory(home)
