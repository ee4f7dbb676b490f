"""problem.yaml of the legacy format, and the files DOMjudge and others put beside it."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.options import Dialect
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.limits import read_common_limits, read_passes
from deepoj_packages.shared.metadata import person_of, read_license
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.shared.statements import name_in_statement
from deepoj_packages.spec import Credit, Metadata, ProblemLimits, Source, Statement
from deepoj_packages.yamls import Section, decimal_of

_INI = PurePosixPath("domjudge-problem.ini")
_TIME_LIMIT = PurePosixPath(".timelimit")
_INI_KEY = re.compile(r"[\w-]+")
_AND = re.compile(r",|\band\b")
# What DOMjudge keeps about a problem that is no property of the problem.
_CONTEST_KEYS = frozenset({"allow_submit", "allow_judge", "color", "short-name", "probid", "externalid"})
_OURS = frozenset({"name", "timelimit", "points"})


@dataclass(frozen=True, slots=True)
class Validation:
    custom: bool
    interactive: bool
    scores: bool
    flags: tuple[str, ...]
    passes: int = 1


def read_validation(section: Section, dialect: Dialect, *, scoring: bool) -> Validation:
    """DOMjudge reads the score.txt of every validator of a scoring problem, Kattis only announced ones."""
    words = section.text("validation", "default").split()
    if not words or words[0] not in {"default", "custom"}:
        raise invalid("problem.yaml: validation must begin with default or custom")
    extras = set(words[1:])
    if extras - {"interactive", "score", "multi-pass"} or (words[0] == "default" and extras):
        raise invalid(f"problem.yaml: validation {' '.join(words)!r} is not known")
    flags = tuple(section.text("validator_flags").split())
    custom = words[0] == "custom"
    scores = "score" in extras or (custom and scoring and dialect is Dialect.DOMJUDGE)
    if scores and not scoring:
        raise invalid("problem.yaml: only a scoring problem has a validator that scores")
    passes = read_passes(section) if "multi-pass" in extras else 1
    return Validation(custom, "interactive" in extras, scores, flags, passes)


def read_scoring(section: Section) -> bool:
    """The type, and the two keys that only scoring problems have."""
    types = section.texts("type") or ("pass-fail",)
    if len(types) > 1 or types[0] not in {"pass-fail", "scoring"}:
        raise invalid(f"problem.yaml: type {' '.join(types)!r} is not one of the legacy format")
    grading = section.section("grading")
    if grading.choice("objective", ("max", "min"), "max") == "min":
        raise unsupported("problem.yaml: problems where the least score wins cannot be judged here")
    grading.flag("show_test_data_groups", default=False)
    if grading.flag("custom_scoring", default=False):
        raise unsupported("problem.yaml: custom scoring cannot be judged here")
    return types[0] == "scoring"


def read_ini(reading: Reading) -> dict[str, str]:
    if not reading.tree.has(_INI):
        return {}
    lines = (line.partition("=") for line in reading.tree.text(_INI).splitlines())
    found = {
        key.strip(): _unquoted(value.strip())
        for key, equals, value in lines
        if equals and _INI_KEY.fullmatch(key.strip())
    }
    for key in sorted(set(found) - _CONTEST_KEYS - _OURS):
        reading.warn(f"{_INI}: the key {key!r} is not used")
    if found.get("points", "1") not in {"", "1"}:
        reading.warn(f"{_INI}: the points of a problem belong to its contest and were not used")
    return found


def _unquoted(value: str) -> str:
    for quote in ("'", '"'):
        if value.count(quote) == len("''") and value.startswith(quote) and value.endswith(quote):
            return value[1:-1]
    return value


def read_names(
    reading: Reading, section: Section, ini: dict[str, str], statements: tuple[Statement, ...], fallback: str
) -> tuple[tuple[str, str], ...]:
    """TeX statements name themselves; problem.yaml names the rest."""
    if section.is_map("name"):
        by_language = section.section("name")
        return tuple(sorted((code, by_language.text(code)) for code in by_language.names()))
    default = section.text("name") or ini.get("name", "")
    names = {each.language: name_in_statement(reading, each) or default for each in statements}
    if not any(names.values()):
        if not default:
            reading.warn(f"the problem has no name, so it is called {fallback}")
        names = dict.fromkeys(names or ("en",), default or fallback)
    return tuple(sorted((code, name or default or fallback) for code, name in names.items()))


def read_metadata(reading: Reading, section: Section) -> Metadata:
    authors = section.entries("author")
    words = [authors[0]] if len(authors) == 1 else list(authors)
    people = [
        person_of(part)
        for each in words
        for part in (_AND.split(each) if isinstance(each, str) else [each])
        if not isinstance(part, str) or part.strip()
    ]
    source = section.text("source")
    return Metadata(
        uuid=section.text("uuid"),
        version=section.text("version"),
        credits=tuple(Credit("authors", person) for person in people),
        sources=(Source(source, section.text("source_url")),) if source else (),
        license=read_license(reading, section),
        rights_owner=section.text("rights_owner"),
        keywords=_keywords(section),
    )


def _keywords(section: Section) -> tuple[str, ...]:
    return (
        section.texts("keywords") if section.is_list("keywords") else tuple(section.text("keywords").split())
    )


def read_limits(reading: Reading, section: Section, ini: dict[str, str]) -> ProblemLimits:
    given = section.section("limits")
    limits = replace(
        read_common_limits(given),
        time_ms=_time_limit(reading, given, ini),
        slowest_accepted_factor=given.decimal("time_multiplier", Decimal(5)) or Decimal(5),
        fastest_rejected_factor=given.decimal("time_safety_margin", Decimal(2)) or Decimal(2),
        time_resolution_ms=int((given.decimal("time_resolution") or Decimal(1)) * 1000),
    )
    if min(limits.slowest_accepted_factor, limits.fastest_rejected_factor) < 1:
        raise invalid("problem.yaml: time_multiplier and time_safety_margin must be at least 1")
    given.has("validation_passes")
    reading.warn_unknown(given)
    return limits


def _time_limit(reading: Reading, limits: Section, ini: dict[str, str]) -> int | None:
    """The legacy format has no key for it; three places are in use."""
    places = {
        "problem.yaml": limits.text("time_limit"),
        str(_INI): ini.get("timelimit", ""),
        str(_TIME_LIMIT): reading.tree.text(_TIME_LIMIT).strip() if reading.tree.has(_TIME_LIMIT) else "",
    }
    found = {place: decimal_of(text, f"the time limit in {place}") for place, text in places.items() if text}
    if any(seconds <= 0 for seconds in found.values()):
        raise invalid("the time limit must be above 0")
    if len(set(found.values())) > 1:
        reading.warn(f"{' and '.join(found)} give different time limits; the first of them counts")
    return max(1, int(next(iter(found.values())) * 1000)) if found else None
