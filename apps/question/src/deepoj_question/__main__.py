"""`python -m deepoj_question serve | load DIRECTORY… | config`.

`load` imports packages of the local disk, publishes them under the names of their directories, and ends. A
package that is there already and has not changed makes no new revision.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from deepoj_kit.lifecycle import Process, main
from deepoj_question.container import Container
from deepoj_question.inbound.grpc.registration import register
from deepoj_question.inbound.loading import load_all
from deepoj_question.settings import QuestionSettings


async def serve(process: Process, settings: QuestionSettings) -> None:
    container = await _stores(process, settings)
    _ = await process.enter(container.redis())
    await process.enter(container.game_channel())
    process.loop("relay", container.relay().run)
    process.loop("purge", container.purge().run)
    server = container.server()
    register(server.registry, container.servicer())
    await process.enter(server)


async def load(process: Process, settings: QuestionSettings, directories: Sequence[str]) -> None:
    """Events are left to a serving process: its relay looks for them every few seconds."""
    container = await _stores(process, settings)
    await load_all(container.load_package(), directories)


async def _stores(process: Process, settings: QuestionSettings) -> Container:
    container = Container(settings=settings, process=process)
    database = await process.enter(container.database())
    process.check("postgres", database.ping)
    await process.enter(container.object_store())
    return container


if __name__ == "__main__":
    sys.exit(main("question", QuestionSettings, {"serve": serve}, jobs={"load": load}))
