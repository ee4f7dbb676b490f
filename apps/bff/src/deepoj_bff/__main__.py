"""`python -m deepoj_bff serve | config`."""

from __future__ import annotations

import sys

from deepoj_bff.container import Container
from deepoj_bff.settings import BffSettings
from deepoj_kit.lifecycle import Process, main


async def serve(process: Process, settings: BffSettings) -> None:
    container = Container(settings=settings)
    for channel in container.channels().values():
        await process.enter(channel)
    server = container.http_server()
    process.background("http", server.serve(), stop=server.stop)
    process.check("http", server.accepts_connections)


if __name__ == "__main__":
    sys.exit(main("bff", BffSettings, {"serve": serve}))
