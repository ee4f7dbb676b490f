"""`deepoj worker drain`, `resume` and `drained`: out of service and back, without a shell on the host."""

from __future__ import annotations

import time
from typing import Final

import click

from deepoj.client.judging_wire import Drain, Drains, WorkerDetail, WorkerDetails
from deepoj.client.wire import Nothing
from deepoj.console import err
from deepoj.errors import Exit
from deepoj.verbs.admin.desk import Desk, reason_option, single
from deepoj.verbs.admin.moments import LENGTH_MS

_PATH: Final = "/api/admin/workers"
_EVERY_SECONDS: Final = 1.0
_name_argument = click.argument("name", metavar="HOST")


@single(
    "drain",
    "Take HOST out of service: it takes nothing new, and finishes what it judges or hands it back in time. "
    "HOST is the name of a worker as deepoj top shows it, or of a judge host with all its workers. It stays "
    "out of service, also when it is started again, until deepoj worker resume. For admins.",
    "deepoj worker drain judge-1 --reason 'new kernel' --wait && ssh judge-1 reboot",
    "deepoj worker drain judge-1 --hand-back-after 0s",
    exits={Exit.OK: "it is so; with --wait: and nothing runs there any more"},
)
@_name_argument
@reason_option
@click.option(
    "--hand-back-after",
    type=LENGTH_MS,
    default="10m",
    show_default=True,
    help="How long it may take with what it judges; others judge the rest.",
)
@click.option("--wait", is_flag=True, help="Wait until nothing runs there.")
def drain(desk: Desk, *, name: str, reason: str, hand_back_after: int, wait: bool) -> None:
    order = {"name": name, "reason": reason, "hand_back_after_ms": hand_back_after}
    drained = desk.api.post(f"{_PATH}/drain", Drain, order, repeatable=True)
    concerned = _workers(desk, name)
    if not concerned:
        desk.note(f"no worker called {name} is alive; one that comes is out of service")
    if wait and concerned:
        with err().status(f"waiting for {name}"):
            _await_rest(desk, name)
    desk.done(f"{name} is out of service: deepoj worker resume {name} puts it back", drained)


@single(
    "resume",
    "Put HOST back into service, by the name it was drained by. For admins.",
    "deepoj worker resume judge-1",
)
@_name_argument
def resume(desk: Desk, *, name: str) -> None:
    desk.api.post(f"{_PATH}/resume", Nothing, {"name": name})
    desk.done(f"{name} is in service again")


@single(
    "drained",
    "Show what is out of service, alive or not, and why. For judges and admins.",
    "deepoj worker drained",
)
def drained(desk: Desk) -> None:
    found = desk.api.get(f"{_PATH}/drained", Drains).items
    desk.show(found, "name", "reason", "drained_at", "hand_back_at", none="everything is in service")


def _workers(desk: Desk, name: str) -> list[WorkerDetail]:
    alive = desk.api.get(_PATH, WorkerDetails).items
    return [each for each in alive if each.name == name or each.name.startswith(f"{name}.")]


def _await_rest(desk: Desk, name: str) -> None:
    """Presence is some seconds old: a worker that says it is drained has not begun anything since."""
    while any(each.running or not each.drained for each in _workers(desk, name)):
        time.sleep(_EVERY_SECONDS)
