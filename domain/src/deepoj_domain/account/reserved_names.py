"""Names that would be taken for the staff's: what people choose for themselves may not look like them.

Usernames are ASCII, display names are not: both are compared by what they look like. Admins give any name.
"""
# ruff: noqa: RUF001 — letters that look alike are what this is about

import unicodedata
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError

GUEST_PREFIX: Final = "guest-"
_RESERVED: Final = (
    "abuse", "anonymous", "everyone", "guest", "help", "info", "judge", "jury", "mail", "me", "mod",
    "moderator", "nobody", "null", "official", "operator", "organizer", "organiser", "owner", "postmaster",
    "root", "security", "service", "staff", "superuser", "support", "sysop", "system", "undefined",
    "webmaster",
)  # fmt: skip
# What can be read as another letter; the letters of other alphabets that look like ours.
_LOOKS_LIKE: Final = str.maketrans(
    {
        "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "i": "l", "|": "l", "!": "l",
        "$": "s", "@": "a", "ı": "l", "ø": "o",
        "а": "a", "в": "b", "е": "e", "ё": "e", "к": "k", "м": "m", "н": "h", "о": "o", "р": "p", "с": "c",
        "т": "t", "у": "y", "х": "x", "і": "l", "ї": "l", "ј": "j", "ѕ": "s", "ԁ": "d", "ԛ": "q", "ԝ": "w",
        "ո": "n", "ս": "u", "օ": "o", "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "l", "κ": "k", "μ": "m",
        "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x",
    }
)  # fmt: skip
_ALPHABETS: Final = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")


def chosen_username(text: str) -> str:
    """Return a name that somebody chose for themselves, unless it is kept for the staff."""
    if _looks_reserved(text):
        raise InvalidValueError("username_reserved", "this username is kept for the staff: choose another")
    return text


def chosen_display_name(text: str) -> str:
    if _looks_reserved(text):
        raise InvalidValueError("display_name_reserved", "this name is kept for the staff: choose another")
    if any(len(_alphabets(word)) > 1 for word in text.split()):
        raise InvalidValueError("display_name_mixed", "a word of a display name is written in one alphabet")
    return text


def _looks_reserved(text: str) -> bool:
    if text.lower().startswith(GUEST_PREFIX):
        return True
    seen = _skeleton(text)
    return seen in _SKELETONS or seen.startswith(_BEGINNINGS)


def _skeleton(text: str) -> str:
    """Return what the eye reads: no accents, no signs between, one letter for all that look like it."""
    plain = unicodedata.normalize("NFKD", text).casefold().rstrip("0123456789").translate(_LOOKS_LIKE)
    letters = "".join(each for each in plain if each.isalpha())
    return letters.replace("rn", "m").replace("vv", "w")


def _alphabets(word: str) -> set[str]:
    names = {unicodedata.name(each, "").partition(" ")[0] for each in word if each.isalpha()}
    return names & set(_ALPHABETS)


_SKELETONS: Final = frozenset(map(_skeleton, _RESERVED))
_BEGINNINGS: Final = tuple(map(_skeleton, ("admin", "deepoj")))
