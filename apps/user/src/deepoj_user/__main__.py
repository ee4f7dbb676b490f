"""`python -m deepoj_user serve | config`."""

from __future__ import annotations

import sys

from deepoj_kit.lifecycle import Process, main
from deepoj_user.container import Container
from deepoj_user.settings import UserSettings


async def serve(process: Process, settings: UserSettings) -> None:
    container = Container(settings=settings, process=process)
    database = await process.enter(container.database())
    process.check("postgres", database.ping)
    await process.enter(container.server())


if __name__ == "__main__":
    sys.exit(main("user", UserSettings, {"serve": serve}))
