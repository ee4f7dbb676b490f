"""The script in the root of the checkout, in a copy of its own and with programs that only pretend."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from deepoj.checkout import find_checkout

USED = ("readlink", "rm", "mkdir", "cat", "chmod")
OLD_PYTHON = (
    "[ \"$2\" = 'import sys; sys.exit(sys.version_info < (3, 11))' ] && exit 1; echo has only Python 3.9.2"
)
GOOD_PYTHON = """
case "$2" in *ensurepip*) exit {has_venv} ;; esac
[ "$1 $2" = "-m venv" ] && mkdir -p "$4/bin" && echo '#!/bin/sh
cat > "${{0%/*}}/uv"; chmod +x "${{0%/*}}/uv"' > "$4/bin/python" && chmod +x "$4/bin/python"
exit 0
"""
UV = """
[ "$1" = --version ] && exit 0
[ "$1" = sync ] || exit 3
mkdir -p "$3/.venv/bin"
echo '#!/bin/sh
echo "deepoj $* with $UV, downloads $UV_PYTHON_DOWNLOADS"' > "$3/.venv/bin/deepoj"
chmod +x "$3/.venv/bin/deepoj"
"""


class Machine:
    def __init__(self, directory: Path) -> None:
        checkout = find_checkout()
        if checkout is None:
            pytest.skip("the script belongs to a checkout")
        self.checkout = directory / "checkout"
        self.checkout.mkdir()
        shutil.copy(checkout / "deepoj", self.checkout)
        self.programs = directory / "bin"
        self.programs.mkdir()
        for name in USED:
            found = shutil.which(name)
            assert found is not None
            (self.programs / name).symlink_to(found)

    def has(self, name: str, body: str) -> None:
        program = self.programs / name
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", self.checkout / "deepoj", *arguments],
            env={"PATH": str(self.programs)},
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_it_installs_with_the_systems_python_and_passes_the_arguments_on(machine: Machine) -> None:
    machine.has("python3", GOOD_PYTHON.format(has_venv=0))
    machine.has("uv", UV)
    first = machine.run("up", "--port", "0")
    assert first.stdout == f"deepoj up --port 0 with {machine.programs / 'uv'}, downloads never\n"
    assert "first run: downloading about" in first.stderr
    assert machine.run("status").stderr == ""


@pytest.mark.parametrize(("python", "has"), [(None, "has no Python"), (OLD_PYTHON, "has only Python 3.9.2")])
def test_it_names_the_python_it_needs(machine: Machine, python: str | None, has: str) -> None:
    if python is not None:
        machine.has("python3", python)
    refused = machine.run("up")
    assert refused.returncode == 5
    assert refused.stderr.startswith(f"error: Deep-OJ needs Python 3.11 or newer and this machine {has}: ")
    assert refused.stderr.count("\n") == 1


def test_it_gets_uv_into_the_checkout_when_there_is_none(machine: Machine) -> None:
    machine.has("python3", GOOD_PYTHON.format(has_venv=0))
    done = machine.run("--version", stdin=f"#!/bin/sh\n{UV}\n")
    private = machine.checkout / ".uv" / "bin" / "uv"
    assert f"deepoj --version with {private}" in done.stdout
    assert f"uv is not installed; getting it into {private.parent.parent}" in done.stderr


def test_it_names_the_package_that_has_venv(machine: Machine) -> None:
    machine.has("python3", GOOD_PYTHON.format(has_venv=1))
    machine.has("id", "echo 1000")
    refused = machine.run("up")
    assert refused.returncode == 5
    assert "sudo apt-get install python3-venv" in refused.stderr


def test_root_on_debian_gets_that_package_installed(machine: Machine) -> None:
    machine.has("python3", GOOD_PYTHON.format(has_venv=1))
    machine.has("id", "echo 0")
    machine.has("apt-get", 'echo "apt-get $*"')
    done = machine.run("up", stdin=f"#!/bin/sh\n{UV}\n")
    assert "installing the Debian package python3-venv" in done.stderr
    assert "apt-get install -y python3-venv" in done.stderr
    assert done.returncode == 0
