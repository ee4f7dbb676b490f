"""`python -m deepoj_question serve | load DIRECTORY… | sweep | config`.

`load` imports packages of the local disk, publishes them under the names of their directories, and ends. A
package that is there already and has not changed makes no new revision. `sweep` deletes files that no
revision names, as `serve` does from time to time.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from deepoj_kit.lifecycle import OneShot, Process, StartError, main
from deepoj_kit.purge import Purge
from deepoj_question.container import Container
from deepoj_question.inbound.grpc.registration import register
from deepoj_question.inbound.load_packages import HELP, load_all
from deepoj_question.inbound.sweep import (
    SWEEP,
    SWEEPS,
    add_sweep_arguments,
    sweep_once,
    swept_counter,
    too_soon,
)
from deepoj_question.settings import QuestionSettings


async def serve(process: Process, settings: QuestionSettings) -> None:
    if problem := too_soon(settings.objects_keep):
        raise StartError(problem)
    container = Container(settings=settings, process=process)
    database = await process.enter(container.database())
    process.check("postgres", database.ping)
    _ = await process.enter(container.redis())
    await process.enter(container.object_store())
    await process.enter(container.game_channel())
    process.loop("relay", container.relay().run)
    process.loop("guard", container.guard().run)
    purge = Purge(partial(container.outbox().purge, database), keep=settings.outbox_keep)
    process.loop("purge", purge.run)
    if settings.objects_keep:
        sweep = Purge(swept_counter(container.sweep_objects()), keep=settings.objects_keep, interval=SWEEPS)
        process.loop("sweep", sweep.run)
    server = container.server()
    if settings.record_address:
        await process.enter(container.record_channel())
        server.admit(container.guests())
    register(server.registry, container.servicer())
    await process.enter(server)


async def load(settings: QuestionSettings, arguments: argparse.Namespace) -> int:
    """Events are left to a serving process: its relay looks for them every few seconds."""
    container = Container(settings=settings)
    async with container.database(), container.object_store():
        return await load_all(container.load_package(), arguments.directories)


async def sweep(settings: QuestionSettings, arguments: argparse.Namespace) -> int:
    container = Container(settings=settings)
    async with container.database(), container.object_store():
        return await sweep_once(container.sweep_objects(), settings.objects_keep, arguments)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directories", nargs="+", type=Path, metavar="DIRECTORY")


if __name__ == "__main__":
    tasks = {
        "load": OneShot(HELP, add_arguments, load),
        "sweep": OneShot(SWEEP, add_sweep_arguments, sweep),
    }
    sys.exit(main("question", QuestionSettings, {"serve": serve}, tasks=tasks))
