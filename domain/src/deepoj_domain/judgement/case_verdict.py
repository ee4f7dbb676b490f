"""From the sandbox's word to a case verdict. `OK` alone decides nothing: the checker must speak."""

from enum import StrEnum

from deepoj_domain.kernel.verdict import SandboxVerdict, Verdict


class CheckerWord(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"
    BADLY_PRESENTED = "badly_presented"
    BROKEN = "broken"
    """The checker crashed, timed out or answered with an unknown code: never the contestant's fault."""


def case_verdict(run: SandboxVerdict, checker: CheckerWord | None) -> Verdict:
    """`checker` is None when the checker did not run, which is only right when the run was not OK."""
    match run:
        case SandboxVerdict.OK:
            return _checked(checker)
        case SandboxVerdict.TIME_LIMIT:
            return Verdict.TIME_LIMIT
        case SandboxVerdict.MEMORY_LIMIT:
            return Verdict.MEMORY_LIMIT
        case SandboxVerdict.OUTPUT_LIMIT:
            return Verdict.OUTPUT_LIMIT
        case SandboxVerdict.RUNTIME_ERROR:
            return Verdict.RUNTIME_ERROR
        case SandboxVerdict.SYSTEM_ERROR:
            return Verdict.SYSTEM_ERROR


def _checked(checker: CheckerWord | None) -> Verdict:
    match checker:
        case CheckerWord.RIGHT:
            return Verdict.ACCEPTED
        case CheckerWord.WRONG:
            return Verdict.WRONG_ANSWER
        case CheckerWord.BADLY_PRESENTED:
            return Verdict.PRESENTATION_ERROR
        case CheckerWord.BROKEN | None:
            return Verdict.SYSTEM_ERROR
