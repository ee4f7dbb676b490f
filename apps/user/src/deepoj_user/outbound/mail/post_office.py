"""Takes mail at once and delivers it behind the caller's back, trying again for a while.

What is still waiting when the process ends is lost: its reader asks for another code. Kept anywhere else,
codes would lie in the clear.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from concurrent.futures import ThreadPoolExecutor

from deepoj_kit.pacing import Backoff, wait_first
from deepoj_kit.telemetry import counter
from deepoj_user.commands.ports import Mail, MailUnavailableError
from deepoj_user.outbound.mail.transport import Transport, UndeliveredError

_log = logging.getLogger(__name__)
_MAILS = counter("user_mails", "Mails by what became of them", ("outcome",))
WAITING = 200
TRIES = 4


class NoPostOffice:
    """Neither a mail server nor a directory is set."""

    def post(self, mail: Mail) -> None:
        _MAILS.add(outcome="not_configured")
        raise MailUnavailableError(f"nothing delivers {mail.subject!r}: set smtp_host or mail_outbox")


class PostOffice:
    def __init__(self, transport: Transport, backoff: Backoff | None = None, waiting: int = WAITING) -> None:
        self._transport = transport
        self._backoff = backoff or Backoff(first=2.0, cap=60.0)
        self._most = waiting
        self._waiting: deque[Mail] = deque()
        self._arrived = asyncio.Event()
        # smtplib blocks; a thread of its own keeps a slow mail server from holding up anything else.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="mail")

    def post(self, mail: Mail) -> None:
        if len(self._waiting) >= self._most:
            _MAILS.add(outcome="refused")
            raise MailUnavailableError("too much mail waits already")
        self._waiting.append(mail)
        self._arrived.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Deliver until the stop, and then once what is still waiting."""
        try:
            while self._waiting or not stop.is_set():
                self._arrived.clear()
                while self._waiting:
                    await self._deliver(self._waiting.popleft(), stop)
                await wait_first(stop, self._arrived)
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def _deliver(self, mail: Mail, stop: asyncio.Event) -> None:
        for attempt in range(1, TRIES + 1):
            try:
                await asyncio.get_running_loop().run_in_executor(self._thread, self._transport.send, mail)
            except UndeliveredError as error:
                _log.warning("mail not delivered at try %d: %s", attempt, error)
                if error.is_final or stop.is_set():
                    break
                if attempt < TRIES:
                    await wait_first(stop, timeout=self._backoff.jittered(attempt))
            else:
                _MAILS.add(outcome="delivered")
                return
        _MAILS.add(outcome="given_up")
        _log.error("a mail was given up: %s", mail.subject)
