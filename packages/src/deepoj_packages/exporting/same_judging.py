"""Whether a package that was written says the same to a judge as the problem it was written from."""

from dataclasses import fields, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from deepoj_domain.question.suite import Suite
from deepoj_packages.judge_data import EMPTY, judged_limits, judged_suite
from deepoj_packages.read_package import read_package
from deepoj_packages.refusal import PackageRefusedError, unsupported
from deepoj_packages.spec import (
    FormatVersion,
    OutputValidator,
    ProblemLimits,
    ProblemSpec,
    Program,
    Validator,
)

_NOWHERE = PurePosixPath()
_NOT_JUDGED = frozenset({
    "root", "short_name", "format", "names", "metadata", "statements", "images", "attachments", "samples",
    "input_validators", "answer_validators", "submissions", "output_examples", "invalid_inputs",
    "invalid_answers", "recipes", "source", "warnings", "unused",
})  # fmt: skip
_COMPARED = frozenset({"groups", "cases", "runs_all", "validator", "limits"})


def check_read_back(spec: ProblemSpec, directory: Path) -> None:
    """Raise PackageRefusedError when it would be judged otherwise; files are copied as they are."""
    try:
        again = _read(directory)
        if again.format is FormatVersion.POLYGON:
            spec, again = _as_in_polygon(spec), _as_in_polygon(again)
        same = _suite(again) == _suite(spec)
    except PackageRefusedError as error:
        raise unsupported(f"the format cannot say it: {error.sentence}") from error
    if not same:
        raise unsupported("the format cannot say how the cases of this problem are scored")
    if _program(again.validator) != _program(spec.validator):
        raise unsupported("the format cannot say how the outputs of this problem are validated")
    if _judged_limits(again.limits) != _judged_limits(spec.limits):
        raise unsupported("the format cannot say the limits of this problem")
    for field in fields(ProblemSpec):
        if field.name in _NOT_JUDGED | _COMPARED:
            continue
        if getattr(again, field.name) != getattr(spec, field.name):
            raise unsupported(f"the format cannot say what this problem says about {field.name}")


def _read(directory: Path) -> ProblemSpec:
    with TemporaryDirectory(dir=directory.parent) as made:
        return read_package(directory, Path(made) / "again")


def _as_in_polygon(spec: ProblemSpec) -> ProblemSpec:
    """It numbers tests and groups, and leaves it to the judge when to stop and all but two limits."""
    numbers = {group.name: f"{number}" for number, group in enumerate(spec.groups, start=1)}
    judged = judged_limits(spec.limits, spec.limits.time_ms or 0)
    return replace(
        spec,
        groups=tuple(
            replace(
                group,
                name=numbers[group.name],
                depends_on=tuple(numbers[name] for name in group.depends_on),
            )
            for group in spec.groups
        ),
        cases=tuple(
            replace(case, name=f"{number}", group=numbers[case.group])
            for number, case in enumerate(spec.cases, start=1)
        ),
        runs_all=False,
        limits=ProblemLimits(time_ms=judged.cpu_ms, memory_mib=judged.memory_kib // 1024),
    )


def _suite(spec: ProblemSpec) -> Suite:
    """What is run although it cannot change the score does not matter where there is one."""
    return judged_suite(replace(spec, runs_all=spec.runs_all or spec.scoring), lambda _: EMPTY)


def _program(validator: Validator) -> Validator:
    """Its place in the package does not matter."""
    if not isinstance(validator, OutputValidator):
        return validator
    program = validator.program
    return replace(validator, program=Program("", _NOWHERE, program.language, _NOWHERE, ()))


def _judged_limits(limits: ProblemLimits) -> ProblemLimits:
    plain = ProblemLimits()
    return replace(
        limits,
        slowest_accepted_factor=plain.slowest_accepted_factor,
        fastest_rejected_factor=plain.fastest_rejected_factor,
        time_resolution_ms=plain.time_resolution_ms,
    )
