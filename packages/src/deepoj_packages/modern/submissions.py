"""submissions/ and submissions.yaml of version 2025-09."""

from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.refusal import invalid
from deepoj_packages.shared.expectations import DIRECTORIES, SUBMISSIONS, read_each, scored, tagged
from deepoj_packages.shared.globs import matches
from deepoj_packages.shared.metadata import person_of
from deepoj_packages.shared.programs import read_program
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import Expectation, Outcome, Person, Submission
from deepoj_packages.yamls import Section, decimal_of

RULES = SUBMISSIONS / "submissions.yaml"
_VERDICTS = frozenset({Outcome.AC, Outcome.WA, Outcome.TLE, Outcome.RTE})
_ABOUT_PROGRAM = ("language", "entrypoint", "authors", "model_solution")
_ABOUT_RESULT = ("permitted", "required", "score", "message", "use_for_time_limit")
_ENDS_OF_A_RANGE = 2


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: str
    section: Section


def read_submissions(reading: Reading) -> tuple[Submission, ...]:
    section = reading.yaml(RULES)
    rules = [_Rule(key, section.section(key)) for key in section.names()]
    found = read_each(reading, lambda at: _submission(reading, at, rules))
    for rule in rules:
        if not any(matches(rule.pattern, each.name) for each in found):
            reading.warn(f"{RULES}: {rule.pattern} matches no submission")
    return found


def _submission(reading: Reading, at: PurePosixPath, rules: list[_Rule]) -> Submission:
    name, directory = str(at.relative_to(SUBMISSIONS)), at.parts[1]
    matching = [rule for rule in rules if matches(rule.pattern, name)]
    about = [rule.section for rule in matching]
    entrypoint = _last(about, "entrypoint")
    program = read_program(reading, at, _last(about, "language"), entrypoint)
    expected = [_directory_rule(directory, matching)] if directory in DIRECTORIES else []
    for rule in matching:
        if rule.pattern != directory or directory not in DIRECTORIES:
            expected += _expectations(rule.section)
    tag = tagged(reading, directory, program)
    whole = [tag] if tag else expected
    return Submission(
        name=name,
        program=program,
        expectations=tuple(dict.fromkeys((*whole, *scored(reading, program)))),
        entrypoint=entrypoint,
        authors=_authors(about),
        model_solution=any(section.flag("model_solution", default=False) for section in about),
    )


def _last(sections: list[Section], key: str) -> str:
    return next((section.text(key) for section in reversed(sections) if section.has(key)), "")


def _authors(sections: list[Section]) -> tuple[Person, ...]:
    given = next((each for each in reversed(sections) if each.has("authors")), None)
    return tuple(person_of(entry) for entry in given.entries("authors")) if given else ()


def _directory_rule(directory: str, matching: list[_Rule]) -> Expectation:
    """A rule under the plain name of a directory replaces what it mentions of the usual one."""
    usual = DIRECTORIES[directory]
    for rule in matching:
        if rule.pattern == directory:
            own = _expectation(rule.section, "")
            usual = replace(
                usual,
                permitted=usual.permitted if own.permitted is None else own.permitted,
                required=usual.required if own.required is None else own.required,
                score=own.score,
                message=own.message,
                bounds_time_limit=rule.section.text("use_for_time_limit") != "false"
                and usual.bounds_time_limit,
            )
    return usual


def _expectations(section: Section) -> list[Expectation]:
    found = []
    if any(section.has(key) for key in _ABOUT_RESULT):
        found.append(_expectation(section, ""))
    groups = [key for key in section.names() if key not in (*_ABOUT_PROGRAM, *_ABOUT_RESULT)]
    return [*found, *(_expectation(section.section(key), key) for key in groups)]


def _expectation(section: Section, cases: str) -> Expectation:
    permitted, required = _verdicts(section, "permitted"), _verdicts(section, "required")
    use = section.text("use_for_time_limit")
    if use == "lower" and permitted is None:
        permitted = _VERDICTS - {Outcome.TLE}
    if use == "upper" and required is None:
        required = frozenset({Outcome.TLE})
    return Expectation(
        cases=cases,
        permitted=permitted,
        required=required,
        score=_range(section),
        message=section.text("message"),
        bounds_time_limit=use.lower() != "false",
    )


def _verdicts(section: Section, key: str) -> frozenset[Outcome] | None:
    if not section.has(key):
        return None
    words = section.texts(key)
    for word in words:
        if word not in _VERDICTS:
            raise invalid(f"{section.where}: {key} may name AC, WA, TLE and RTE, not {word!r}")
    return frozenset(Outcome(word) for word in words)


def _range(section: Section) -> tuple[Decimal, Decimal] | None:
    if not section.has("score"):
        return None
    words = section.texts("score")
    numbers = [decimal_of(word, f"{section.where}: score") for word in words]
    if len(numbers) > _ENDS_OF_A_RANGE or not numbers:
        raise invalid(f"{section.where}: score is one number or a list of two")
    return numbers[0], numbers[-1]
