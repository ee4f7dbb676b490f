"""`python -m deepoj_user serve | create-admin | config`. Any number may serve."""

from __future__ import annotations

import argparse
import logging
import sys
from datetime import timedelta
from functools import partial

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_kit.lifecycle import OneShot, Process, StartError, main
from deepoj_kit.purge import Purge
from deepoj_kit.unavailable import Unavailable
from deepoj_user.container import Container
from deepoj_user.inbound.first_admin import add_arguments, create_admin, make_first_admin
from deepoj_user.inbound.grpc.servicer import register
from deepoj_user.inbound.periodic import deliver, every
from deepoj_user.settings import UserSettings

_log = logging.getLogger(__name__)
_PURGE_INTERVAL = timedelta(minutes=10)


async def serve(process: Process, settings: UserSettings) -> None:
    try:
        settings.limits()
        settings.exempt()
    except InvalidValueError as error:
        raise StartError(f"the settings cannot be used: {error}") from error
    container = Container(settings=settings, process=process)
    database = await process.enter(container.database())
    process.check("postgres", database.ping)
    _ = await process.enter(container.redis())
    if settings.first_admin_file is not None:
        try:
            await make_first_admin(container.create_admin(), settings.first_admin_file)
        except Unavailable as error:
            raise StartError(f"cannot see whether there is an admin: {error}") from error
    mailer = container.mailer()
    if mailer.is_open:
        process.loop("mail", partial(deliver, mailer.arrived, container.mail_captcha()))
    else:
        _log.warning("no mail can be sent: set smtp_host, or mail_outbox for a directory of files")
    process.loop("relay", container.relay().run)
    process.loop("guard", container.guard().run)
    messages = Purge(partial(container.outbox().purge, database), keep=settings.outbox_keep)
    process.loop("purge messages", messages.run)
    process.loop("purge", partial(every, _PURGE_INTERVAL, container.purge()))
    server = container.server()
    register(server.registry, container.servicer())
    await process.enter(server)


async def make_admin(settings: UserSettings, arguments: argparse.Namespace) -> int:
    """Events are left to a serving process: its relay looks for them every few seconds."""
    container = Container(settings=settings, process=Process())
    async with container.database():
        return await create_admin(container.create_admin(), arguments)


if __name__ == "__main__":
    help_text = "make an account with the role of an admin; settings as for serve"
    tasks = {"create-admin": OneShot(help_text, add_arguments, make_admin)}
    sys.exit(main("user", UserSettings, {"serve": serve}, tasks=tasks))
