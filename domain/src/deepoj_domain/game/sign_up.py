from dataclasses import dataclass

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUpRules:
    """Before the start sign-up is open; what is allowed afterwards is said here.

    The password itself is kept, hashed, by the service; here only counts whether there is one.
    """

    private: bool = False
    """Not listed, and joined only with the password or an invitation."""
    has_password: bool = False
    invited: frozenset[AccountId] = frozenset()
    late_sign_up: bool = False
    late_withdrawal: bool = False
    virtual_allowed: bool = False

    def __post_init__(self) -> None:
        if self.has_password and not self.private:
            raise InvalidValueError("password_on_open_game", "only a private game has a password")

    def admits(self, account_id: AccountId, *, password_matches: bool) -> bool:
        if not self.private or account_id in self.invited:
            return True
        return self.has_password and password_matches
