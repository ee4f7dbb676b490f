"""Comparisons of ours that a format does not know: exported as a program, known again when they come back."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from deepoj_packages.spec import LineValidator, OutputValidator, ProblemSpec

LINES = "line_validator.py"


@cache
def line_validator() -> bytes:
    """The program that says of an output what a comparison of ours by lines says."""
    return Path(__file__).with_name(LINES).read_bytes()


def known_again(spec: ProblemSpec) -> ProblemSpec:
    validator = spec.validator
    if not isinstance(validator, OutputValidator) or len(validator.program.files) > 1:
        return spec
    path = spec.path(validator.program.main)
    if path.name != LINES or path.stat().st_size != len(line_validator()):
        return spec
    is_ours = path.read_bytes() == line_validator() and not any(
        (validator.interactive, validator.scores, *(case.output_validator_args for case in spec.cases))
    )
    return replace(spec, validator=LineValidator()) if is_ours else spec
