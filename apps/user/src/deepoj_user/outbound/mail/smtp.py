"""Mail by SMTP: a connection for each, because they are few and seldom."""

from __future__ import annotations

import smtplib
import ssl
from dataclasses import dataclass
from enum import StrEnum

from deepoj_kit.settings import Secret
from deepoj_user.commands.ports import Mail
from deepoj_user.outbound.mail.transport import Letterhead, UndeliveredError

_PERMANENT = 500


class Security(StrEnum):
    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"
    """Only for a server on this machine: the code can be read on the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpServer:
    host: str
    port: int
    security: Security
    username: str | None
    password: Secret | None
    timeout: float
    tls: ssl.SSLContext
    """Whom to trust."""


class SmtpTransport:
    def __init__(self, server: SmtpServer, letterhead: Letterhead) -> None:
        self._server = server
        self._letterhead = letterhead

    def send(self, mail: Mail) -> None:
        try:
            with self._connect() as connection:
                connection.send_message(self._letterhead.letter(mail))
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            raise UndeliveredError("the recipient is refused", is_final=min(codes) >= _PERMANENT) from error
        except smtplib.SMTPResponseException as error:
            why = f"the mail server answered {error.smtp_code}"
            raise UndeliveredError(why, is_final=error.smtp_code >= _PERMANENT) from error
        except (smtplib.SMTPException, OSError) as error:
            raise UndeliveredError(f"{type(error).__name__}: {error}", is_final=False) from error

    def _connect(self) -> smtplib.SMTP:
        server = self._server
        connection: smtplib.SMTP
        if server.security is Security.TLS:
            connection = smtplib.SMTP_SSL(
                server.host, server.port, timeout=server.timeout, context=server.tls
            )
        else:
            connection = smtplib.SMTP(server.host, server.port, timeout=server.timeout)
        try:
            if server.security is Security.STARTTLS:
                connection.starttls(context=server.tls)
            if server.username is not None:
                connection.login(server.username, server.password.reveal() if server.password else "")
        except BaseException:
            connection.close()
            raise
        return connection
