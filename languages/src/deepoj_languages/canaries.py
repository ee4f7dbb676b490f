"""A known solution in each language, by which a judge host tests itself."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from deepoj_domain.kernel.language import LanguageSlug

_FACTOR: Final = 16807
_MODULUS: Final = 2147483647


class Canary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    languages: tuple[LanguageSlug, ...]
    rounds: int
    """What takes long enough to be measured."""
    source: str


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    canary: list[Canary]


@cache
def _canaries() -> dict[LanguageSlug, Canary]:
    text = files("deepoj_languages").joinpath("canaries.toml").read_text()
    rows = msgspec.convert(tomllib.loads(text), _Table).canary
    return {slug: row for row in rows for slug in row.languages}


def canary_of(language: LanguageSlug) -> Canary | None:
    return _canaries().get(language)


def canary_says(number: int) -> int:
    """Return what every canary prints for a positive number."""
    return pow(_FACTOR, number, _MODULUS)
