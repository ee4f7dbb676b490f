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
    MANIFEST = "manifest"
    """What it was judged with, and where: the same for all cases."""


DATA: Final = frozenset({Log.INPUT, Log.ANSWER})
"""Not written by the run, but what it was given and measured against."""
WHOLE: Final = frozenset({Log.COMPILE, Log.MANIFEST})
"""Of the whole attempt, not of a case."""
_OWN: Final = frozenset({Log.STDOUT, Log.STDERR})
"""What the program itself said."""


def may_read_log(
    log: Log, *, sight: Sight, inspects: bool, reads: bool, is_sample: bool, is_over: bool, is_staff: bool
) -> bool:
    """`inspects` and `reads` are the actor's rights on the question; the staff is told of our machines.

    `is_over`: there is no game, or it shows what others sent.
    """
    if sight is not Sight.EVERYTHING:
        return False
    if log is Log.COMPILE:
        return True
    if log is Log.MANIFEST:
        return is_staff
    if log in DATA:
        return is_sample and (inspects or (reads and is_over))
    return inspects or (log in _OWN and is_sample and is_over)
