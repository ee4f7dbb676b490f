"""Personal data. None of it enters an event or a `repr`."""

from dataclasses import dataclass, field
from re import compile as pattern
from typing import NewType

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId

# Made by `username` and `email_address`; the hash comes from the password hasher and is opaque here.
Username = NewType("Username", str)
EmailAddress = NewType("EmailAddress", str)
PasswordHash = NewType("PasswordHash", str)

_USERNAME = pattern(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{1,30})[A-Za-z0-9]")
# Only characters that need no quoting: a comma or a bracket would mean something else in a mail's header.
_EMAIL = pattern(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_EMAIL_LENGTH = 254
_DISPLAY_NAME_LENGTH = 64
_BIO_LENGTH = 1000
_AVATAR = pattern(r"https://[\x21-\x7e]{1,492}")
# What a deleted account is shown as, wherever people are shown.
DELETED_NAME = "deleted account"
_SHORTEST_PASSWORD = 8
# Far above any pass phrase; hashing must not be made to read megabytes.
_LONGEST_PASSWORD = 256


def username(text: str) -> Username:
    if not _USERNAME.fullmatch(text):
        raise InvalidValueError(
            "username_malformed", "a username has 3 to 32 letters, digits, - or _, and no - or _ at its ends"
        )
    return Username(text)


def name_of_nobody(account_id: AccountId) -> str:
    """What a deleted account is called: longer than any username, so nobody can register it."""
    return f"deleted-{account_id.hex}"


def email_address(text: str) -> EmailAddress:
    """Lower case, so that one mailbox cannot hold two accounts by spelling."""
    address = text.strip().lower()
    if len(address) > _EMAIL_LENGTH or not _EMAIL.fullmatch(address):
        raise InvalidValueError("email_malformed", "this is not an e-mail address")
    return EmailAddress(address)


def new_password(text: str, name: str, email: str) -> str:
    """Refuse what is guessed first; what else makes a good password is its owner's business."""
    if not _SHORTEST_PASSWORD <= len(text) <= _LONGEST_PASSWORD:
        raise InvalidValueError(
            "password_length", f"a password has {_SHORTEST_PASSWORD} to {_LONGEST_PASSWORD} characters"
        )
    if len(set(text)) == 1 or text.lower() in {name.lower(), email.lower(), email.partition("@")[0].lower()}:
        raise InvalidValueError(
            "password_too_weak", "a password is not one repeated character, the username or the address"
        )
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    display_name: str = ""
    """Empty: the username is shown."""
    bio: str = ""
    avatar: str = ""

    def __post_init__(self) -> None:
        if len(self.display_name) > _DISPLAY_NAME_LENGTH or not _is_one_line(self.display_name):
            raise InvalidValueError(
                "display_name_malformed",
                f"a display name is one line of at most {_DISPLAY_NAME_LENGTH} characters",
            )
        if len(self.bio) > _BIO_LENGTH or not all(map(_is_one_line, self.bio.splitlines())):
            raise InvalidValueError(
                "bio_malformed", f"a bio has at most {_BIO_LENGTH} printable characters and line breaks"
            )
        if self.avatar and not _AVATAR.fullmatch(self.avatar):
            raise InvalidValueError(
                "avatar_malformed", "an avatar is an https:// address of at most 500 characters"
            )


def _is_one_line(text: str) -> bool:
    return text.isprintable() and text == text.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Personal:
    username: Username
    email: EmailAddress | None = field(repr=False)
    """None: nobody proved one, and only an admin can give a new password."""
    password: PasswordHash = field(repr=False)
    profile: Profile = field(default=Profile(), repr=False)
