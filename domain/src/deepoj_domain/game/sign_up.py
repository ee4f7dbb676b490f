from dataclasses import dataclass
from enum import StrEnum


class Access(StrEnum):
    OPEN = "open"
    PASSWORD = "password"  # noqa: S105  the name of a rule, not a secret
    INVITATION = "invitation"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUpRules:
    """Before the start sign-up is open; what is allowed afterwards is said here."""

    access: Access = Access.OPEN
    late_sign_up: bool = False
    late_withdrawal: bool = False
