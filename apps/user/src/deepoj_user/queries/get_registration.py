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
    """Where the password of the first admin lies; empty once an admin has logged in."""


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
        self._file = first_admin_file
        self._guest_accounts = guest_accounts
        self._is_settled = first_admin_file is None

    async def __call__(self) -> Registration:
        # An admin who has logged in has done so for ever, so nobody is asked again.
        self._is_settled = self._is_settled or await self._admin_log_ins.any()
        return Registration(self._mode, self._guest_accounts, "" if self._is_settled else self._hint())

    def _hint(self) -> str:
        """The end of the path: where a data directory lies is nobody's business."""
        return "" if self._file is None else str(Path(self._file.parent.name, self._file.name))
