"""The codes that are mailed: made of the captcha's id and a secret, so that none has to be kept."""

from __future__ import annotations

import hmac
from base64 import b32encode
from typing import Final

from deepoj_domain.kernel.ids import CaptchaId
from deepoj_kit.settings import Secret

# 50 bits. With the few tries a mailbox is good for in a day, nobody comes upon one in a lifetime. The letters
# and digits of base 32 do not look like each other.
_HALF: Final = 5


class KeyedCaptchaCodes:
    def __init__(self, secret: Secret) -> None:
        self._secret = secret

    def __call__(self, captcha_id: CaptchaId) -> str:
        digest = hmac.digest(self._secret.reveal().encode(), b"captcha " + captcha_id.bytes, "sha256")
        text = b32encode(digest).decode()
        return f"{text[:_HALF]}-{text[_HALF : 2 * _HALF]}"
