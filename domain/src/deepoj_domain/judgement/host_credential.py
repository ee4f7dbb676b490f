"""What the credential of a judge host looks like: whatever else is shown is nobody's."""

import re
from typing import Final

PREFIX: Final = "host_"
_FORM: Final = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")


def is_host_credential(text: str) -> bool:
    return _FORM.fullmatch(text) is not None
