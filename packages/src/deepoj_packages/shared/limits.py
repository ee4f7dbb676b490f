"""The limits that both versions of the format write alike."""

from deepoj_packages.spec import ProblemLimits
from deepoj_packages.yamls import Section


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
