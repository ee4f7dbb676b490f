"""The service as a process: its parts started in order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version

from deepoj_domain.submission.route import Lane
from deepoj_judgement.container.sandbox import make_directories
from deepoj_judgement.container.speed import SPEED, calibrate, speed, speed_arguments
from deepoj_judgement.container.worker import Container
from deepoj_judgement.inbound.grpc.servicer import register
from deepoj_judgement.outbound.cache.home_lock import HomeInUseError, owned
from deepoj_judgement.outbound.toolchains.precompiled import precompile
from deepoj_judgement.queries.list_workers import WorkerView
from deepoj_judgement.settings import JudgementSettings
from deepoj_kit.lifecycle import OneShot, Process, StartError, State
from deepoj_kit.lifecycle import main as run_command


async def serve(process: Process, settings: JudgementSettings) -> None:
    container = Container(settings=settings, process=process)
    _prepare(settings)
    await _own_home(process, settings)
    await _stores(process, container, settings)
    if unknown := container.toolchains().unknown():
        raise StartError(unknown)
    await container.toolchains().detect()
    await _sandbox(process, container, settings)
    await process.enter(container.record())
    await process.enter(container.question())
    await process.enter(container.uploads())
    if settings.reference_ms and not settings.runs_nothing:
        await calibrate(container, settings)
    process.loop("orders", container.orders().run)
    if settings.consume:
        _work(process, container, settings)
    process.readiness.degraded = lambda: _degraded(container)
    server = container.server()
    register(server.registry, container.servicer())
    await process.enter(server)


def _prepare(settings: JudgementSettings) -> None:
    try:
        make_directories(settings)
    except OSError as error:
        raise StartError(f"{settings.directory} cannot be used (home): {error.strerror}") from error


async def _own_home(process: Process, settings: JudgementSettings) -> None:
    try:
        await process.enter(owned(settings.directory))
    except HomeInUseError as error:
        raise StartError(
            f"another worker uses {settings.directory}: give each worker of a machine a directory of its own "
            "(home)"
        ) from error


async def _stores(process: Process, container: Container, settings: JudgementSettings) -> None:
    if settings.postgres_url.reveal():
        database = await process.enter(container.database())
        process.check("postgres", database.ping)
        process.loop("purge", container.purge().run)
    elif settings.judge_cache:
        raise StartError("the judge cache is in PostgreSQL: set postgres_url, or judge_cache to false")
    # Calls are served without Redis, and the consumers come back by themselves: it decides no readiness.
    _ = await process.enter(container.redis())
    await process.enter(container.objects())


async def _sandbox(process: Process, container: Container, settings: JudgementSettings) -> None:
    if settings.precompile and settings.runner != "noop":
        process.loop("precompile", lambda stop: _precompile(container, settings, stop))
    if settings.runner in {"auto", "agent"}:
        agent = container.agent()
        await agent.start()
        process.loop("sandbox agent", agent.run)


async def _precompile(container: Container, settings: JudgementSettings, stop: asyncio.Event) -> None:
    making = asyncio.create_task(
        precompile(container.toolchains().installed(), settings.directory / "precompiled")
    )
    try:
        await stop.wait()
    finally:
        making.cancel()
        await asyncio.wait({making})


def _work(process: Process, container: Container, settings: JudgementSettings) -> None:
    """The heartbeat outlives the consumers, and each consumer what it has in hand."""
    process.loop("heartbeat", container.leases().run)
    process.loop("job parts", container.job_parts().run)
    process.loop("cancellations", container.cancellations().run)
    started = container.clock()()
    presence = container.presence()
    process.loop(
        "presence",
        lambda stop: presence.run(lambda: _describe(container, settings, started), stop),
    )
    stop = asyncio.Event()
    for lane in Lane:
        process.background(f"{lane} jobs", container.consumers()(lane).run(stop), stop=stop.set)

    async def drain(state: State) -> None:
        """All lanes at once, and not after the server: a call in flight may take most of the grace."""
        if state is State.DRAINING:
            stop.set()
            patience = settings.finishing.total_seconds()
            asyncio.get_running_loop().call_later(patience, container.handing_back().set)

    process.readiness.add_listener(drain)
    if settings.canary_interval and settings.runner != "noop":
        process.loop("canaries", container.canaries().run)


def _degraded(container: Container) -> tuple[str, ...]:
    trouble, drained = container.canaries().trouble, container.orders().drained
    return (
        *container.agent().degraded,
        *((f"canary: {trouble}",) if trouble else ()),
        *((f"drained: {drained}",) if drained else ()),
    )


def _describe(container: Container, settings: JudgementSettings, started: datetime) -> WorkerView:
    slots = container.slots()
    trouble, drained = container.canaries().trouble, container.orders().drained
    return WorkerView(
        name=settings.worker,
        version=version("deepoj-judgement"),
        started_at=started,
        seen_at=container.clock()(),
        running=slots.used,
        capacity=slots.capacity,
        languages={each.language.slug: each.version for each in container.toolchains().installed()},
        layers=container.agent().layers,
        memory_mib=settings.program_memory_mib,
        speed_percent=container.pace().percent,
        trouble=trouble,
        # Until it knows what operators want, a worker that has just started is only not ready yet.
        held_back=bool(trouble or drained) and not container.gate().is_open,
        drained=drained,
    )


def main(argv: Sequence[str]) -> int:
    measure = OneShot(SPEED, speed_arguments, speed)
    return run_command("judgement", JudgementSettings, {"serve": serve}, argv, tasks={"speed": measure})
