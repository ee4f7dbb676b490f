"""`python -m deepoj_question serve | config`."""

from __future__ import annotations

import sys

from deepoj_kit.lifecycle import Process, main
from deepoj_question.container import Container
from deepoj_question.inbound.grpc.registration import register
from deepoj_question.settings import QuestionSettings


async def serve(process: Process, settings: QuestionSettings) -> None:
    container = Container(settings=settings, process=process)
    database = await process.enter(container.database())
    process.check("postgres", database.ping)
    _ = await process.enter(container.redis())
    await process.enter(container.object_store())
    await process.enter(container.game_channel())
    process.loop("relay", container.relay().run)
    process.loop("purge", container.purge().run)
    server = container.server()
    register(server.registry, container.servicer())
    await process.enter(server)


if __name__ == "__main__":
    sys.exit(main("question", QuestionSettings, {"serve": serve}))
