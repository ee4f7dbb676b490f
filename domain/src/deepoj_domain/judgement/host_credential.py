"""What the credential of a judge host looks like: whatever else is shown is nobody's."""

import hashlib
import hmac
import re
from typing import Final

PREFIX: Final = "host_"
_FORM: Final = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")


def is_host_credential(text: str) -> bool:
    return _FORM.fullmatch(text) is not None


def redis_user(env: str, host: str) -> str:
    """Return the name of a host's own user: a server may have users of several environments."""
    return f"deepoj-{env}-{host}"


def redis_password(credential: str) -> str:
    """Return its password, which nobody keeps: it follows from the credential, and does not tell it."""
    return hmac.new(credential.encode(), b"redis", hashlib.sha256).hexdigest()
