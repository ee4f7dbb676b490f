"""A code is to be mailed to an address. The answer is the same whether or not somebody has that address."""

from __future__ import annotations

from datetime import datetime

from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.captcha import CaptchaPurpose, CaptchaRefusal, CaptchaTerms, issue
from deepoj_domain.account.personal import email_address
from deepoj_domain.kernel.ids import CaptchaId
from deepoj_domain.kernel.outcome import Refused
from deepoj_user.commands.attempt_limits import AttemptGate
from deepoj_user.commands.ports import CaptchaCodes, Clock, Mailer, NewId, Store, Throttled


class SendCaptcha:
    def __init__(
        self,
        store: Store,
        mailer: Mailer,
        gate: AttemptGate,
        terms: CaptchaTerms,
        clock: Clock,
        new_id: NewId,
        codes: CaptchaCodes,
    ) -> None:
        self._store = store
        self._mailer = mailer
        self._gate = gate
        self._terms = terms
        self._clock = clock
        self._new_id = new_id
        self._codes = codes

    async def __call__(self, purpose: CaptchaPurpose, email: str, origin: Origin) -> datetime | Throttled:
        """Return when the next may be asked for."""
        self._mailer.check()
        address, now = email_address(email), self._clock()
        if throttled := await self._gate.enter(self._gate.for_mail(address, origin), now):
            return throttled
        async with self._store.transaction() as transaction:
            latest = await transaction.captchas.latest(purpose, address)
            captcha_id = CaptchaId(self._new_id())
            code = self._codes(captcha_id)
            issued = issue(captcha_id, purpose, address, code, latest=latest, terms=self._terms, now=now)
            if isinstance(issued, Refused):
                since = now if latest is None else latest.issued_at
                return Throttled(CaptchaRefusal.SENT_TOO_RECENTLY, since + self._terms.resend_after - now)
            owner = await transaction.accounts.by_email(address)
            await transaction.captchas.put(issued.after)
            await transaction.audit.add(AuditEvent.CAPTCHA_SENT, owner.id if owner else None, origin, purpose)
        self._mailer.wake()
        return now + self._terms.resend_after
