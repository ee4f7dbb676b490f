"""`deepoj admin health`."""

from __future__ import annotations

import sys

from deepoj.client.judging_wire import Health
from deepoj.console import out, print_json
from deepoj.errors import Exit
from deepoj.verbs.admin.desk import Desk, single


@single(
    "health",
    "Show whether every service behind the API is able to serve.",
    "deepoj admin health && echo all is well",
    exits={Exit.OK: "all serve", Exit.FAILED: "at least one does not"},
)
def command(desk: Desk) -> None:
    health = desk.api.get("/api/health", Health, accept=(503,))
    if desk.as_json:
        print_json({"status": health.status, "services": health.services})
    else:
        for name, state in health.services.items():
            out().print(f"{name}: {state}", markup=False, style="" if state == "serving" else "bold red")
    sys.exit(Exit.OK if health.status == "ok" else Exit.FAILED)
