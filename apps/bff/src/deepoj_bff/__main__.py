"""`python -m deepoj_bff serve | config`."""

from __future__ import annotations

import sys

from deepoj_bff.container import Container
from deepoj_bff.settings import BffSettings
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_kit.lifecycle import Process, StartError, main


async def serve(process: Process, settings: BffSettings) -> None:
    try:
        settings.submission_limits()
        settings.run_limits()
        settings.proxies()
        settings.exempt()
    except InvalidValueError as error:
        raise StartError(f"the settings cannot be used: {error}") from error
    container = Container(settings=settings)
    for redis in (container.redis(), container.events_redis()):
        _ = await process.enter(redis)
    for channel in container.channels().values():
        await process.enter(channel)
    process.loop("events", container.event_reader().run)
    process.readiness.add_listener(container.asgi().on_state)
    server = container.http_server()
    process.background("http", server.serve(), stop=server.stop)
    process.first_stop(container.submission_feed().close)
    process.first_stop(container.board_feeds().close)
    process.check("http", server.accepts_connections)


if __name__ == "__main__":
    sys.exit(main("bff", BffSettings, {"serve": serve}))
