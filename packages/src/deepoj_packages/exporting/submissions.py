"""submissions/ of an exported package, and what submissions.yaml must add to the usual directories."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from deepoj_languages.scripts import SCRIPTS
from deepoj_packages.exporting.entries import Entry, YamlValue, program_entries, yaml_entry
from deepoj_packages.exporting.problem import person_value
from deepoj_packages.languages import language_of
from deepoj_packages.modern.submissions import RULES
from deepoj_packages.shared.expectations import DIRECTORIES, SUBMISSIONS
from deepoj_packages.spec import Expectation, Outcome, ProblemSpec, Submission


def submission_entries(spec: ProblemSpec) -> Iterator[Entry]:
    rules: dict[str, YamlValue] = {}
    for submission in spec.submissions:
        yield from program_entries(spec, submission.program, SUBMISSIONS / submission.name)
        rules.update(_directory_rule(submission))
        rules.update(_own_rules(submission))
    if rules:
        yield yaml_entry(RULES, rules)


def _directory_rule(submission: Submission) -> dict[str, YamlValue]:
    """The first expectation comes from the directory, where it has a usual one."""
    directory = PurePosixPath(submission.name).parts[0]
    usual = DIRECTORIES.get(directory)
    if usual is None or not submission.expectations:
        return {}
    first = submission.expectations[0]
    return {} if first == usual or first.final else {directory: _rule(first)}


def _own_rules(submission: Submission) -> dict[str, YamlValue]:
    about = _about(submission)
    directory = PurePosixPath(submission.name).parts[0]
    own = submission.expectations[1 if directory in DIRECTORIES else 0 :]
    rules: dict[str, YamlValue] = {submission.name: about} if about else {}
    # A second rule for the same cases needs a second key; braces around a name mean the name.
    layers: list[dict[str, YamlValue]] = []
    for expected in own:
        # A tag in the source says this one.
        if expected.final is None:
            _add(layers, expected)
    for depth, layer in enumerate(layers):
        key = "{" * depth + submission.name + "}" * depth
        rules[key] = {**(about if depth == 0 else {}), **layer}
    return rules


def _add(layers: list[dict[str, YamlValue]], expected: Expectation) -> None:
    rule = _rule(replace(expected, cases=""))
    taken = {expected.cases} if expected.cases else set(rule)
    for layer in layers:
        if taken.isdisjoint(layer):
            break
    else:
        layer = {}
        layers.append(layer)
    layer.update({expected.cases: rule} if expected.cases else rule)


def _about(submission: Submission) -> dict[str, YamlValue]:
    values: dict[str, YamlValue] = {}
    if submission.program.language not in {language_of(submission.program.main), SCRIPTS.slug}:
        values["language"] = submission.program.language
    if submission.entrypoint:
        values["entrypoint"] = submission.entrypoint
    if submission.authors:
        values["authors"] = [person_value(author) for author in submission.authors]
    if submission.model_solution:
        values["model_solution"] = True
    return values


def _rule(expected: Expectation) -> dict[str, YamlValue]:
    values: dict[str, YamlValue] = {}
    if expected.permitted is not None:
        values["permitted"] = _sorted(expected.permitted)
    if expected.required is not None:
        values["required"] = _sorted(expected.required)
    if expected.score is not None:
        values["score"] = list(expected.score)
    if expected.message:
        values["message"] = expected.message
    if not expected.bounds_time_limit:
        values["use_for_time_limit"] = False
    return values


def _sorted(outcomes: frozenset[Outcome]) -> list[YamlValue]:
    return [str(outcome) for outcome in sorted(outcomes)]
