"""What can only be said about a package as a whole."""

from deepoj_packages.shared.flags import check_default_flags
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import DefaultValidator, GroupScoring, ProblemSpec


def check_flags(spec: ProblemSpec) -> None:
    if not isinstance(spec.validator, DefaultValidator):
        return
    for case in spec.cases:
        check_default_flags(case.output_validator_args, f"data/{case.name}")
    for example in spec.output_examples:
        check_default_flags(example.output_validator_args, f"data/{example.name}")


def warn_about_validators(reading: Reading, spec: ProblemSpec) -> None:
    if not spec.input_validators:
        reading.warn("no input validator can be run, so nothing checks the inputs")
    if spec.invalid_answers and not spec.answer_validators:
        reading.warn(f"data/{spec.invalid_answers[0].name} is not checked: no answer validator can be run")
    if not any(each.name.startswith("accepted/") for each in spec.submissions):
        reading.warn("there is no accepted submission, so nothing shows that the problem can be solved")
    if not spec.samples:
        reading.warn("there are no sample cases")
    unbounded = [group.name for group in spec.groups if group.unbounded]
    if unbounded and isinstance(spec.validator, DefaultValidator):
        reading.warn(f"{unbounded[0]} has no greatest score, but nothing here gives scores")
    partial = [group.name for group in spec.groups if group.scoring is GroupScoring.MIN]
    if partial and isinstance(spec.validator, DefaultValidator):
        reading.warn(f"{partial[0]}: without a validator that scores, min is all or nothing")
