"""Deaths on demand, for fault tests: the process kills itself when it reaches the point that is named.

`after_claim:stop` freezes it there instead, until somebody continues it.

Off unless DEEPOJ_FAIL_POINT is set, and then a look into a cached set.
"""

from __future__ import annotations

import os
import signal
from functools import cache

VARIABLE = "DEEPOJ_FAIL_POINT"


def fail_point(name: str) -> None:
    if name in _chosen():
        os.kill(os.getpid(), signal.SIGKILL)
    if f"{name}:stop" in _chosen():
        os.kill(os.getpid(), signal.SIGSTOP)


@cache
def _chosen() -> frozenset[str]:
    return frozenset(filter(None, os.environ.get(VARIABLE, "").split(",")))
