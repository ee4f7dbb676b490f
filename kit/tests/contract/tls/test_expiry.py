"""When certificates end is told as a metric, and read anew."""

from __future__ import annotations

import asyncio
import time

from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.metrics import counted
from deepoj_kit.tls.expiry import watch_expiry
from kit.tests.certificates import DAY, Authority

METRIC = "tls_certificate_expiry_timestamp_seconds"


async def test_the_end_of_each_certificate_is_shown(
    ours: Authority, metric_reader: InMemoryMetricReader
) -> None:
    stop = asyncio.Event()
    watching = asyncio.create_task(watch_expiry(ours.issue("server", ends=3 * DAY), stop))
    await eventually(lambda: counted(metric_reader, METRIC, file="tls_certificate") is not None)
    stop.set()
    await watching
    for file, days in (("tls_certificate", 3), ("tls_ca", 10)):
        ends = counted(metric_reader, METRIC, file=file) or 0
        assert abs(ends - time.time() - days * DAY.total_seconds()) < 60
