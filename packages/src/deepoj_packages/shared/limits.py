"""The limits that both versions of the format write alike."""

from deepoj_packages.refusal import invalid
from deepoj_packages.spec import ProblemLimits
from deepoj_packages.yamls import Section

_FEWEST_PASSES, _MOST_PASSES = 2, 100


def read_common_limits(given: Section) -> ProblemLimits:
    return ProblemLimits(
        memory_mib=given.whole("memory"),
        output_mib=given.whole("output"),
        code_kib=given.whole("code"),
        compilation_time_s=given.whole("compilation_time"),
        compilation_memory_mib=given.whole("compilation_memory"),
        validation_time_s=given.whole("validation_time"),
        validation_memory_mib=given.whole("validation_memory"),
        validation_output_mib=given.whole("validation_output"),
    )


def read_passes(section: Section) -> int:
    passes = section.section("limits").whole("validation_passes") or _FEWEST_PASSES
    if not _FEWEST_PASSES <= passes <= _MOST_PASSES:
        raise invalid(
            f"problem.yaml: validation_passes is from {_FEWEST_PASSES} to {_MOST_PASSES}, not {passes}"
        )
    return passes
