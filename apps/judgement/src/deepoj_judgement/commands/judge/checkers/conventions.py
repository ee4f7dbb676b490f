"""How programs of each convention are called, and what they leave."""

from dataclasses import replace
from typing import Final, NamedTuple

from deepoj_domain.question.checker import Communication, Convention, ProgramChecker
from deepoj_judgement.commands.judge.sandbox_port import CHANNELS_OF_MEMBER, Command, channels_of_leader

WORK: Final = "/box/"
"""Where a program starts, and may write."""
JUDGE_MESSAGE, TEAM_MESSAGE = "judgemessage.txt", "teammessage.txt"
SCORE, MULTIPLIER = "score.txt", "score_multiplier.txt"
NEXT_PASS = "nextpass.in"  # noqa: S105 — the name of a file
WRITTEN = "output"
"""What an interactor of testlib writes."""
LEMON_SCORE, LEMON_MESSAGE = "score", "message"
FULL_PERCENT = "100"
_INPUT_OF_MANAGER = "input.txt"
_INTERACTORS_WITHOUT_FILE = frozenset({Convention.DMOJ, Convention.COCI})


class CasePaths(NamedTuple):
    """Where a box has the files of a case."""

    given: str
    answer: str
    output: str


def arguments_of(checker: ProgramChecker, paths: CasePaths) -> tuple[str, ...]:
    """A checker and an interactor are called alike; to the one `output` is given, the other makes it."""
    given, answer, output = paths
    if checker.communication is not None:
        copies = range(checker.communication.copies)
        return tuple(name for copy in copies for name in channels_of_leader(copy))
    if checker.interactive and checker.convention in _INTERACTORS_WITHOUT_FILE:
        return given, answer
    if checker.interactive and checker.convention is Convention.UOJ:
        # Read as the checkers there read an output: it is what the solution says.
        return given, "/dev/stdin", answer
    return {
        Convention.ICPC: (given, answer, WORK),
        Convention.TESTLIB: (given, output, answer),
        Convention.HUSTOJ: (given, answer, output),
        Convention.QDUOJ: (given, output),
        Convention.LEMON: (given, output, answer, FULL_PERCENT, WORK + LEMON_SCORE, WORK + LEMON_MESSAGE),
        Convention.SYZOJ: (),
        Convention.CMS: (given, answer, output),
        Convention.DMOJ: (given, output, answer),
        Convention.COCI: (given, output, answer),
        Convention.PEG: (answer, output, given),
        Convention.UOJ: (given, output, answer),
    }[checker.convention]


def copies_of(command: Command, communication: Communication | None) -> tuple[Command, ...]:
    """The programs that talk with an interactor, or copies of one, each told its channels and its number."""
    if communication is None:
        return (command,)
    names = CHANNELS_OF_MEMBER if communication.by_name else ()
    numbers = ((str(copy),) if communication.copies > 1 else () for copy in range(communication.copies))
    return tuple(replace(command, arguments=(*names, *number, *command.arguments)) for number in numbers)


def links_of(checker: ProgramChecker, paths: CasePaths) -> dict[str, str]:
    """What a program finds under fixed names in its directory."""
    if checker.communication is not None:
        return {_INPUT_OF_MANAGER: paths.given}
    if checker.convention is not Convention.SYZOJ:
        return {}
    return {"input": paths.given, "answer": paths.answer, "user_out": paths.output, "code": "/dev/null"}


def leavings_of(checker: ProgramChecker) -> tuple[str, ...]:
    """The files a program may leave."""
    match checker.convention:
        case Convention.SOURCE:
            return JUDGE_MESSAGE, TEAM_MESSAGE, SCORE, MULTIPLIER
        case Convention.ICPC:
            again = (NEXT_PASS,) if checker.passes > 1 else ()
            return JUDGE_MESSAGE, TEAM_MESSAGE, SCORE, MULTIPLIER, *again
        case Convention.TESTLIB if checker.checker is not None:
            return (WRITTEN,)
        case Convention.LEMON:
            return LEMON_SCORE, LEMON_MESSAGE
        case _:
            return ()
