"""`python -m deepoj_game serve | config`.

One process does it all: it serves, and applies events to the boards. Any number may run.
"""

from __future__ import annotations

import sys
from functools import partial

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_game.container import BOARDS_CHANNEL, Container
from deepoj_game.inbound.grpc.servicer import register
from deepoj_game.settings import GameSettings
from deepoj_kit.lifecycle import Process, StartError, main
from deepoj_kit.postgres import Listener
from deepoj_kit.purge import Purge


async def serve(process: Process, settings: GameSettings) -> None:
    try:
        settings.guess_limit()
        settings.past_limit()
    except InvalidValueError as error:
        raise StartError(f"password_pace and past_pace are longer than nothing: {error}") from error
    container = Container(settings=settings, process=process)
    database = await process.enter(container.database())
    process.check("postgres", database.ping)
    _ = await process.enter(container.redis())
    await process.enter(container.record_channel())
    signals = container.signals()
    process.loop("listener", Listener(database, {BOARDS_CHANNEL: signals.notified}).run)
    process.loop("board_notifier", container.board_notifier().run)
    process.loop("signals", signals.run)
    purge = Purge(partial(container.inbox().purge, database), keep=settings.messages_keep)
    process.loop("purge", purge.run)
    process.loop("events", container.consumer().run)
    process.loop("work", container.worker().run)
    process.loop("accounts", container.account_consumer().run)
    server = container.server()
    register(server.registry, container.servicer())
    await process.enter(server)
    process.first_stop(signals.end)


if __name__ == "__main__":
    sys.exit(main("game", GameSettings, {"serve": serve}))
