"""`python -m deepoj_record serve | relay | watchdog | config`.

`relay` delivers what the serving processes did not and what Redis lost, sweeps like `watchdog`, and deletes
old messages. Any number of each may run. `sweep` deletes logs of submissions that are not there, as `serve`
does from time to time.
"""

from __future__ import annotations

import argparse
import sys
from datetime import timedelta
from functools import partial

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_kit.lifecycle import OneShot, Process, StartError, main
from deepoj_kit.postgres import Listener
from deepoj_kit.purge import Purge
from deepoj_record.container import Container
from deepoj_record.inbound import judge_hosts, log_sweep
from deepoj_record.inbound.grpc.record_servicer import register
from deepoj_record.inbound.periodic import every
from deepoj_record.settings import RecordSettings

_REJUDGES = timedelta(seconds=1)
_LEAST_LOGS = timedelta(days=1)


async def serve(process: Process, settings: RecordSettings) -> None:
    if not (settings.s3_endpoint and settings.s3_bucket):
        raise StartError(
            "s3_endpoint or s3_bucket is missing: whoever serves reads logs from the object store"
        )
    if settings.logs_keep and settings.logs_keep < _LEAST_LOGS:
        raise StartError(
            "logs_keep is less than a day, and logs are written meanwhile: set a day or more, or 0"
        )
    container = await _stores(process, settings, "serve")
    _ = await process.enter(container.object_store())
    for channel in (container.question_channel(), container.game_channel(), container.judgement_channel()):
        await process.enter(channel)
    process.loop("publisher", container.publisher().run)
    process.loop("notifier", container.notifier().run)
    refresh = container.languages().refresh
    process.loop("languages", partial(every, settings.languages_refresh, "languages", refresh))
    process.loop("rejudges", partial(every, _REJUDGES, "rejudges", container.continue_rejudges()))
    if settings.logs_keep:
        process.loop("purge", Purge(container.logs().purge, keep=settings.logs_keep).run)
    orphans = Purge(
        log_sweep.deleting(container.sweep_logs()), keep=log_sweep.LEAST_AGE, interval=log_sweep.SWEEPS
    )
    process.loop("sweep logs", orphans.run)
    server = container.server()
    server.admit(container.guests())
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


async def sweep(settings: RecordSettings, arguments: argparse.Namespace) -> int:
    container = Container(settings=settings, process=Process(), role="sweep")
    async with container.database(), container.object_store():
        return await log_sweep.sweep_once(container.sweep_logs(), arguments)


async def invite(settings: RecordSettings, arguments: argparse.Namespace) -> int:
    container = Container(settings=settings, process=Process(), role="invite")
    async with container.database(), container.hosts_redis():
        return await judge_hosts.invite(container.invite_host(), arguments.name)


async def revoke(settings: RecordSettings, arguments: argparse.Namespace) -> int:
    container = Container(settings=settings, process=Process(), role="revoke")
    async with container.database(), container.hosts_redis():
        return await judge_hosts.revoke(container.revoke_host(), arguments.name)


async def hosts(settings: RecordSettings, arguments: argparse.Namespace) -> int:
    container = Container(settings=settings, process=Process(), role="hosts")
    async with container.database():
        return await judge_hosts.show(container.judge_hosts(), as_json=arguments.json)


if __name__ == "__main__":
    roles = {"serve": serve, "relay": relay, "watchdog": watchdog}
    tasks = {
        "sweep": OneShot(log_sweep.SWEEP, log_sweep.add_arguments, sweep),
        "invite": OneShot(judge_hosts.INVITE, judge_hosts.add_name, invite),
        "revoke": OneShot(judge_hosts.REVOKE, judge_hosts.add_name, revoke),
        "hosts": OneShot(judge_hosts.HOSTS, judge_hosts.add_json, hosts),
    }
    sys.exit(main("record", RecordSettings, roles, tasks=tasks))
