from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.account.captcha import Captcha, CaptchaPurpose, CaptchaRefusal, CaptchaTerms, issue
from deepoj_domain.account.personal import email_address
from deepoj_domain.kernel.ids import CaptchaId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.testing import NOW, uuid

TERMS = CaptchaTerms()
SECOND = timedelta(seconds=1)
ADDRESS = email_address("alice@example.org")
CODE = "ABCDE-FG234"


def _issue(
    number: int, latest: Captcha | None, seconds: int = 0
) -> Changed[Captcha] | Refused[CaptchaRefusal]:
    return issue(
        CaptchaId(uuid(number)),
        CaptchaPurpose.REGISTER,
        ADDRESS,
        CODE,
        latest=latest,
        terms=TERMS,
        now=NOW + seconds * SECOND,
    )


def _issued() -> Captcha:
    outcome = _issue(60, None)
    assert isinstance(outcome, Changed)
    return outcome.after


def test_the_right_code_is_good_once() -> None:
    first = _issued().check(CODE, NOW)
    assert first.refusal is None
    assert first.after.check(CODE, NOW).refusal is CaptchaRefusal.ALREADY_USED


@pytest.mark.parametrize("spelt", ["abcde-fg234", "ABCDEFG234", "abcde fg234 "])
def test_a_code_is_good_however_it_is_spelt(spelt: str) -> None:
    assert _issued().check(spelt, NOW).refusal is None


def test_at_its_expiry_a_code_is_void() -> None:
    captcha = _issued()
    assert captcha.check(CODE, captcha.expires_at - SECOND).refusal is None
    assert captcha.check(CODE, captcha.expires_at).refusal is CaptchaRefusal.EXPIRED


def test_wrong_codes_cost_tries_and_then_the_right_one_is_too_late() -> None:
    captcha = _issued()
    for _ in range(TERMS.tries):
        checked = captcha.check("000 000", NOW)
        assert checked.refusal is CaptchaRefusal.WRONG_CODE
        captcha = checked.after
    assert captcha.check(CODE, NOW).refusal is CaptchaRefusal.TOO_MANY_TRIES


@pytest.mark.parametrize(("seconds", "again"), [(59, False), (60, True)])
def test_an_address_is_not_flooded(seconds: int, *, again: bool) -> None:
    outcome = _issue(61, _issued(), seconds)
    assert isinstance(outcome, Changed) is again
    if isinstance(outcome, Refused):
        assert outcome.reason is CaptchaRefusal.SENT_TOO_RECENTLY


def test_the_code_is_kept_as_a_digest_salted_with_the_id() -> None:
    first, second = _issued(), replace(_issued(), id=CaptchaId(uuid(61)))
    assert CODE not in repr(first)
    assert second.check(CODE, NOW).refusal is CaptchaRefusal.WRONG_CODE
