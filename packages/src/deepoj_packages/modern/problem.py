"""problem.yaml of version 2025-09."""

from dataclasses import dataclass, replace
from decimal import Decimal

from deepoj_packages.refusal import invalid
from deepoj_packages.shared.limits import read_common_limits, read_passes
from deepoj_packages.shared.metadata import person_of, read_license
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import Credit, Metadata, ProblemLimits, Source, Statement
from deepoj_packages.yamls import Section

_ROLES = ("authors", "contributors", "testers", "packagers", "acknowledgements")
_TYPES = ("pass-fail", "scoring", "multi-pass", "interactive", "submit-answer")
_EXCLUDED_BY_ANSWERS = frozenset({"multi-pass", "interactive"})


@dataclass(frozen=True, slots=True)
class ProblemType:
    scoring: bool
    interactive: bool = False
    passes: int = 1
    answers: bool = False
    """A submission is no program: it holds the answers."""


def read_type(section: Section) -> ProblemType:
    # A list, or one text; older packages write several words into one text.
    types = tuple(word for text in section.texts("type") for word in text.split()) or ("pass-fail",)
    for each in types:
        if each not in _TYPES:
            raise invalid(f"problem.yaml: there is no problem type {each!r}")
    if {"pass-fail", "scoring"} <= set(types):
        raise invalid("problem.yaml: a problem is either pass-fail or scoring")
    if "submit-answer" in types and not _EXCLUDED_BY_ANSWERS.isdisjoint(types):
        raise invalid("problem.yaml: a problem of type submit-answer is neither interactive nor multi-pass")
    return ProblemType(
        scoring="scoring" in types,
        interactive="interactive" in types,
        passes=read_passes(section) if "multi-pass" in types else 1,
        answers="submit-answer" in types,
    )


def read_names(
    reading: Reading, section: Section, statements: tuple[Statement, ...]
) -> tuple[tuple[str, str], ...]:
    if section.is_map("name"):
        by_language = section.section("name")
        names = {language: by_language.text(language) for language in by_language.names()}
    else:
        names = {"en": section.text("name")} if section.has("name") else {}
    if not any(names.values()):
        raise invalid("problem.yaml: the problem has no name")
    written = {statement.language for statement in statements}
    if statements and written != set(names):
        reading.warn(
            f"problem.yaml names the problem in {', '.join(sorted(names))}, "
            f"its statements are in {', '.join(sorted(written))}"
        )
    return tuple(sorted(names.items()))


def read_metadata(reading: Reading, section: Section) -> Metadata:
    return Metadata(
        uuid=section.text("uuid"),
        version=section.text("version"),
        credits=_credits(reading, section),
        sources=tuple(_source(entry) for entry in section.entries("source")),
        license=read_license(reading, section),
        rights_owner=section.text("rights_owner"),
        embargo_until=section.text("embargo_until"),
        keywords=section.texts("keywords"),
    )


def _credits(reading: Reading, section: Section) -> tuple[Credit, ...]:
    if not section.is_map("credits"):
        return tuple(Credit("authors", person_of(each)) for each in section.entries("credits"))
    given = section.section("credits")
    found = [Credit(role, person_of(each)) for role in _ROLES for each in given.entries(role)]
    translators = given.section("translators")
    for language in translators.names():
        found += [Credit("translators", person_of(each), language) for each in translators.entries(language)]
    reading.warn_unknown(given)
    return tuple(found)


def _source(entry: str | Section) -> Source:
    if isinstance(entry, str):
        return Source(entry)
    return Source(entry.text("name"), entry.text("url"))


def read_limits(reading: Reading, section: Section) -> ProblemLimits:
    given = section.section("limits")
    factors = given.section("time_multipliers")
    limits = replace(
        read_common_limits(given),
        time_ms=_milliseconds(given, "time_limit"),
        slowest_accepted_factor=_factor(factors, "ac_to_time_limit", Decimal(2)),
        fastest_rejected_factor=_factor(factors, "time_limit_to_tle", Decimal("1.5")),
        time_resolution_ms=_milliseconds(given, "time_resolution") or 1000,
    )
    given.has("validation_passes")
    reading.warn_unknown(given)
    reading.warn_unknown(factors)
    return limits


def _milliseconds(section: Section, key: str) -> int | None:
    seconds = section.decimal(key)
    if seconds is None:
        return None
    if seconds <= 0:
        raise invalid(f"{section.where}: {key} must be above 0")
    return max(1, int(seconds * 1000))


def _factor(section: Section, key: str, default: Decimal) -> Decimal:
    value = section.decimal(key, default)
    if value is None or value < 1:
        raise invalid(f"{section.where}: {key} must be at least 1")
    return value


def read_languages(section: Section) -> tuple[str, ...] | None:
    codes = section.texts("languages")
    return None if codes in {(), ("all",)} else codes


def look_at_the_rest(section: Section) -> None:
    """Constants are written out already; programs may write in their own directory whatever this key says."""
    section.has("constants")
    section.flag("allow_file_writing", default=False)
