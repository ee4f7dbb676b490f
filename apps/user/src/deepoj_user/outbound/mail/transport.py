"""One mail, sent or not."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Protocol

from deepoj_kit.clock import Clock
from deepoj_user.commands.ports import Mail


class UndeliveredError(Exception):
    """`is_final`: sending it again would not help."""

    def __init__(self, why: str, *, is_final: bool) -> None:
        super().__init__(why)
        self.is_final = is_final


class Transport(Protocol):
    def send(self, mail: Mail) -> None:
        """Block until the mail is in other hands; raise UndeliveredError when it is not."""
        ...


class Letterhead:
    def __init__(self, sender: str, clock: Clock) -> None:
        self.sender = sender
        self._clock = clock

    def letter(self, mail: Mail) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self.sender
        message["To"] = mail.to
        message["Subject"] = mail.subject
        message["Date"] = format_datetime(self._clock())
        message["Message-ID"] = make_msgid(domain=self.sender.rpartition("@")[2].rstrip(">"))
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.text)
        return message
