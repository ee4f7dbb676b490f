from re import compile as pattern
from typing import NewType

from deepoj_domain.kernel.errors import InvalidValueError

# The key of a row in the language table, such as `cpp17`. Plain text in an event; made by `language_slug`.
LanguageSlug = NewType("LanguageSlug", str)

_SLUG = pattern(r"[a-z][a-z0-9_+-]{0,31}")


def language_slug(text: str) -> LanguageSlug:
    if not _SLUG.fullmatch(text):
        raise InvalidValueError("language_malformed", f"{text[:40]!r} is not a language slug")
    return LanguageSlug(text)
