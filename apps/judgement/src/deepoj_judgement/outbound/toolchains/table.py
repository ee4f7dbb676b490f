"""The language table of this package."""

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from deepoj_judgement.commands.language import Language


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    language: list[Language]


@cache
def language_table() -> tuple[Language, ...]:
    text = files("deepoj_judgement").joinpath("languages.toml").read_text()
    return tuple(msgspec.convert(tomllib.loads(text), _Table).language)
