"""`deepoj admin limits`."""

from __future__ import annotations

import msgspec

from deepoj.client.judging_wire import DoorLimits, Quotas
from deepoj.console import print_json
from deepoj.verbs.admin.desk import Desk, single


@single(
    "limits",
    "Show what admission goes by, and what the front door takes at once and from whom. They are settings "
    "of the bff (deepoj config).",
    "deepoj admin limits",
)
def command(desk: Desk) -> None:
    quotas = desk.api.get("/api/admin/quotas", Quotas)
    limits = desk.api.get("/api/admin/limits", DoorLimits)
    if desk.as_json:
        print_json({"quotas": msgspec.to_builtins(quotas), "limits": msgspec.to_builtins(limits)})
        return
    desk.facts(quotas)
    desk.facts(limits)
