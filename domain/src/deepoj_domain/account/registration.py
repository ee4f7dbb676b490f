"""How a stranger gets an account."""

from enum import StrEnum


class RegistrationMode(StrEnum):
    OPEN = "open"
    """A name and a password are enough."""
    MAIL = "mail"
    """An address has to be proved by a mailed code."""
    INVITATION = "invitation"
    """With a code that an admin made."""
    CLOSED = "closed"
    """Admins make accounts."""


class RegistrationRefusal(StrEnum):
    CLOSED = "registration_closed"
    NO_GUESTS = "guest_accounts_off"
