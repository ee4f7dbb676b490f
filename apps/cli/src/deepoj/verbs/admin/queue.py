"""`deepoj admin queue`."""

from __future__ import annotations

from deepoj.client.judging_wire import QueueStats
from deepoj.verbs.admin.desk import Desk, single


@single(
    "queue",
    "Show how many submissions wait in which lane and band, and for how long. Live: deepoj top.",
    "deepoj admin queue",
)
def command(desk: Desk) -> None:
    stats = desk.api.get("/api/admin/queue", QueueStats)
    if desk.as_json:
        desk.facts(stats)
        return
    desk.show(stats.queues, "lane", "band", "waiting", "oldest_wait_ms", none="nothing waits")
    desk.done(
        f"running {stats.running}, stalled {stats.stalled}, dead {stats.dead}, "
        f"not sent {stats.outbox_pending}"
    )
