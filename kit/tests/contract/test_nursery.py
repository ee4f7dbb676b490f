"""Services that are forked from one process behave like programs started on their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deepoj_kit.embedded.nursery import Nursery
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess, minimal_environ
from deepoj_kit.testing.conditions import until

ROOT = """
import os
from pathlib import Path
with Path(__file__).with_name("imports").open("a") as file:
    file.write(f"{os.getpid()}\\n")
"""
MAIN = """
import os, signal, sys
from toy_service import container
if __name__ == "__main__":
    match sys.argv[1]:
        case "show":
            print(sys.argv[1:], os.environ.get("TOLD"), os.getsid(0) == os.getpid(), sys.stdin.read())
            sys.exit(3)
        case "wait":
            print("waiting", flush=True)
            signal.pause()
        case "break":
            import no_such_module
"""
PARENT = """
import os, sys
from pathlib import Path
from deepoj_kit.embedded.nursery import Nursery
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess
spec = ProcessSpec("toy", (sys.executable, "-m", "toy_service", "wait"), ready=lambda: True)
child = RunningProcess(spec, Path(sys.argv[1]), Nursery(os.environ))
print(child.pid, flush=True)
sys.stdin.read()
"""
Start = Callable[..., RunningProcess]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    package = tmp_path / "toy_service"
    package.mkdir()
    for name, text in (("__init__", ""), ("__main__", MAIN), ("container", ROOT)):
        package.joinpath(f"{name}.py").write_text(text)
    return package


@pytest.fixture
def nursery(package: Path) -> Iterator[Nursery]:
    nursery = Nursery(minimal_environ() | {"PYTHONPATH": str(package.parent)})
    yield nursery
    nursery.close()


@pytest.fixture
def start(nursery: Nursery, tmp_path: Path) -> Iterator[Start]:
    started: list[RunningProcess] = []

    def start(*arguments: str, **environ: str) -> RunningProcess:
        argv = (sys.executable, "-m", "toy_service", *arguments)
        spec = ProcessSpec("toy", argv, ready=lambda: True, environ=environ)
        started.append(RunningProcess(spec, tmp_path / f"log-{len(started)}", nursery))
        return started[-1]

    yield start
    for process in started:
        process.kill()


def _is_waiting(process: RunningProcess) -> bool:
    return process.log.read_text() == "waiting\n"


def _is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_what_services_share_is_imported_once(start: Start, package: Path) -> None:
    first, second = start("show"), start("show")
    assert (first.wait(), second.wait()) == (3, 3)
    imported_in = package.joinpath("imports").read_text().split()
    assert len(imported_in) == 1
    assert int(imported_in[0]) not in {first.pid, second.pid}


def test_what_is_loaded_ahead_is_there_when_it_is_asked_for(
    nursery: Nursery, start: Start, package: Path
) -> None:
    nursery.open()
    nursery.load(["toy_service"])
    imported_in = package.joinpath("imports").read_text()
    assert start("show").wait() == 3
    assert package.joinpath("imports").read_text() == imported_in


def test_each_has_arguments_an_environment_a_session_a_log_and_an_exit_code_of_its_own(start: Start) -> None:
    told, other = start("show", "two words", TOLD="a secret"), start("show")
    assert (told.wait(), other.wait()) == (3, 3)
    assert told.log.read_text() == "['show', 'two words'] a secret True \n"
    assert other.log.read_text() == "['show'] None True \n"


def test_the_nursery_never_holds_what_a_service_is_told(start: Start) -> None:
    """A child begins with the memory of the nursery: the second would know the secrets of the first."""
    secret = f"secret-{os.getpid()}-of-the-first"
    start("show", TOLD=secret).wait()
    second = start("wait")
    until(lambda: _is_waiting(second))
    maps = Path(f"/proc/{second.pid}/maps").read_text().splitlines()
    with Path(f"/proc/{second.pid}/mem").open("rb", buffering=0) as memory:
        for area in (line.split() for line in maps):
            begin, end = (int(part, 16) for part in area[0].split("-"))
            if area[1].startswith("rw") and not area[-1].startswith("[v"):
                memory.seek(begin)
                assert secret.encode() not in memory.read(end - begin), area


def test_the_process_list_names_the_service_and_not_the_nursery(start: Start) -> None:
    process = start("wait")
    until(lambda: _is_waiting(process))
    shown = Path(f"/proc/{process.pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    assert shown == [sys.executable.encode(), b"-m", b"toy_service", b"wait"]
    assert Path(f"/proc/{process.pid}/comm").read_text() == "toy_service\n"


def test_it_is_stopped_by_a_signal_and_its_end_is_told(start: Start) -> None:
    process = start("wait")
    until(lambda: _is_waiting(process))
    assert process.exit_code() is None
    process.stop()
    process.stop()
    assert process.exit_code() == -signal.SIGTERM
    assert _is_gone(process.pid)


def test_a_failure_at_the_start_is_in_the_services_own_log(start: Start, package: Path) -> None:
    package.joinpath("container.py").write_text("import no_such_module\n")
    process = start("show")
    assert process.wait() == 1
    assert process.last_words() == "ModuleNotFoundError: No module named 'no_such_module'"


def test_a_nursery_that_was_killed_takes_its_services_along_and_is_replaced(start: Start) -> None:
    process, other = start("wait"), start("wait")
    until(lambda: _is_waiting(process) and _is_waiting(other))
    parent = int(Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(parent, signal.SIGKILL)
    assert process.wait() != 0
    assert start("show").wait() == 3
    assert other.wait() != 0


def test_a_service_ends_when_the_process_that_started_it_is_killed(package: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path / "log")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(package.parent)},
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        until(lambda: (tmp_path / "log").read_text() != "")
        parent.kill()
    until(lambda: _is_gone(child))
