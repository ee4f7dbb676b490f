"""How a stranger gets in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from deepoj_domain.account.registration import RegistrationMode
from deepoj_user.queries.ports import AdminLogIns


@dataclass(frozen=True, slots=True)
class Registration:
    mode: RegistrationMode
    guest_accounts: bool
    first_admin: str
    """Where the password of the first admin lies; empty when that is not known."""
    admin_seen: bool
    """An admin has logged in since there is one."""


class GetRegistration:
    def __init__(
        self,
        admin_log_ins: AdminLogIns,
        mode: RegistrationMode,
        first_admin_file: Path | None,
        *,
        guest_accounts: bool,
    ) -> None:
        self._admin_log_ins = admin_log_ins
        self._mode = mode
        self._guest_accounts = guest_accounts
        # The end of the path: where a data directory lies is nobody's business.
        self._first_admin = "" if first_admin_file is None else "/".join(first_admin_file.parts[-2:])
        self._admin_seen = False

    async def __call__(self) -> Registration:
        # Who has logged in has done so for ever, so nobody is asked again.
        self._admin_seen = self._admin_seen or await self._admin_log_ins.any()
        return Registration(self._mode, self._guest_accounts, self._first_admin, self._admin_seen)
