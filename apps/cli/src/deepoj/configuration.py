"""The settings of every process, asked of the processes themselves: the command line imports none of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from deepoj.errors import Exit, Failure
from deepoj.stack.environ import STORE_VARIABLES, inherited
from deepoj.stack.services import Service
from deepoj_kit.embedded.process import minimal_environ

TIMEOUT = 180.0
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
    with ThreadPoolExecutor() as pool:
        each = pool.map(partial(_settings, services=services), chosen)
        return [setting for settings in each for setting in settings]


def _settings(service: Service, services: tuple[Service, ...]) -> list[Setting]:
    stores = {name for names in STORE_VARIABLES.values() for name in names}
    environ = minimal_environ() | inherited(service, services)
    environ |= {name: value for name, value in os.environ.items() if name in stores}
    command = [sys.executable, "-m", f"deepoj_{service.app}", "config", "--json"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=TIMEOUT, env=environ
        )
    except subprocess.TimeoutExpired as error:
        said = f"{service.app} did not describe its settings within {TIMEOUT:g} s: is the machine busy?"
        raise Failure(said, Exit.FAILED) from error
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise Failure(f"{service.app} could not describe its settings: {said}", Exit.FAILED)
    return [_setting(service.app, values) for values in json.loads(done.stdout)]


def _setting(process: str, values: dict[str, str]) -> Setting:
    name, source = values["name"], values["source"]
    if source == MISSING and (name in SUPPLIED or name.endswith("_address")):
        source = BY_UP
    return Setting(
        process, name, values["variable"], values["value"], source, values["help"], values["problem"]
    )
