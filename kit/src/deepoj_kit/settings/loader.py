"""Load a settings struct, or describe where each of its values would come from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeVar, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo

from deepoj_kit.settings.secret import REDACTED, Secret, redact_url
from deepoj_kit.settings.sources import Problem, SettingsError, Sources, scoped_variable
from deepoj_kit.settings.values import WrongValueError, expected, is_secret, parse

S = TypeVar("S", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Described:
    name: str
    variable: str
    value: str
    """As text, secrets redacted; empty when missing."""
    source: str
    """A variable, a file and table, `default` or `missing`."""
    help: str
    problem: str = ""


def load(settings_type: type[S], *, scope: str, environ: Mapping[str, str] | None = None) -> S:
    """Build the settings of `scope`; raise one `SettingsError` that names every problem."""
    sources = Sources(scope, os.environ if environ is None else environ)
    problems = list(sources.problems)
    values: dict[str, object] = {}
    fields = msgspec.structs.fields(settings_type)
    for field in fields:
        found = sources.find(field.name)
        if found is not None:
            try:
                values[field.name] = parse(field.type, found.raw)
            except WrongValueError as error:
                problems.append(_problem(field, found.source, found.raw, error))
        elif field.required:
            problems.append(Problem(scoped_variable(scope, field.name), "is not set", _expected(field)))
    problems += sources.unknown_keys(field.name for field in fields)
    if problems:
        raise SettingsError(problems)
    return settings_type(**values)


def describe(
    settings_type: type[msgspec.Struct], *, scope: str, environ: Mapping[str, str] | None = None
) -> list[Described]:
    """Say for each setting its value (secrets redacted), where it comes from and what it is for."""
    sources = Sources(scope, os.environ if environ is None else environ)
    return [_described(field, sources) for field in msgspec.structs.fields(settings_type)]


def _described(field: FieldInfo, sources: Sources) -> Described:
    variable = scoped_variable(sources.scope, field.name)
    found = sources.find(field.name)
    if found is None:
        source = "missing" if field.required else "default"
        value = "" if field.required else _shown(_default(field))
        return Described(field.name, variable, value, source, _help(field))
    try:
        value = _shown(parse(field.type, found.raw))
    except WrongValueError as error:
        problem = str(_problem(field, found.source, found.raw, error))
        return Described(field.name, variable, "", found.source, _help(field), problem)
    return Described(field.name, variable, value, found.source, _help(field))


def _default(field: FieldInfo) -> object:
    return field.default if field.default is not msgspec.NODEFAULT else field.default_factory()


def _shown(value: object) -> str:
    if isinstance(value, Secret):
        return REDACTED if value.reveal() else ""
    if isinstance(value, tuple):
        return ", ".join(str(each) for each in value)
    return "" if value is None else redact_url(str(value))


def _problem(field: FieldInfo, source: str, raw: object, error: WrongValueError) -> Problem:
    shown = REDACTED if is_secret(field.type) else redact_url(repr(raw))
    name = source if source.isupper() else f"{field.name} in {source}"
    return Problem(name, f"is {shown}, which {error}", _expected(field))


def _expected(field: FieldInfo) -> str:
    described = _help(field)
    return expected(field.type) + (f": {described}" if described else "")


def _help(field: FieldInfo) -> str:
    metas = get_args(field.type)[1:] if get_origin(field.type) is Annotated else ()
    return next((m.description for m in metas if isinstance(m, msgspec.Meta) and m.description), "")
