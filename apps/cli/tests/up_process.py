"""Drive a real `deepoj up` from a test: start it, ask it, end it, see what it left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from deepoj.runtime import runtime_path
from deepoj.state import ProcessState, StackState, birth_of, read_state
from deepoj_kit.testing.conditions import until

READY = "Deep-OJ is ready: "
PATIENCE = 120.0


class UpProcess:
    def __init__(self, data: Path, argv: Sequence[str], environ: Mapping[str, str]) -> None:
        self.data = data
        self.output = ""
        self._process = subprocess.Popen(
            list(argv), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(environ)
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_ready(self) -> str:
        """Return the line that says so."""
        for line in self._process.stdout or ():
            self.output += line
            if line.startswith(READY):
                return line.strip()
        code, complaint = self.wait()
        raise AssertionError(f"it ended with {code}: {self.output}{complaint}")

    def close_output(self) -> None:
        """Read one line and no more."""
        if self._process.stdout is not None:
            self._process.stdout.readline()
            self._process.stdout.close()

    def wait(self) -> tuple[int, str]:
        """Wait for the end; return the exit code and what it wrote to stderr."""
        output, complaint = self._process.communicate(timeout=PATIENCE)
        self.output += output or ""
        return self._process.returncode, complaint

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def ended(self) -> bool:
        return self._process.poll() is not None

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it if it runs; safe to call twice."""
        if self._process.returncode is not None:
            return self._process.returncode
        self.send(number)
        return self.wait()[0]

    def state(self) -> StackState:
        """Return what it says about itself, as soon as it says anything."""
        path = self.data / "state.json"
        until(lambda: read_state(path) is not None, f"{path} was written")
        state = read_state(path)
        if state is None:
            raise AssertionError(f"{path} is gone")
        return state

    def process(self, name: str) -> ProcessState:
        return next(each for each in self.state().processes if each.name == name)

    def kill_process(self, name: str) -> None:
        pid = self.process(name).pid
        if pid is None:
            raise AssertionError(f"{name} does not run")
        os.kill(pid, signal.SIGKILL)

    def left_behind(self, running: StackState) -> list[str]:
        """Return what of `running` is still there: processes, sockets, the state file."""
        paths = [runtime_path(self.data), self.data / "state.json"]
        paths += [Path(path) for each in running.processes for path in each.leftovers]
        return alive(running) + [str(path) for path in paths if path.exists()]


def alive(running: StackState) -> list[str]:
    return [
        f"{each.name} {each.pid}"
        for each in running.processes
        if each.pid is not None and each.birth is not None and birth_of(each.pid) == each.birth
    ]


def own_environ() -> dict[str, str]:
    """Return our environment without settings that would change what is tested."""
    return {name: value for name, value in os.environ.items() if not name.startswith("DEEPOJ_")}


def real_up(data: Path, *options: str, environ: Mapping[str, str] | None = None) -> UpProcess:
    """Start the command itself, with the real services."""
    argv = (sys.executable, "-m", "deepoj", "up", "--data", str(data), *options)
    return UpProcess(data, argv, own_environ() | dict(environ or {}))
