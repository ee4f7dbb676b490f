"""Personal data. None of it enters an event or a `repr`."""

from dataclasses import dataclass, field
from re import compile as pattern
from typing import NewType

from deepoj_domain.kernel.errors import InvalidValueError

# Made by `username` and `email_address`; the hash comes from the password hasher and is opaque here.
Username = NewType("Username", str)
EmailAddress = NewType("EmailAddress", str)
PasswordHash = NewType("PasswordHash", str)

_USERNAME = pattern(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{1,30})[A-Za-z0-9]")
_EMAIL = pattern(r"[^@\s\x00-\x1f]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_EMAIL_LENGTH = 254


def username(text: str) -> Username:
    if not _USERNAME.fullmatch(text):
        raise InvalidValueError(
            "username_malformed", "a username has 3 to 32 letters, digits, - or _, and no - or _ at its ends"
        )
    return Username(text)


def email_address(text: str) -> EmailAddress:
    """Lower case, so that one mailbox cannot hold two accounts by spelling."""
    address = text.strip().lower()
    if len(address) > _EMAIL_LENGTH or not _EMAIL.fullmatch(address):
        raise InvalidValueError("email_malformed", "this is not an e-mail address")
    return EmailAddress(address)


@dataclass(frozen=True, slots=True, kw_only=True)
class Personal:
    username: Username
    email: EmailAddress = field(repr=False)
    password: PasswordHash = field(repr=False)
