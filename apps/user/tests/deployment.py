"""A deployment and its members at the level of gRPC, for tests that see the service from outside."""

from __future__ import annotations

import email
import re
from dataclasses import dataclass
from email import policy
from pathlib import Path
from typing import Final

from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.services import ServiceStarter
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.user.v1 import user_pb2

PASSWORD: Final = "correct horse battery"


@dataclass(frozen=True)
class Deployment:
    """One database and one directory; processes on it come and go."""

    home: Path
    settings: dict[str, str]
    start: ServiceStarter

    @property
    def outbox(self) -> Path:
        return self.home / "mail"

    async def mail_to(self, address: str, number: int = 1) -> str:
        """Wait for so many mails to an address and return the text of the last."""
        await eventually(lambda: len(list(self.outbox.glob(f"*-{address}.eml"))) >= number, within=60)
        newest = max(self.outbox.glob(f"*-{address}.eml"))
        message = email.message_from_bytes(newest.read_bytes(), policy=policy.default)
        return str(message.get_content())

    async def code_to(self, address: str, number: int = 1) -> str:
        found = re.search(r"\b[A-Z2-7]{5}-[A-Z2-7]{5}\b", await self.mail_to(address, number))
        if found is None:
            raise AssertionError("the mail holds no code")
        return found[0]


@dataclass(frozen=True)
class Member:
    account: user_pb2.Account
    email: str
    tokens: user_pb2.Tokens

    @property
    def actor(self) -> common_pb2.Actor:
        return common_pb2.Actor(account_id=self.account.id, role=self.account.role)
