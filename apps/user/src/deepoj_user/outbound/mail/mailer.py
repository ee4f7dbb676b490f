"""Sends one mail at a time, and says what became of it."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

from deepoj_kit.telemetry import counter
from deepoj_user.commands.ports import Delivery, Mail, MailUnavailableError
from deepoj_user.outbound.mail.transport import Transport, UndeliveredError

_log = logging.getLogger(__name__)
_MAILS = counter("user_mails", "Mails by what became of them", ("outcome",))


class TransportMailer:
    def __init__(self, transport: Transport | None) -> None:
        """None: neither a mail server nor a directory is set."""
        self._transport = transport
        self.arrived = asyncio.Event()
        """Set when a letter is due."""
        # smtplib blocks; a thread of its own keeps a slow mail server from holding up anything else.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="mail")

    @property
    def is_open(self) -> bool:
        return self._transport is not None

    def check(self) -> None:
        _ = self._open()

    def wake(self) -> None:
        self.arrived.set()

    async def send(self, mail: Mail) -> Delivery:
        loop = asyncio.get_running_loop()
        outcome = await loop.run_in_executor(self._thread, _sent, self._open(), mail)
        _MAILS.add(outcome=outcome)
        return outcome

    def _open(self) -> Transport:
        if self._transport is None:
            _MAILS.add(outcome="not_configured")
            raise MailUnavailableError("nothing delivers mail: set smtp_host or mail_outbox")
        return self._transport


def _sent(transport: Transport, mail: Mail) -> Delivery:
    try:
        transport.send(mail)
    except UndeliveredError as error:
        _log.warning("mail not delivered (%s): %s", mail.subject, error)
        return Delivery.REFUSED if error.is_final else Delivery.FAILED
    return Delivery.DELIVERED
