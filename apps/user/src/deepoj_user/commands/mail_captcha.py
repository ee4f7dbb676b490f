"""A captcha that waits is mailed, tried again until it expires, and mailed again after a crash in between."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from deepoj_domain.account.captcha import Captcha, CaptchaTerms
from deepoj_user.commands.captcha_letter import mail_for
from deepoj_user.commands.ports import CaptchaCodes, CaptchaMailQueue, Clock, Delivery, Mailer

# Nobody else takes the letter meanwhile. A mail server that needs longer makes it two, with the same code.
_UNDER_WAY: Final = timedelta(seconds=15)
_SOONEST: Final = timedelta(seconds=2)
_LATEST: Final = timedelta(minutes=1)


class MailCaptcha:
    def __init__(
        self,
        mail_queue: CaptchaMailQueue,
        mailer: Mailer,
        codes: CaptchaCodes,
        terms: CaptchaTerms,
        clock: Clock,
    ) -> None:
        self._mail_queue = mail_queue
        self._mailer = mailer
        self._codes = codes
        self._terms = terms
        self._clock = clock

    async def __call__(self) -> bool:
        """Try one that is due; say whether there was one."""
        now = self._clock()
        taken = await self._mail_queue.take(now, now + _UNDER_WAY)
        if taken is None:
            return False
        captcha, is_known = taken
        code = self._codes(captcha.id)
        mail = mail_for(captcha.purpose, captcha.address, code, self._terms, is_known=is_known)
        failed = await self._mailer.send(mail) is Delivery.FAILED
        await self._mail_queue.put_off(captcha.id, _again(captcha, self._clock()) if failed else None)
        return True


def _again(captcha: Captcha, now: datetime) -> datetime:
    """Return when to try again: each pause is as long as the letter has waited, within limits."""
    return now + min(max(now - captcha.issued_at, _SOONEST), _LATEST)
