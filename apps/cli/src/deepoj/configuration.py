"""The settings of every process, asked of the processes themselves: the command line imports none of them."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from deepoj.errors import Exit, Failure
from deepoj.stack.environ import STORE_VARIABLES, inherited
from deepoj.stack.services import Service
from deepoj_kit.embedded.nursery import Nursery
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess, minimal_environ

TIMEOUT = 180.0
POLL = 0.02
BY_UP = "deepoj up"
MISSING = "missing"
SUPPLIED = frozenset(
    {"listen", "ops_listen", "service_token", "postgres_url", "redis_url"}
    | {"s3_endpoint", "s3_access_key", "s3_secret_key", "s3_bucket"}
)


@dataclass(frozen=True, slots=True)
class Setting:
    process: str
    name: str
    variable: str
    value: str
    source: str
    help: str
    problem: str

    @property
    def wrong(self) -> bool:
        return bool(self.problem) or self.source == MISSING


def settings_of(chosen: Sequence[Service], services: tuple[Service, ...]) -> list[Setting]:
    """Ask the chosen ones of all services, side by side."""
    with tempfile.TemporaryDirectory() as directory, closing(Nursery(minimal_environ())) as nursery:
        asked = [
            RunningProcess(_question(each, services), Path(directory, each.name), nursery) for each in chosen
        ]
        return [
            setting
            for service, process in zip(chosen, asked, strict=True)
            for setting in _settings(service.app, process)
        ]


def _question(service: Service, services: tuple[Service, ...]) -> ProcessSpec:
    stores = {name for names in STORE_VARIABLES.values() for name in names}
    environ = inherited(service, services)
    environ |= {name: value for name, value in os.environ.items() if name in stores}
    command = (sys.executable, "-m", service.package, "config", "--json")
    return ProcessSpec(service.name, command, ready=lambda: True, environ=environ)


def _settings(app: str, process: RunningProcess) -> list[Setting]:
    deadline = time.monotonic() + TIMEOUT
    while (code := process.exit_code()) is None:
        if time.monotonic() > deadline:
            process.kill()
            said = f"{app} did not describe its settings within {TIMEOUT:g} s: is the machine busy?"
            raise Failure(said, Exit.FAILED)
        time.sleep(POLL)
    said = (process.log.read_text().strip().splitlines() or ["it said nothing"])[-1]
    if code != 0:
        raise Failure(f"{app} could not describe its settings: {said}", Exit.FAILED)
    return [_setting(app, values) for values in json.loads(said)]


def _setting(process: str, values: dict[str, str]) -> Setting:
    name, source = values["name"], values["source"]
    if source == MISSING and (name in SUPPLIED or name.endswith("_address")):
        source = BY_UP
    return Setting(
        process, name, values["variable"], values["value"], source, values["help"], values["problem"]
    )
