"""The listening side of the agent."""

import contextlib
import os
import selectors
import signal
import socket
import struct
import threading
from pathlib import Path

from deepoj_sandbox.agent.session import Session
from deepoj_sandbox.codec import Json
from deepoj_sandbox.host.gate import Gate
from deepoj_sandbox.host.pool import Pool

_CREDENTIALS = struct.Struct("3i")
_BACKLOG = 128


class Server:
    """Accepts clients of the same user, of root, and of one more user if told so."""

    def __init__(self, path: Path, pool: Pool, layers: Json, allow_user: int | None = None) -> None:
        self._path = path
        self._pool = pool
        self._layers = layers
        self._gate = Gate()
        self._allowed = {0, os.geteuid()} | ({allow_user} if allow_user is not None else set())
        self._sessions: dict[threading.Thread, socket.socket] = {}
        self._lock = threading.Lock()
        self._wake, self._waker = socket.socketpair()
        self._listener = _listen(path, allow_user)

    def serve(self, factory: int) -> bool:
        """Accept until `stop`; then hang up on everybody, which kills what they run.

        False when the factory (a pidfd) has died: without it this process is of no use.
        """
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._wake, selectors.EVENT_READ)
            selector.register(factory, selectors.EVENT_READ)
            ready: set[object] = set()
            while not ready & {self._wake, factory}:
                if self._listener in ready:
                    self._accept()
                ready = {key.fileobj for key, _ in selector.select()}
        self._listener.close()
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()
        self._hang_up()
        self._wake.close()
        self._waker.close()
        return factory not in ready

    def stop(self) -> None:
        """Have `serve` return. Without effect when it has."""
        with contextlib.suppress(OSError):
            self._waker.send(b"x")

    def stop_on_signals(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.stop())

    def _accept(self) -> None:
        channel, _ = self._listener.accept()
        peer = channel.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        if _CREDENTIALS.unpack(peer)[1] not in self._allowed:
            channel.close()
            return
        thread = threading.Thread(target=self._attend, args=(channel,), daemon=True)
        with self._lock:
            self._sessions[thread] = channel
        thread.start()

    def _attend(self, channel: socket.socket) -> None:
        try:
            Session(channel, self._pool, self._gate, self._layers, self._path.parent).serve()
        finally:
            with self._lock:
                del self._sessions[threading.current_thread()]

    def _hang_up(self) -> None:
        with self._lock:
            sessions = list(self._sessions.items())
        for thread, channel in sessions:
            with contextlib.suppress(OSError):
                channel.shutdown(socket.SHUT_RDWR)
            thread.join()


def _listen(path: Path, allow_user: int | None) -> socket.socket:
    path.parent.mkdir(parents=True, exist_ok=True)
    # A socket file outlives its killed owner; nobody answers on it any more.
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    previous = os.umask(0o177)
    try:
        listener.bind(str(path))
    finally:
        os.umask(previous)
    if allow_user is not None:
        os.chown(path, allow_user, -1)
    listener.listen(_BACKLOG)
    return listener
