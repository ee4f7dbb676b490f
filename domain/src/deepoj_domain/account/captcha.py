"""The Captcha aggregate: a code mailed to an address, good for one purpose, once, for a while."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hmac import compare_digest

from deepoj_domain.account.personal import EmailAddress
from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.ids import CaptchaId
from deepoj_domain.kernel.outcome import Changed, Refused


class CaptchaPurpose(StrEnum):
    REGISTER = "register"
    CHANGE_PASSWORD = "change_password"  # noqa: S105  the name of a purpose, not a secret


class CaptchaRefusal(StrEnum):
    NOT_FOUND = "captcha_not_found"
    SENT_TOO_RECENTLY = "captcha_sent_too_recently"
    ALREADY_USED = "captcha_already_used"
    EXPIRED = "captcha_expired"
    TOO_MANY_TRIES = "captcha_too_many_tries"
    WRONG_CODE = "captcha_wrong_code"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptchaTerms:
    validity: timedelta = timedelta(minutes=10)
    resend_after: timedelta = timedelta(seconds=60)
    tries: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Captcha:
    id: CaptchaId
    purpose: CaptchaPurpose
    address: EmailAddress = field(repr=False)
    code: ContentHash = field(repr=False)
    """Only its digest is kept, salted with the id."""
    issued_at: datetime
    expires_at: datetime
    tries_left: int
    used: bool = False

    def __post_init__(self) -> None:
        require_utc(self.issued_at, self.expires_at)

    def check(self, code: str, now: datetime) -> "Checked":
        if refusal := self._why_spent(now):
            return Checked(self, refusal)
        if not compare_digest(self.code, code_digest(self.id, code)):
            return Checked(replace(self, tries_left=self.tries_left - 1), CaptchaRefusal.WRONG_CODE)
        return Checked(replace(self, used=True), None)

    def _why_spent(self, now: datetime) -> CaptchaRefusal | None:
        if self.used:
            return CaptchaRefusal.ALREADY_USED
        if now >= self.expires_at:
            return CaptchaRefusal.EXPIRED
        return CaptchaRefusal.TOO_MANY_TRIES if self.tries_left < 1 else None


@dataclass(frozen=True, slots=True)
class Checked:
    """Unlike a `Refused` it always has a captcha to store: a wrong code costs a try."""

    after: Captcha
    refusal: CaptchaRefusal | None


def issue(
    captcha_id: CaptchaId,
    purpose: CaptchaPurpose,
    address: EmailAddress,
    code: str,
    *,
    latest: Captcha | None,
    terms: CaptchaTerms,
    now: datetime,
) -> Changed[Captcha] | Refused[CaptchaRefusal]:
    """`latest` is the last captcha of this purpose for this address, if any."""
    if latest is not None and now < latest.issued_at + terms.resend_after:
        return Refused(CaptchaRefusal.SENT_TOO_RECENTLY)
    captcha = Captcha(
        id=captcha_id,
        purpose=purpose,
        address=address,
        code=code_digest(captcha_id, code),
        issued_at=now,
        expires_at=now + terms.validity,
        tries_left=terms.tries,
    )
    return Changed(captcha)


def code_digest(captcha_id: CaptchaId, code: str) -> ContentHash:
    """However it is spelt: people leave out the dash and write small letters."""
    plain = "".join(each for each in code.upper() if each.isalnum())
    return hash_of(f"{captcha_id}:{plain}".encode())
