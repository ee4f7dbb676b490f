"""What is kept of a judged submission, and who may read it.

A program may print its input, so whatever a run on a hidden case wrote is as secret as the case itself.
"""

from enum import StrEnum
from typing import Final

from deepoj_domain.submission.visibility import Sight


class Log(StrEnum):
    COMPILE = "compile"
    STDOUT = "stdout"
    STDERR = "stderr"
    CHECKER = "checker"
    RESOURCE = "resource"
    INPUT = "input"
    ANSWER = "answer"


DATA: Final = frozenset({Log.INPUT, Log.ANSWER})
"""Not written by the run, but what it was given and measured against."""
_OWN: Final = frozenset({Log.STDOUT, Log.STDERR})
"""What the program itself said."""


def may_read_log(
    log: Log, *, sight: Sight, inspects: bool, reads: bool, is_sample: bool, is_over: bool
) -> bool:
    """`inspects` and `reads` are the actor's rights on the question.

    `is_over`: there is no game, or it shows what others sent.
    """
    if sight is not Sight.EVERYTHING:
        return False
    if log is Log.COMPILE:
        return True
    if log in DATA:
        return is_sample and (inspects or (reads and is_over))
    return inspects or (log in _OWN and is_sample and is_over)
