"""data/ of an exported package. What version 2025-09 cannot say about scores is refused."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.exporting.entries import Entry, YamlValue, yaml_entry
from deepoj_packages.modern.data import SETTINGS
from deepoj_packages.modern.static_cases import KEYS
from deepoj_packages.refusal import PackageRefusedError, unsupported
from deepoj_packages.shared.cases import DATA, FILES, beside
from deepoj_packages.shared.points import split_points
from deepoj_packages.spec import (
    SAMPLE,
    SECRET,
    Case,
    Group,
    GroupScoring,
    InputArgs,
    ProblemSpec,
    Sample,
    StaticCase,
)

_GROUP_DEPTH = 2


def data_entries(spec: ProblemSpec) -> Iterator[Entry]:
    if spec.scoring:
        for group in spec.groups:
            _check(spec, group)
    _check_layout(spec)
    for top in (SAMPLE, SECRET):
        cases = [case for case in spec.cases if case.is_sample == (top == SAMPLE)]
        yield from _cases(spec, top, cases)
    if spec.scoring:
        for group in spec.groups:
            if group.name not in {SAMPLE, SECRET}:
                values = {**_scoring(group), **_static(spec, group.name)}
                yield yaml_entry(DATA / group.name / SETTINGS, values)
    for directory in _inner_groups(spec):
        yield yaml_entry(DATA / directory / SETTINGS, _static(spec, directory))
    for sample in spec.samples:
        yield from _sample(spec, sample)
    yield from example_entries(spec)


def _cases(spec: ProblemSpec, top: str, cases: list[Case]) -> Iterator[Entry]:
    """Settings that all cases share are written once, the others at each case."""
    shared = {repr(_settings(case)) for case in cases}
    common = _settings(cases[0]) if len(shared) == 1 else {}
    scoring = _top_scoring(spec) if spec.scoring and top == SECRET else {}
    values = {**scoring, **_static(spec, top), **common}
    if values:
        yield yaml_entry(DATA / top / SETTINGS, values)
    for case in cases:
        own = {**({} if common else _settings(case)), **_notes(case)}
        if own:
            yield yaml_entry(_place(case.name, ".yaml"), own)
        yield from _files(spec, case)


def _static(spec: ProblemSpec, directory: str) -> dict[str, YamlValue]:
    for case in spec.static_cases:
        if _directory(case) == directory:
            group = next(group for group in spec.groups if group.name == case.group)
            points = {GroupScoring.SUM: case.points, GroupScoring.MIN: group.points}.get(group.scoring)
            score, arguments = KEYS
            values: dict[str, YamlValue] = {score: "pass-fail"}
            if spec.scoring and points is not None:
                values[score] = int(points)
            return {**values, arguments: list(case.arguments)} if case.arguments else values
    return {}


def _inner_groups(spec: ProblemSpec) -> list[str]:
    """Directories that count for `secret` as a whole: when one has settings, all of them must."""
    named = {group.name for group in spec.groups}
    if all(_directory(case) in named for case in spec.static_cases):
        return []
    every: tuple[Case | StaticCase, ...] = (*spec.cases, *spec.static_cases)
    paths = [PurePosixPath(case.name) for case in every if case.group == SECRET]
    return sorted({"/".join(path.parts[:_GROUP_DEPTH]) for path in paths if len(path.parts) > _GROUP_DEPTH})


def _directory(case: StaticCase) -> str:
    return str(PurePosixPath(case.name).parent)


def _files(spec: ProblemSpec, case: Case) -> Iterator[Entry]:
    yield Entry(_place(case.name, ".in"), spec.path(case.input))
    yield Entry(_place(case.name, ".ans"), spec.path(case.answer) if case.answer else b"")
    if case.illustration:
        yield Entry(_place(case.name, case.illustration.suffix), spec.path(case.illustration))
    for name, file in case.files:
        yield Entry(_place(case.name, FILES) / name, spec.path(file))


def _settings(case: Case) -> dict[str, YamlValue]:
    values = _arguments(case.output_validator_args, case.input_validator_args)
    if case.arguments:
        values["args"] = list(case.arguments)
    if case.full_feedback != case.is_sample:
        values["full_feedback"] = case.full_feedback
    return values


def _arguments(output: tuple[str, ...], given: InputArgs) -> dict[str, YamlValue]:
    values: dict[str, YamlValue] = {}
    if output:
        values["output_validator_args"] = list(output)
    if given.by_name:
        values["input_validator_args"] = {name: list(args) for name, args in given.by_name}
    elif given.everyone:
        values["input_validator_args"] = list(given.everyone)
    return values


def _notes(case: Case) -> dict[str, YamlValue]:
    notes = {"description": case.description, "hint": case.hint}
    return {key: text for key, text in notes.items() if text}


def _top_scoring(spec: ProblemSpec) -> dict[str, YamlValue]:
    whole = next((group for group in spec.groups if group.name == SECRET), None)
    if whole:
        return _scoring(whole)
    unbounded = any(group.unbounded for group in spec.groups)
    return {
        "max_score": "unbounded" if unbounded else int(spec.full_score),
        "score_aggregation": str(GroupScoring.SUM),
    }


def _scoring(group: Group) -> dict[str, YamlValue]:
    values: dict[str, YamlValue] = {
        "max_score": "unbounded" if group.unbounded else int(group.points),
        "score_aggregation": str(group.scoring),
    }
    if group.depends_on:
        values["require_pass"] = list(group.depends_on)
    return values


def _check(spec: ProblemSpec, group: Group) -> None:
    cases = [case for case in spec.cases if case.group == group.name]
    if group.points != int(group.points):
        raise _cannot(f"{group.name} is worth {group.points} points, and only whole points can be written")
    if group.name == SAMPLE and group.points:
        raise _cannot("the samples give points")
    if group.breaks_on_reject and group.scoring is not GroupScoring.PASS_FAIL:
        raise _cannot(f"{group.name} stops at its first rejected case and keeps what was earned")
    if group.scoring is GroupScoring.MAX:
        raise _cannot(f"the best case of {group.name} decides")
    if any(case.reject_points for case in cases):
        raise _cannot(f"rejected cases of {group.name} earn points")
    if group.scoring is GroupScoring.SUM and not group.unbounded:
        static = sum((case.points for case in spec.static_cases if case.group == group.name), Decimal(0))
        equal = split_points(group.points - static, len(cases)) if cases else ()
        if tuple(case.points for case in cases) != equal:
            raise _cannot(f"the cases of {group.name} are worth different points")


def _check_layout(spec: ProblemSpec) -> None:
    secret = [PurePosixPath(case.name) for case in spec.cases if not case.is_sample]
    loose = [path for path in secret if len(path.parts) == _GROUP_DEPTH]
    directories = any(group.name not in {SAMPLE, SECRET} for group in spec.groups)
    if directories and loose and len(loose) != len(secret):
        raise _cannot("data/secret holds both cases and directories of cases")
    if not spec.scoring:
        return
    for group in spec.groups:
        place = PurePosixPath(group.name)
        if group.name not in {SAMPLE, SECRET} and (len(place.parts) != _GROUP_DEPTH or loose):
            raise _cannot(f"{group.name} is no directory of data/secret")
        if group.name == SECRET and not loose and group.scoring is not GroupScoring.PASS_FAIL:
            raise _cannot("the directories of data/secret score together")


def _sample(spec: ProblemSpec, sample: Sample) -> Iterator[Entry]:
    """A sample that is also a case is there already; what it shows instead keeps its ending."""
    stem = PurePosixPath(sample.name).name
    judged = {case.input for case in spec.cases} | {case.answer for case in spec.cases}
    for file, ending in ((sample.input, ".in"), (sample.output, ".ans"), (sample.interaction, "")):
        if file is None or file in judged:
            continue
        own = file.name.removeprefix(stem)
        yield Entry(_place(sample.name, f"{ending}.statement" if own == ending else own), spec.path(file))


def example_entries(spec: ProblemSpec) -> Iterator[Entry]:
    for given in spec.invalid_inputs:
        yield Entry(_place(given.name, ".in"), spec.path(given.input))
        if values := _arguments((), given.input_validator_args):
            yield yaml_entry(_place(given.name, ".yaml"), values)
    for refused in spec.invalid_answers:
        yield Entry(_place(refused.name, ".in"), spec.path(refused.input))
        yield Entry(_place(refused.name, ".ans"), spec.path(refused.answer))
        if values := _arguments(refused.output_validator_args, InputArgs()):
            yield yaml_entry(_place(refused.name, ".yaml"), values)
    for example in spec.output_examples:
        yield Entry(_place(example.name, ".in"), spec.path(example.input))
        yield Entry(_place(example.name, ".ans"), spec.path(example.answer))
        yield Entry(_place(example.name, ".out"), spec.path(example.output))
        if values := _arguments(example.output_validator_args, InputArgs()):
            yield yaml_entry(_place(example.name, ".yaml"), values)


def _place(name: str, ending: str) -> PurePosixPath:
    return beside(DATA / name, ending)


def _cannot(why: str) -> PackageRefusedError:
    return unsupported(f"version 2025-09 of the format cannot say it: {why}")
