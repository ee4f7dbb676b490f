"""Languages are got from Debian with apt-get, and whoever cannot is told the line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deepoj.doctor.packages import install, packages_of
from deepoj.errors import Exit, Failure
from deepoj.setter.events import Language

APT = """#!/bin/sh
echo "$0 $*" >> {calls}
case "$*" in
    policy*) printf 'golang-go:\\n  Installed: (none)\\n  Candidate: 2:1.19\\n  Version table:\\n'
             printf 'gone:\\n  Installed: (none)\\n  Candidate: (none)\\n' ;;
    *broken*) echo 'E: broken'; exit 100 ;;
    *) echo "doing $1" ;;
esac
"""


def language(slug: str, package: str) -> Language:
    return Language(slug, slug, "", package, 100, 100, [])


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in for apt, which would change the machine."""
    for name in ("apt-get", "apt-cache"):
        (tmp_path / name).write_text(APT.format(calls=tmp_path / "calls"))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return tmp_path / "calls"


def test_only_what_debian_has_is_installed_and_every_step_is_told(calls: Path) -> None:
    told: list[str] = []
    install([language("go", "golang-go"), language("b", "gone golang-go")], told.append)
    asked = [line.partition(" ")[2] for line in calls.read_text().splitlines()]
    assert [line.split()[-1] for line in asked] == ["update", "gone", "golang-go"]
    assert asked[-1].startswith("install -y --no-install-recommends")
    assert "b: this Debian has no package gone" in told
    assert "  doing install" in told


def test_what_apt_refuses_is_a_sentence(calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "C")
    (calls.parent / "apt-get").write_text("#!/bin/sh\necho 'E: no network'; exit 100\n")
    with pytest.raises(Failure, match="apt-get ended with code 100: E: no network") as refused:
        install([language("go", "golang-go")], lambda _: None)
    assert refused.value.code is Exit.FAILED


def test_who_is_not_root_is_told_the_line(calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    line = "run sudo apt-get install -y --no-install-recommends golang-go"
    with pytest.raises(Failure, match=line) as refused:
        install([language("go", "golang-go")], lambda _: None)
    assert refused.value.code is Exit.UNUSABLE
    assert not calls.exists()


def test_a_machine_without_apt_is_told_the_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Failure, match=r"no apt-get: install what corresponds .* golang-go"):
        install([language("go", "golang-go")], lambda _: None)


def test_packages_are_named_once() -> None:
    assert packages_of([language("a", "y x"), language("b", "x")]) == ["x", "y"]
