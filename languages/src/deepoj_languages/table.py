"""The one table of languages: who judges, routes, guesses or reads packages asks it."""

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import PurePath

import msgspec

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_languages.language import EntryPoint, Language


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    language: list[Language]


@cache
def language_table() -> tuple[Language, ...]:
    text = files("deepoj_languages").joinpath("languages.toml").read_text()
    return tuple(msgspec.convert(tomllib.loads(text), _Table).language)


def slugs_of_package(code: str) -> tuple[LanguageSlug, ...]:
    """Return our languages for a code of package formats, the preferred one first."""
    return tuple(row.slug for row in language_table() if row.package_code == code)


def source_name_of_package(code: str) -> str | None:
    """Return the name that the main file of a program gets; None if a program names its beginning itself."""
    rows = (row for row in language_table() if row.package_code == code and row.entry is EntryPoint.FILE)
    return next((row.source_name for row in rows), None)


def slugs_of_file(name: str) -> tuple[LanguageSlug, ...]:
    """Return the languages a file of this name may be written in, the preferred one first."""
    suffix = PurePath(name).suffix
    rows = language_table()
    exact = tuple(row.slug for row in rows if suffix in row.suffixes)
    return exact or tuple(row.slug for row in rows if suffix.lower() in row.suffixes)
