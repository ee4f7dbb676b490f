"""`deepoj admin workers`."""

from __future__ import annotations

from deepoj.client.judging_wire import WorkerDetails
from deepoj.verbs.admin.desk import Desk, single


@single(
    "workers",
    "Show the judge workers alive, how they isolate, and their languages. Their jobs: deepoj top.",
    "deepoj admin workers",
    "deepoj admin workers --json",
)
def command(desk: Desk) -> None:
    found = desk.api.get("/api/admin/workers", WorkerDetails).items
    columns = (
        "name",
        "running",
        "capacity",
        "version",
        "started_at",
        "seen_at",
        "drained",
        "languages",
        "layers",
    )
    desk.show(found, *columns, none="no worker is alive")
