"""The environment of one service: its own addresses and stores, and of our settings those meant for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deepoj.stack.services import SERVE, Service, Store
from deepoj_kit.embedded.s3 import S3Access
from deepoj_kit.embedded.service_environ import service_tuning

PREFIX = "DEEPOJ_"
STORE_VARIABLES = {
    Store.POSTGRES: ("DEEPOJ_POSTGRES_URL",),
    Store.REDIS: ("DEEPOJ_REDIS_URL",),
    Store.S3: ("DEEPOJ_S3_ENDPOINT", "DEEPOJ_S3_ACCESS_KEY", "DEEPOJ_S3_SECRET_KEY", "DEEPOJ_S3_BUCKET"),
}
# Read by this command alone.
OURS = frozenset({"DEEPOJ_DATA", "DEEPOJ_DEBUG", "DEEPOJ_POSTGRES_BIN", "DEEPOJ_REDIS_BIN", "DEEPOJ_S3_BIN"})


@dataclass(frozen=True, slots=True)
class Stores:
    postgres_urls: Mapping[str, str] = field(repr=False)
    """By service; each has a role of its own."""
    redis_url: str = field(repr=False)
    s3: S3Access = field(repr=False)
    bucket: str


@dataclass(frozen=True, slots=True)
class Addresses:
    run: Path
    data: Path
    http: str
    ops: Mapping[str, str]
    """host:port of the health and metrics endpoint, by process."""

    def of(self, service: Service) -> str:
        if service.serves_http:
            return self.http
        return own_setting(service, "LISTEN") or f"unix:{self.run / service.name}.sock"


def own_setting(service: Service, name: str) -> str | None:
    """Return what the operator set for this service alone; an empty variable is not set."""
    return os.environ.get(f"{PREFIX}{service.app.upper()}_{name}") or None


def own_ops_address(service: Service) -> str | None:
    """Return where the operator wants to watch this process; each role of a service has its own place."""
    process = service.name.upper().replace("-", "_")
    return os.environ.get(f"{PREFIX}{process}_OPS_LISTEN") or None


def service_environ(
    service: Service, services: tuple[Service, ...], stores: Stores, addresses: Addresses, token: str
) -> dict[str, str]:
    scope = PREFIX + service.app.upper()
    ours = {f"{scope}_{name}": value.format(data=addresses.data) for name, value in service.settings.items()}
    environ = {"DEEPOJ_SERVICE_TOKEN": token, **service_tuning(), **ours, **inherited(service, services)}
    environ |= _stores(service, stores)
    environ[f"{scope}_LISTEN"] = addresses.of(service)
    environ[f"{scope}_OPS_LISTEN"] = addresses.ops[service.name]
    called = {each.app: each for each in services if each.role == SERVE}
    for name in service.calls:
        if name in called:
            environ[f"{PREFIX}{name.upper()}_ADDRESS"] = addresses.of(called[name])
    return environ


def inherited(service: Service, services: tuple[Service, ...]) -> dict[str, str]:
    """Return our own DEEPOJ_ variables that this service may see: not another's, and no store's."""
    others = tuple(f"{PREFIX}{each.app.upper()}_" for each in services if each.app != service.app)
    stores = {name for names in STORE_VARIABLES.values() for name in names}
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(PREFIX)
        and not name.startswith((*others, "DEEPOJ_TEST_"))
        and name not in stores | OURS
    }


def _stores(service: Service, stores: Stores) -> dict[str, str]:
    values: dict[Store, tuple[str, ...]] = {}
    if Store.POSTGRES in service.stores:
        values[Store.POSTGRES] = (stores.postgres_urls[service.app],)
    if Store.REDIS in service.stores:
        values[Store.REDIS] = (stores.redis_url,)
    if Store.S3 in service.stores:
        values[Store.S3] = (stores.s3.endpoint, stores.s3.access_key, stores.s3.secret_key, stores.bucket)
    return {
        name: value
        for store, given in values.items()
        for name, value in zip(STORE_VARIABLES[store], given, strict=True)
    }
