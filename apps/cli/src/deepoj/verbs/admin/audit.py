"""`deepoj admin audit`."""

from __future__ import annotations

from deepoj.client.account_wire import SecurityEvent
from deepoj.client.pages import Page, listed
from deepoj.verbs.admin.desk import Desk, limit_option, single


@single(
    "audit",
    "Show the security events of all accounts, the latest first. Those of one: deepoj admin accounts log.",
    "deepoj admin audit",
    "deepoj admin audit --limit 1000 --json",
)
@limit_option
def command(desk: Desk, limit: int) -> None:
    found = listed(desk.api, "/api/admin/audit-log", Page[SecurityEvent], limit=limit)
    desk.show(found, "at", "event", "user_id", "detail", "origin.address", none="nothing happened")
