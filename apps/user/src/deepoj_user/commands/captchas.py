"""A captcha is looked at twice: before the password is hashed, and when it is spent with the change."""

from __future__ import annotations

from datetime import datetime

from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.captcha import Captcha, CaptchaPurpose, CaptchaRefusal
from deepoj_domain.account.personal import EmailAddress
from deepoj_domain.kernel.outcome import Refused
from deepoj_user.commands.ports import Store, Transaction


class CaptchaDesk:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def why_not(
        self, purpose: CaptchaPurpose, address: EmailAddress, code: str, origin: Origin, now: datetime
    ) -> Refused[CaptchaRefusal] | None:
        """Check without spending it; a wrong code costs a try. A wrong one never costs us a hash."""
        async with self._store.transaction() as transaction:
            checked = await spent(transaction, purpose, address, code, now)
            if isinstance(checked, Refused):
                owner = await transaction.accounts.by_email(address)
                await transaction.audit.add(
                    AuditEvent.CAPTCHA_FAILED, owner.id if owner else None, origin, checked.reason
                )
                return checked
            return None


async def spent(
    transaction: Transaction, purpose: CaptchaPurpose, address: EmailAddress, code: str, now: datetime
) -> Captcha | Refused[CaptchaRefusal]:
    """Return the used captcha, for the caller to put when all else went well."""
    captcha = await transaction.captchas.latest(purpose, address)
    if captcha is None:
        return Refused(CaptchaRefusal.NOT_FOUND)
    checked = captcha.check(code.strip(), now)
    if checked.refusal is None:
        return checked.after
    await transaction.captchas.put(checked.after)
    return Refused(checked.refusal)
