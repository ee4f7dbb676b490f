"""`python -m deepoj_game serve | config`."""

from __future__ import annotations

import sys

from deepoj_game.container import Container
from deepoj_game.settings import GameSettings
from deepoj_kit.lifecycle import Process, main


async def serve(process: Process, settings: GameSettings) -> None:
    container = Container(settings=settings, process=process)
    database = await process.enter(container.database())
    process.check("postgres", database.ping)
    await process.enter(container.server())


if __name__ == "__main__":
    sys.exit(main("game", GameSettings, {"serve": serve}))
