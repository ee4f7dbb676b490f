"""`deepoj admin attempts`."""

from __future__ import annotations

import click

from deepoj.client.judging_wire import WorkerAttempts
from deepoj.verbs.admin.desk import Desk, single


@single(
    "attempts",
    "Show which judge worker had which submission, and when. The story of one: deepoj trace.",
    "deepoj admin attempts",
    "deepoj admin attempts --minutes 60 --json",
)
@click.option(
    "--minutes",
    type=click.IntRange(1, 60),
    default=10,
    show_default=True,
    help="Leave out what had ended before.",
)
def command(desk: Desk, minutes: int) -> None:
    found = desk.api.get("/api/admin/attempts", WorkerAttempts, params={"minutes": str(minutes)})
    columns = (
        "worker",
        "submission_id",
        "attempt",
        "language",
        "started_at",
        "ended_at",
        "outcome",
        "reason",
    )
    desk.show(found.items, *columns, none="no worker had anything")
    if found.cut and not desk.as_json:
        desk.done("there were more: only the latest submissions are looked at")
