"""Mail through a real socket to a server that speaks SMTP, and into a directory."""

from __future__ import annotations

import asyncio
import base64
import email
import ssl
import stat
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from deepoj_domain.account.personal import EmailAddress
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import ManualClock
from deepoj_user.commands.ports import Delivery, Mail, MailUnavailableError
from deepoj_user.outbound.mail.files import FileTransport
from deepoj_user.outbound.mail.mailer import TransportMailer
from deepoj_user.outbound.mail.smtp import Security, SmtpServer, SmtpTransport
from deepoj_user.outbound.mail.transport import Letterhead, UndeliveredError

MAIL = Mail(EmailAddress("alice@example.org"), "Your code – once", "the code is\n.\n123456\n")
PASSWORD = "mail password"


@dataclass
class MailServer:
    """As much of RFC 5321 as a client may use; `answers` replaces what it says to a command."""

    tls: ssl.SSLContext
    answers: dict[str, list[str]] = field(default_factory=dict)
    received: list[bytes] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._say(writer, "220 ready")
            while line := (await reader.readline()).decode().strip():
                command, _, rest = line.partition(" ")
                self.seen.append(command.upper())
                if not await self._answer(command.upper(), rest, reader, writer):
                    break
        except (ConnectionError, ssl.SSLError):
            pass
        finally:
            writer.close()

    async def _answer(
        self, command: str, rest: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        if self.answers.get(command):
            await self._say(writer, self.answers[command].pop(0))
            return True
        match command:
            case "EHLO":
                encrypted = writer.get_extra_info("ssl_object") is not None
                await self._say(writer, "250-here", "250 AUTH PLAIN" if encrypted else "250 STARTTLS")
            case "STARTTLS":
                await self._say(writer, "220 go ahead")
                await writer.start_tls(self.tls)
            case "AUTH":
                right = base64.b64decode(rest.split()[1]) == f"\0deepoj\0{PASSWORD}".encode()
                await self._say(writer, "235 welcome" if right else "535 wrong")
            case "DATA":
                await self._say(writer, "354 go on")
                self.received.append(await reader.readuntil(b"\r\n.\r\n"))
                await self._say(writer, "250 taken")
            case "QUIT":
                await self._say(writer, "221 bye")
                return False
            case _:
                await self._say(writer, "250 fine")
        return True

    async def _say(self, writer: asyncio.StreamWriter, *lines: str) -> None:
        writer.write("".join(f"{line}\r\n" for line in lines).encode())
        await writer.drain()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail")])
    here = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))])
    now, day = datetime.now(UTC), timedelta(days=1)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now - day, now + day)
        .add_extension(here, critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "server.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + made.public_bytes(Encoding.PEM))
    return file


@pytest.fixture
def server(certificate: Path) -> MailServer:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    return MailServer(tls)


@pytest.fixture(params=Security)
async def known(
    request: pytest.FixtureRequest, server: MailServer, certificate: Path
) -> AsyncIterator[SmtpServer]:
    security: Security = request.param
    tls = server.tls if security is Security.TLS else None
    async with await asyncio.start_server(server.talk, "127.0.0.1", 0, ssl=tls) as listening:
        yield SmtpServer(
            host="127.0.0.1",
            port=listening.sockets[0].getsockname()[1],
            security=security,
            username=None if security is Security.NONE else "deepoj",
            password=Secret(PASSWORD),
            timeout=30,
            tls=ssl.create_default_context(cafile=certificate),
        )


@pytest.fixture
def transport(known: SmtpServer, clock: ManualClock) -> SmtpTransport:
    return SmtpTransport(known, Letterhead("Deep-OJ <judge@example.org>", clock))


def read(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


async def test_a_mail_arrives_whole_however_the_connection_is_protected(
    transport: SmtpTransport, server: MailServer
) -> None:
    await asyncio.to_thread(transport.send, MAIL)
    message = read(server.received[0].replace(b"\r\n..", b"\r\n."))
    assert (message["To"], message["From"], message["Subject"]) == (
        "alice@example.org", "Deep-OJ <judge@example.org>", MAIL.subject,
    )  # fmt: skip
    assert "123456" in message.get_content()


@pytest.mark.parametrize("known", [Security.STARTTLS], indirect=True)
@pytest.mark.parametrize(
    ("command", "answer", "is_final"),
    [
        ("RCPT", "550 nobody", True),
        ("RCPT", "450 later", False),
        ("MAIL", "552 no room", True),
        ("AUTH", "535 wrong", True),
        ("AUTH", "454 later", False),
        ("STARTTLS", "454 not now", False),
    ],
)
async def test_a_refusal_is_final_or_worth_another_try_as_the_server_says(
    transport: SmtpTransport, server: MailServer, command: str, answer: str, *, is_final: bool
) -> None:
    server.answers[command] = [answer]
    with pytest.raises(UndeliveredError) as failed:
        await asyncio.to_thread(transport.send, MAIL)
    assert failed.value.is_final is is_final
    assert PASSWORD not in str(failed.value)


@pytest.mark.parametrize("known", [Security.STARTTLS, Security.TLS], indirect=True)
async def test_a_server_that_nobody_vouches_for_gets_no_mail(
    known: SmtpServer, server: MailServer, clock: ManualClock
) -> None:
    distrusting = replace(known, tls=ssl.create_default_context())
    stranger = SmtpTransport(distrusting, Letterhead("judge@example.org", clock))
    with pytest.raises(UndeliveredError):
        await asyncio.to_thread(stranger.send, MAIL)
    assert not {"MAIL", "AUTH"} & set(server.seen)


@pytest.mark.parametrize("known", [Security.NONE], indirect=True)
async def test_the_mailer_says_what_became_of_a_mail(transport: SmtpTransport, server: MailServer) -> None:
    server.answers["MAIL"] = ["451 busy", "552 no room"]
    mailer = TransportMailer(transport)
    outcomes = [await mailer.send(MAIL) for _ in range(3)]
    assert outcomes == [Delivery.FAILED, Delivery.REFUSED, Delivery.DELIVERED]
    assert len(server.received) == 1


async def test_without_a_transport_there_is_no_mail() -> None:
    mailer = TransportMailer(None)
    with pytest.raises(MailUnavailableError, match="smtp_host or mail_outbox"):
        mailer.check()


async def test_a_mail_becomes_a_file_that_only_its_owner_reads(tmp_path: Path, clock: ManualClock) -> None:
    FileTransport(tmp_path / "mail", Letterhead("judge@example.org", clock), clock).send(MAIL)
    [file] = (tmp_path / "mail").iterdir()
    assert file.name == "20260102T030405.000000Z-alice@example.org.eml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert read(file.read_bytes()).get_content() == MAIL.text
