"""A captcha is looked at twice: before the password is hashed, and when it is spent with the change.

Why a code is refused is written to the audit log and told to nobody: that one was used tells that its address
has an account, and that one was sent tells that somebody asked for it.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.captcha import Captcha, CaptchaPurpose, CaptchaRefusal
from deepoj_domain.account.personal import EmailAddress
from deepoj_domain.kernel.outcome import Refused
from deepoj_user.commands.ports import Store, Transaction


class CodeRefusal(StrEnum):
    REFUSED = "captcha_refused"


class CaptchaCheck:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def why_not(
        self, purpose: CaptchaPurpose, address: EmailAddress, code: str, origin: Origin, now: datetime
    ) -> Refused[CodeRefusal] | None:
        """Check without spending it; a wrong code costs a try. A wrong one never costs us a hash."""
        async with self._store.transaction() as transaction:
            checked = await spent(transaction, purpose, address, code, origin, now)
        return checked if isinstance(checked, Refused) else None


async def spent(
    transaction: Transaction,
    purpose: CaptchaPurpose,
    address: EmailAddress,
    code: str,
    origin: Origin,
    now: datetime,
) -> Captcha | Refused[CodeRefusal]:
    """Return the used captcha, for the caller to put when all else went well."""
    captcha = await transaction.captchas.latest(purpose, address)
    refusal = CaptchaRefusal.NOT_FOUND
    if captcha is not None:
        checked = captcha.check(code.strip(), now)
        if checked.refusal is None:
            return checked.after
        await transaction.captchas.put(checked.after)
        refusal = checked.refusal
    owner = await transaction.accounts.by_email(address)
    await transaction.audit.add(AuditEvent.CAPTCHA_FAILED, owner.id if owner else None, origin, refusal)
    return Refused(CodeRefusal.REFUSED)
