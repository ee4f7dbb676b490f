"""A way to a store that can be shut: to the service behind it the store is away."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from deepoj_kit.embedded.free_ports import LOOPBACK

Connect = Callable[[], socket.socket]
PIECE = 1 << 16


class Gate:
    """Passes bytes on between who connects and the store, until it is shut."""

    def __init__(self, listening: socket.socket, connect: Connect) -> None:
        self._listening = listening
        self._connect = connect
        self._is_open = True
        self._ends: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    @contextmanager
    def shut(self) -> Iterator[None]:
        self._is_open = False
        self._hang_up()
        try:
            yield
        finally:
            self._is_open = True

    def close(self) -> None:
        self._listening.close()
        self._hang_up()

    def _hang_up(self) -> None:
        for end in list(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                if self._is_open:
                    there = self._connect()
                    for one, other in ((here, there), (there, here)):
                        threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()
                else:
                    here.close()

    def _pass_on(self, given: socket.socket, to: socket.socket) -> None:
        self._ends.add(given)
        with given, suppress(OSError):
            while piece := given.recv(PIECE):
                to.sendall(piece)
            to.shutdown(socket.SHUT_RDWR)
        self._ends.discard(given)


@contextmanager
def gates(settings: dict[str, str], home: Path) -> Iterator[tuple[dict[str, str], dict[str, Gate]]]:
    """Give settings that lead to the stores by gates, and these by the names of the stores."""
    with ExitStack() as cleanup:

        def gate(listening: socket.socket, connect: Connect) -> Gate:
            made = Gate(listening, connect)
            cleanup.callback(made.close)
            return made

        postgres, redis = urlsplit(settings["postgres_url"]), urlsplit(settings["redis_url"])
        s3 = urlsplit(settings["s3_endpoint"])
        there = Path(parse_qs(postgres.query)["host"][0]) / ".s.PGSQL.5432"
        port = socket.create_server((LOOPBACK, 0))
        made = {
            "PostgreSQL": gate(_listen(home / there.name), lambda: _unix(there)),
            "Redis": gate(_listen(home / "redis"), lambda: _unix(Path(redis.path))),
            "S3": gate(port, lambda: socket.create_connection((s3.hostname or "", s3.port or 80))),
        }
        led = {
            "postgres_url": postgres._replace(query=f"host={quote(str(home), safe='')}").geturl(),
            "redis_url": redis._replace(path=str(home / "redis")).geturl(),
            "s3_endpoint": f"http://{LOOPBACK}:{port.getsockname()[1]}",
        }
        yield settings | led, made


def _listen(path: Path) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()
    return listening


def _unix(path: Path) -> socket.socket:
    connected = socket.socket(socket.AF_UNIX)
    connected.connect(str(path))
    return connected
