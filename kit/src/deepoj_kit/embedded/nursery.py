"""Services forked from one process that has imported what they share: they start at once and share memory."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock

from deepoj_kit.embedded.launch import launched
from deepoj_kit.embedded.service_environ import service_tuning

LONGEST_ANSWER = 64


class Nursery:
    """The process starts with the first request, and again when it was killed; what it bore ends with it.

    It ends with the *thread* that makes the first request, so make that in one that stays.
    """

    def __init__(self, environ: Mapping[str, str], log: Path | None = None) -> None:
        self._environ = {**environ, **service_tuning()}
        self._log = log
        self._lock = Lock()
        self._channel: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        """Start the process before the first request."""
        self._open()

    @property
    def pid(self) -> int | None:
        """None while there is no process."""
        return None if self._process is None else self._process.pid

    def load(self, packages: Iterable[str]) -> None:
        """Import ahead what will be asked for; from any thread, once the process is there."""
        with self._lock, suppress(ConnectionError):  # when it is gone, the next request starts another
            for package in packages:
                _ask(self._open(), f"load {package}")

    def fork(
        self,
        package: str,
        arguments: Sequence[str],
        environ: Mapping[str, str],
        death_signal: signal.Signals,
        log: int,
    ) -> Forked:
        """Start `python -m PACKAGE ARGUMENT…` in a session of its own; `log` takes what it writes."""
        told = {"arguments": list(arguments), "environ": dict(environ), "death_signal": int(death_signal)}
        description = os.memfd_create("description")
        try:
            os.write(description, json.dumps(told).encode())
            with self._lock:
                try:
                    return self._fork(package, description, log)
                except ConnectionError:
                    self._close()
                    return self._fork(package, description, log)
        finally:
            os.close(description)

    def close(self) -> None:
        """End the process, and with it what it bore."""
        if self._process is not None:
            self._process.kill()  # before the lock: nobody waits for an answer any longer
        with self._lock:
            self._close()

    def _fork(self, package: str, description: int, log: int) -> Forked:
        channel = self._open()
        os.lseek(description, 0, os.SEEK_SET)
        pid = _ask(channel, f"fork {package}", description, log)
        return Forked(pid, partial(self._reap, channel))

    def _reap(self, channel: socket.socket, pid: int) -> int:
        try:
            with self._lock:
                return _ask(channel, f"reap {pid}")
        except OSError:
            return -signal.SIGKILL  # the nursery was killed, perhaps replaced, and took it along

    def _open(self) -> socket.socket:
        if self._channel is None:
            self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs, Path(self._log or os.devnull).open("ab") as output:
                program = (sys.executable, "-m", "deepoj_kit.embedded.nursery_process")
                self._process = subprocess.Popen(
                    launched(program, signal.SIGKILL),
                    stdin=theirs.fileno(),
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    env=self._environ,
                    start_new_session=True,
                )
        return self._channel

    def _close(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Forked:
    """A process of the nursery, with the part of `subprocess.Popen` that its user needs."""

    def __init__(self, pid: int, reap: Callable[[int], int]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._reap = reap
        self._descriptor = os.pidfd_open(pid)

    def poll(self) -> int | None:
        return self.returncode if self._has_ended(0) else None

    def wait(self, timeout: float | None = None) -> int:
        if not self._has_ended(timeout) or self.returncode is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            signal.pidfd_send_signal(self._descriptor, number)

    def _has_ended(self, timeout: float | None) -> bool:
        if self.returncode is None:
            poll = select.poll()
            poll.register(self._descriptor, select.POLLIN)
            if not poll.poll(None if timeout is None else timeout * 1000):
                return False
            self.returncode = self._reap(self.pid)
            os.close(self._descriptor)
        return True


def _ask(channel: socket.socket, request: str, *descriptors: int) -> int:
    socket.send_fds(channel, [request.encode()], descriptors)
    answer = channel.recv(LONGEST_ANSWER)
    if not answer:
        raise ConnectionResetError("the nursery has ended")
    return int(answer)
