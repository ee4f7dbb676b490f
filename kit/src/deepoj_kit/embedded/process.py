"""A child process described as data, and the handle of one that runs."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deepoj_kit.embedded.launch import launched
from deepoj_kit.embedded.logs import reason, size
from deepoj_kit.embedded.nursery import Forked, Nursery

READY_TIMEOUT = 180.0
STOP_TIMEOUT = 20.0
PROBE_INTERVAL = 0.02


class ServerError(Exception):
    """A server could not be prepared or started; the message is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    name: str
    argv: tuple[str, ...]
    ready: Callable[[], bool]
    environ: Mapping[str, str] = field(default_factory=dict)
    stop_signal: signal.Signals = signal.SIGTERM
    stop_timeout: float = STOP_TIMEOUT
    """Seconds after which it is killed when it was asked to stop."""
    death_signal: signal.Signals | None = None
    """Sent by the kernel when the starting thread ends; the stop signal when not given."""
    drop_root: bool = False
    """The program refuses root: give it an unprivileged id when started by root."""
    leftovers: tuple[Path, ...] = ()
    """Files outside its own directories that the program does not remove itself."""

    @property
    def on_death(self) -> signal.Signals:
        return self.stop_signal if self.death_signal is None else self.death_signal

    def command(self) -> list[str]:
        user = "nobody" if self.drop_root and os.geteuid() == 0 else "same"
        return launched(self.argv, self.on_death, user)


class RunningProcess:
    """A started program; it ends with the *thread* that made this object, so make it in one that stays.

    With a nursery it is forked there, and ends with that; its command is `python -m PACKAGE ARGUMENT…`.
    """

    def __init__(self, spec: ProcessSpec, log: Path, nursery: Nursery | None = None) -> None:
        self.spec = spec
        self.log = log
        self._log_start = size(log)
        environ = minimal_environ() | dict(spec.environ)
        self._popen: subprocess.Popen[bytes] | Forked
        with log.open("ab") as output:
            if nursery is not None:
                _, _, package, *arguments = spec.argv
                self._popen = nursery.fork(package, arguments, environ, spec.on_death, output.fileno())
                return
            self._popen = subprocess.Popen(
                spec.command(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environ,
                # A terminal's Ctrl-C goes to the whole foreground group; the parent alone decides the order.
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def reaped(self) -> bool:
        """Whether its end was noted; from then on its id may be another's."""
        return self._popen.returncode is not None

    def exit_code(self) -> int | None:
        return self._popen.poll()

    def last_words(self) -> str:
        """Return why it stopped or is not ready, as far as its log since this start says so."""
        return reason(self.log, self._log_start)

    def wait_ready(self, timeout: float = READY_TIMEOUT) -> None:
        deadline = time.monotonic() + timeout
        while not self.spec.ready():
            if self.exit_code() is not None:
                raise ServerError(f"{self.spec.name} stopped while starting: {self.last_words()}")
            if time.monotonic() > deadline:
                raise ServerError(
                    f"{self.spec.name} was not ready after {timeout:.0f} s: {self.last_words()} "
                    f"(full log: {self.log})"
                )
            time.sleep(PROBE_INTERVAL)

    def wait(self) -> int:
        """Wait for it to end by itself; return its exit code."""
        return self._popen.wait()

    def ask_to_stop(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._popen.send_signal(self.spec.stop_signal)

    def stop(self, timeout: float | None = None) -> None:
        """End the process; safe to call twice."""
        self.ask_to_stop()
        try:
            self._popen.wait(self.spec.stop_timeout if timeout is None else timeout)
        except subprocess.TimeoutExpired:
            self.kill()
        self._remove_leftovers()

    def kill(self) -> None:
        """End the process and what it left in its group; safe to call twice, and after it ended by itself."""
        if not self.reaped:
            # So the id is still its own; the session was made for it, so the group is too.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            # Before setsid in the child there is no such group yet.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        self._popen.wait()
        self._remove_leftovers()

    def _remove_leftovers(self) -> None:
        for path in self.spec.leftovers:
            path.unlink(missing_ok=True)


@contextlib.contextmanager
def running(spec: ProcessSpec, log: Path) -> Iterator[RunningProcess]:
    process = RunningProcess(spec, log)
    try:
        process.wait_ready()
        yield process
    finally:
        process.stop()


def minimal_environ() -> dict[str, str]:
    """What a child needs of our environment and nothing that may hold a secret."""
    names = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "SSL_CERT_FILE")
    return {name: os.environ[name] for name in names if name in os.environ}
