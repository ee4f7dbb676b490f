"""A problem as the files of a legacy package, in Kattis' reading.

What the format cannot say is found by reading the package again.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.exporting.data import example_entries
from deepoj_packages.exporting.entries import Entry, YamlValue, program_entries, yaml_entry
from deepoj_packages.exporting.problem import legacy_problem_values
from deepoj_packages.legacy.groups import SETTINGS
from deepoj_packages.refusal import PackageRefusedError, unsupported
from deepoj_packages.shared.cases import DATA, beside
from deepoj_packages.shared.expectations import SUBMISSIONS
from deepoj_packages.shared.own_validators import LINES, line_validator
from deepoj_packages.spec import (
    SECRET,
    Case,
    Group,
    GroupScoring,
    InputArgs,
    LineValidator,
    OutputValidator,
    ProblemSpec,
)

_VALIDATORS = PurePosixPath("output_validators")
_STATEMENT = PurePosixPath("problem_statement")


def legacy_entries(spec: ProblemSpec) -> Iterator[Entry]:
    """Each file once, in a fixed order."""
    _check(spec)
    yield yaml_entry(PurePosixPath("problem.yaml"), legacy_problem_values(spec))
    if spec.limits.time_ms is not None:
        # The format has no key for it, and this place is the one that its tools look at.
        yield Entry(PurePosixPath(".timelimit"), f"{Decimal(spec.limits.time_ms) / 1000:f}\n".encode())
    for statement in spec.statements:
        name = f"problem.{statement.language}.{statement.format}"
        yield Entry(_STATEMENT / name, spec.path(statement.file))
    for image in spec.images:
        yield Entry(PurePosixPath(_STATEMENT, *image.parts[1:]), spec.path(image))
    for attachment in spec.attachments:
        yield Entry(attachment, spec.path(attachment))
    yield from _data(spec)
    yield from _programs(spec)


def _check(spec: ProblemSpec) -> None:
    if spec.languages is not None:
        raise cannot("only some languages are allowed")
    if dependent := [group.name for group in spec.groups if spec.scoring and group.depends_on]:
        raise cannot(f"{dependent[0]} depends on another group")
    if spec.bundles or spec.grader:
        raise cannot("groups earn one score together, or a grader decides")
    if isinstance(spec.validator, OutputValidator) and spec.validator.also:
        raise cannot("there are several output validators")
    if spec.static_cases:
        raise cannot("a static validator looks at the source of submissions")
    if any(case.arguments or case.files for case in spec.cases):
        raise cannot("cases have arguments or files for submissions")


def _programs(spec: ProblemSpec) -> Iterator[Entry]:
    named = (("input_validators", spec.input_validators), ("answer_validators", spec.answer_validators))
    for directory, programs in named:
        for program in programs:
            yield from program_entries(spec, program, PurePosixPath(directory, program.name))
    if isinstance(spec.validator, LineValidator):
        yield Entry(_VALIDATORS / LINES, line_validator())
    elif isinstance(spec.validator, OutputValidator):
        program = spec.validator.program
        at = _VALIDATORS / "validator" / (program.at.name if program.at == program.main else "")
        yield from program_entries(spec, program, at)
    for submission in spec.submissions:
        yield from program_entries(spec, submission.program, SUBMISSIONS / submission.name)


def _data(spec: ProblemSpec) -> Iterator[Entry]:
    groups = {group.name: group for group in spec.groups}
    directories: dict[PurePosixPath, list[Case]] = {}
    for case in spec.cases:
        place = DATA / case.name
        directories.setdefault(place.parent, []).append(case)
        yield Entry(beside(place, ".in"), spec.path(case.input))
        yield Entry(beside(place, ".ans"), spec.path(case.answer) if case.answer else b"")
        for ending, text in ((".desc", case.description), (".hint", case.hint)):
            if text:
                yield Entry(beside(place, ending), text.encode())
        if case.illustration:
            yield Entry(beside(place, case.illustration.suffix), spec.path(case.illustration))
    for directory, cases in directories.items():
        if values := _settings(spec, groups[cases[0].group], cases):
            yield yaml_entry(directory / SETTINGS, values)
    yield from _tops(spec, directories)
    # Here no file says what validators are told about an example.
    yield from (entry for entry in example_entries(spec) if entry.path.suffix != ".yaml")


def _tops(spec: ProblemSpec, directories: dict[PurePosixPath, list[Case]]) -> Iterator[Entry]:
    """Nothing passes from one directory to those below: each says all that holds for it."""
    judged = any(case.is_sample for case in spec.cases)
    for sample in spec.samples:
        shown = {".interaction": sample.interaction}
        if not judged:
            shown |= {".in": sample.input, ".ans": sample.output}
        for ending, file in shown.items():
            if file:
                yield Entry(beside(DATA / sample.name, ending), spec.path(file))
    flags = ([] if judged else ["ignore_sample"]) + (["always_accept", "sum"] if spec.scoring else [])
    if flags:
        yield yaml_entry(DATA / SETTINGS, {"grader_flags": " ".join(flags), "on_reject": "continue"})
    if DATA / SECRET not in directories:
        flags = ["always_accept", "sum"] if spec.scoring else []
        values: dict[str, YamlValue] = {"on_reject": "continue" if spec.runs_all or spec.scoring else "break"}
        yield yaml_entry(DATA / SECRET / SETTINGS, {**values, "grader_flags": " ".join(flags)})


def _settings(spec: ProblemSpec, group: Group, cases: Sequence[Case]) -> dict[str, YamlValue]:
    values = _flags(cases)
    if not spec.scoring:
        breaks = not (spec.runs_all and not cases[0].is_sample)
        return {"on_reject": "break" if breaks else "continue", **values}
    modes = {GroupScoring.PASS_FAIL: "min", GroupScoring.MIN: "min"}
    mode = modes.get(group.scoring, str(group.scoring))
    values["on_reject"] = "break" if group.breaks_on_reject else "continue"
    values["grader_flags"] = f"always_accept {mode}" if group.name == SECRET else mode
    if isinstance(spec.validator, OutputValidator) and spec.validator.scores:
        values["range"] = "0 inf" if group.unbounded else f"0 {group.points:f}"
    else:
        whole = group.scoring is not GroupScoring.SUM
        values["accept_score"] = group.points if whole else cases[0].points
        values["reject_score"] = cases[0].reject_points
    return values


def _flags(cases: Sequence[Case]) -> dict[str, YamlValue]:
    first = cases[0]
    if any(each.output_validator_args != first.output_validator_args for each in cases):
        raise cannot(
            f"the output validator is told other things about {first.name} than about its neighbours"
        )
    values: dict[str, YamlValue] = {}
    if first.output_validator_args:
        values["output_validator_flags"] = " ".join(first.output_validator_args)
    if all(each.input_validator_args == first.input_validator_args for each in cases):
        values |= _input_flags(first.input_validator_args)
    return values


def _input_flags(given: InputArgs) -> dict[str, YamlValue]:
    if given.by_name:
        return {"input_validator_flags": {name: " ".join(words) for name, words in given.by_name}}
    return {"input_validator_flags": " ".join(given.everyone)} if given.everyone else {}


def cannot(why: str) -> PackageRefusedError:
    return unsupported(f"the legacy format cannot say it: {why}")
