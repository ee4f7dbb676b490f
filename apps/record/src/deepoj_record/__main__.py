"""`python -m deepoj_record serve | config`."""

from __future__ import annotations

import sys

from deepoj_kit.lifecycle import Process, main
from deepoj_record.container import Container
from deepoj_record.settings import RecordSettings


async def serve(process: Process, settings: RecordSettings) -> None:
    container = Container(settings=settings, process=process)
    database = await process.enter(container.database())
    process.check("postgres", database.ping)
    await process.enter(container.server())


if __name__ == "__main__":
    sys.exit(main("record", RecordSettings, {"serve": serve}))
