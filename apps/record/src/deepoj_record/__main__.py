"""`python -m deepoj_record serve | relay | watchdog | config`.

`relay` delivers what the serving processes did not and what Redis lost, sweeps like `watchdog`, and deletes
old messages. Any number of each may run.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from functools import partial

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_kit.lifecycle import Process, StartError, main
from deepoj_kit.postgres import Listener
from deepoj_kit.purge import Purge
from deepoj_record.container import Container
from deepoj_record.inbound.grpc.registration import register
from deepoj_record.inbound.periodic import every
from deepoj_record.settings import RecordSettings

_REJUDGES = timedelta(seconds=1)


async def serve(process: Process, settings: RecordSettings) -> None:
    if not settings.s3_endpoint:
        raise StartError("s3_endpoint is missing: whoever serves reads logs from the object store")
    container = await _stores(process, settings, "serve")
    _ = await process.enter(container.object_store())
    for channel in (container.question_channel(), container.game_channel(), container.judgement_channel()):
        await process.enter(channel)
    process.loop("publisher", container.publisher().run)
    process.loop("notifier", container.notifier().run)
    refresh = container.languages().refresh
    process.loop("languages", partial(every, settings.languages_refresh, "languages", refresh))
    process.loop("rejudges", partial(every, _REJUDGES, "rejudges", container.continue_rejudges()))
    server = container.server()
    register(server.registry, container.record_servicer(), container.worker_servicer())
    await process.enter(server)


async def relay(process: Process, settings: RecordSettings) -> None:
    container = await _stores(process, settings, "relay")
    process.check("redis", container.redis().ping)
    relaying, outbox, database = container.relay(), container.outbox(), container.database()
    process.loop("relay", relaying.run)
    process.loop("guard", container.guard().run)
    process.loop("listener", Listener(database, {outbox.channel: relaying.wake}).run)
    _sweep(process, container, settings)
    process.loop("purge", Purge(partial(outbox.purge, database), keep=settings.outbox_keep).run)


async def watchdog(process: Process, settings: RecordSettings) -> None:
    container = await _stores(process, settings, "watchdog")
    process.check("redis", container.redis().ping)
    process.loop("notifier", container.notifier().run)
    _sweep(process, container, settings)


async def _stores(process: Process, settings: RecordSettings, role: str) -> Container:
    try:
        settings.judging_policy()
    except (InvalidValueError, ValueError) as error:
        raise StartError(f"the settings contradict each other: {error}") from error
    container = Container(settings=settings, process=process, role=role)
    database = await process.enter(container.database())
    process.check("postgres", database.ping)
    _ = await process.enter(container.redis())
    return container


def _sweep(process: Process, container: Container, settings: RecordSettings) -> None:
    interval = settings.watchdog_interval
    process.loop("watchdog", partial(every, interval, "sweep", container.sweep()))
    process.loop("measure", partial(every, interval, "measure", container.measure()))


if __name__ == "__main__":
    sys.exit(main("record", RecordSettings, {"serve": serve, "relay": relay, "watchdog": watchdog}))
