"""problem.yaml, with what differs from the format's defaults."""

from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.exporting.entries import Entry, YamlValue, yaml_entry
from deepoj_packages.spec import (
    DefaultValidator,
    FormatVersion,
    LineValidator,
    Metadata,
    OutputValidator,
    Person,
    ProblemLimits,
    ProblemSpec,
)

_DEFAULTS = ProblemLimits()


def problem_entry(spec: ProblemSpec) -> Entry:
    types: list[YamlValue] = ["scoring" if spec.scoring else "pass-fail"]
    if spec.interactive:
        types.append("interactive")
    if spec.passes > 1:
        types.append("multi-pass")
    if spec.answers_submitted:
        types.append("submit-answer")
    values: dict[str, YamlValue] = {
        "problem_format_version": str(FormatVersion.V2025_09),
        "type": types[0] if len(types) == 1 else types,
        "name": dict(spec.names),
        **_metadata(spec.metadata),
    }
    limits = _limits(spec.limits)
    if spec.passes > 1:
        limits["validation_passes"] = spec.passes
    if limits:
        values["limits"] = limits
    if spec.languages is not None:
        values["languages"] = list(spec.languages)
    return yaml_entry(PurePosixPath("problem.yaml"), values)


def legacy_problem_values(spec: ProblemSpec) -> dict[str, YamlValue]:
    names = dict(spec.names)
    metadata, limits = spec.metadata, spec.limits
    values: dict[str, YamlValue] = {
        "name": dict(names) if len(names) > 1 else spec.title,
        "type": "scoring" if spec.scoring else "pass-fail",
        "validation": _validation(spec),
    }
    for key in ("uuid", "version", "rights_owner"):
        if text := str(getattr(metadata, key)):
            values[key] = text
    if metadata.license != "unknown":
        values["license"] = metadata.license
    if authors := [credit.person.name for credit in metadata.credits if credit.role == "authors"]:
        values["author"] = ", ".join(authors)
    if metadata.sources:
        values |= {"source": metadata.sources[0].name, "source_url": metadata.sources[0].url}
    if metadata.keywords:
        values["keywords"] = " ".join(metadata.keywords)
    factors: dict[str, YamlValue] = {
        "time_multiplier": limits.slowest_accepted_factor,
        "time_safety_margin": limits.fastest_rejected_factor,
        "time_resolution": _seconds(limits.time_resolution_ms),
    }
    whole = {key: value for key, value in _whole_limits(limits).items() if value is not None}
    return {**values, "limits": {**factors, **whole}}


def _validation(spec: ProblemSpec) -> str:
    match spec.validator:
        case DefaultValidator():
            return "default"
        case LineValidator():
            return "custom"
        case OutputValidator(interactive=interactive, scores=scores):
            return "custom" + " interactive" * interactive + " score" * scores


def _metadata(metadata: Metadata) -> dict[str, YamlValue]:
    values: dict[str, YamlValue] = {}
    for key in ("uuid", "version", "rights_owner", "embargo_until"):
        if text := str(getattr(metadata, key)):
            values[key] = text
    if metadata.license != "unknown":
        values["license"] = metadata.license
    if metadata.credits:
        values["credits"] = _credits(metadata)
    if metadata.sources:
        values["source"] = [_without_empty({"name": each.name, "url": each.url}) for each in metadata.sources]
    if metadata.keywords:
        values["keywords"] = list(metadata.keywords)
    return values


def _credits(metadata: Metadata) -> dict[str, YamlValue]:
    roles: dict[str, list[YamlValue]] = {}
    translators: dict[str, list[YamlValue]] = {}
    for credit in metadata.credits:
        known = translators if credit.role == "translators" else roles
        known.setdefault(credit.language or credit.role, []).append(person_value(credit.person))
    values: dict[str, YamlValue] = dict(roles)
    if translators:
        values["translators"] = dict(translators)
    return values


def person_value(person: Person) -> YamlValue:
    return _without_empty(
        {"name": person.name, "email": person.email, "orcid": person.orcid, "kattis": person.kattis}
    )


def _without_empty(values: dict[str, str]) -> dict[str, YamlValue]:
    return {key: value for key, value in values.items() if value}


def _limits(limits: ProblemLimits) -> dict[str, YamlValue]:
    values: dict[str, YamlValue] = {}
    if limits.time_ms is not None:
        values["time_limit"] = _seconds(limits.time_ms)
    if limits.time_resolution_ms != _DEFAULTS.time_resolution_ms:
        values["time_resolution"] = _seconds(limits.time_resolution_ms)
    factors: dict[str, YamlValue] = {}
    if limits.slowest_accepted_factor != _DEFAULTS.slowest_accepted_factor:
        factors["ac_to_time_limit"] = limits.slowest_accepted_factor
    if limits.fastest_rejected_factor != _DEFAULTS.fastest_rejected_factor:
        factors["time_limit_to_tle"] = limits.fastest_rejected_factor
    if factors:
        values["time_multipliers"] = factors
    return values | {key: value for key, value in _whole_limits(limits).items() if value is not None}


def _whole_limits(limits: ProblemLimits) -> dict[str, int | None]:
    return {
        "memory": limits.memory_mib,
        "output": limits.output_mib,
        "code": limits.code_kib,
        "compilation_time": limits.compilation_time_s,
        "compilation_memory": limits.compilation_memory_mib,
        "validation_time": limits.validation_time_s,
        "validation_memory": limits.validation_memory_mib,
        "validation_output": limits.validation_output_mib,
    }


def _seconds(milliseconds: int) -> Decimal:
    return Decimal(milliseconds) / 1000
