"""`python -m deepoj_judgement serve | config`."""

from __future__ import annotations

import sys

from deepoj_judgement.container import Container
from deepoj_judgement.settings import JudgementSettings
from deepoj_kit.lifecycle import Process, main


async def serve(process: Process, settings: JudgementSettings) -> None:
    container = Container(settings=settings, process=process)
    database = await process.enter(container.database())
    process.check("postgres", database.ping)
    await process.enter(container.server())


if __name__ == "__main__":
    sys.exit(main("judgement", JudgementSettings, {"serve": serve}))
