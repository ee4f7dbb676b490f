"""A server of the operator's own replaces an embedded one."""

from __future__ import annotations

from collections.abc import Callable

import psycopg

from apps.cli.tests.up_process import UpProcess


def test_servers_named_by_url_are_used_and_not_started(
    toy_up: Callable[..., UpProcess], external: dict[str, str]
) -> None:
    up = toy_up(environ=external)
    up.wait_ready()
    names = {each.name for each in up.state().processes}
    assert names.isdisjoint({"postgres", "redis", "s3"})
    with psycopg.connect(external["DEEPOJ_POSTGRES_URL"]) as connection:
        connection.execute("SELECT * FROM record.kept")
    assert up.stop() == 0
