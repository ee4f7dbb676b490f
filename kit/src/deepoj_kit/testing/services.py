"""A service as its own process, for tests that see it from outside."""

from __future__ import annotations

import atexit
import sys
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from deepoj_kit.embedded.free_ports import LOOPBACK, hold_port
from deepoj_kit.embedded.nursery import Nursery
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess, minimal_environ
from deepoj_kit.embedded.service_environ import service_tuning
from deepoj_kit.testing.conditions import PATIENCE

TOKEN = "throw-away"  # noqa: S105 — guards sockets that live for one test


@dataclass(frozen=True, slots=True)
class Service:
    process: RunningProcess
    address: str
    ops_url: str

    def readiness(self) -> tuple[int, str]:
        return http_get(f"{self.ops_url}/readyz")

    def metrics(self) -> str:
        return http_get(f"{self.ops_url}/metrics")[1]

    def log(self) -> str:
        return self.process.log.read_text()


class ServiceStarter:
    """Starts `python -m MODULE ROLE` with the settings given and those every process needs."""

    def __init__(self, home: Path, cleanup: ExitStack) -> None:
        self._home = home
        self._cleanup = cleanup
        self._started: Counter[str] = Counter()

    def __call__(
        self,
        module: str,
        settings: Mapping[str, str],
        *,
        role: str = "serve",
        listen: str | None = None,
        wait: bool = True,
    ) -> Service:
        # Held: whoever got the port between two looks would seem to be this service, and ready.
        held = self._cleanup.enter_context(hold_port())
        ops_listen = f"{LOOPBACK}:{held.getsockname()[1]}"
        name = self._name(f"{module}-{role}")
        address = listen or f"unix:{self._home / name}.sock"
        environ = {"listen": address, "ops_listen": ops_listen, "service_token": TOKEN, **settings}
        spec = ProcessSpec(
            name,
            (sys.executable, "-m", module, role),
            ready=lambda: service.readiness()[0] == 200,  # noqa: PLR2004 — OK
            environ=service_tuning() | {f"DEEPOJ_{name.upper()}": value for name, value in environ.items()},
        )
        process = RunningProcess(spec, self._home / f"{name}.log", shared_nursery())
        self._cleanup.callback(process.kill)
        service = Service(process, address, f"http://{ops_listen}")
        if wait:
            process.wait_ready()
        return service

    def again(self, service: Service) -> Service:
        """Start one that has ended with the settings and at the addresses it had."""
        process = RunningProcess(service.process.spec, service.process.log, shared_nursery())
        self._cleanup.callback(process.kill)
        return replace(service, process=process)

    def _name(self, name: str) -> str:
        """The second of a kind and all after it get a number: a log and a socket each."""
        self._started[name] += 1
        return name if self._started[name] == 1 else f"{name}-{self._started[name]}"


@cache
def shared_nursery() -> Nursery:
    """Give the one of this process: what one test has it import, the next does not wait for."""
    nursery = Nursery(minimal_environ())
    atexit.register(nursery.close)
    return nursery


def http_get(url: str) -> tuple[int, str]:
    """Return status and body; status 0 when nobody listens."""
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:  # noqa: S310 — http on loopback
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except OSError:
        return 0, ""
