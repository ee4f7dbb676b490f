from __future__ import annotations

import re
from uuid import uuid4

from deepoj_domain.kernel.ids import CaptchaId
from deepoj_kit.settings import Secret
from deepoj_user.outbound.captcha_codes import KeyedCaptchaCodes


def test_a_code_follows_from_the_captcha_and_the_secret_and_from_nothing_less() -> None:
    first, second = CaptchaId(uuid4()), CaptchaId(uuid4())
    codes = KeyedCaptchaCodes(Secret("a secret"))
    assert re.fullmatch(r"[A-Z2-7]{5}-[A-Z2-7]{5}", codes(first))
    assert codes(first) == KeyedCaptchaCodes(Secret("a secret"))(first)
    assert len({codes(first), codes(second), KeyedCaptchaCodes(Secret("another"))(first)}) == 3
