"""Resource limits a run inherits.

The keeper lowers only its own soft limits and children inherit them. A child cannot raise them: the
seccomp filter lets `prlimit64` write only when a fifth argument, which the kernel ignores, carries a
secret that lives in the keeper's memory alone. So soft limits bind as hard ones do, and the keeper
can still choose others for the next run, which lowering hard limits would forbid.
"""

import ctypes
import resource

from deepoj_sandbox.kernel import libc

_PRLIMIT64 = {"x86_64": 302, "aarch64": 261}
UNLIMITED = resource.RLIM_INFINITY & ((1 << 64) - 1)


class SoftLimits:
    def __init__(self, machine: str, secret: int) -> None:
        self._number = _PRLIMIT64[machine]
        self._secret = secret
        self._pair = (ctypes.c_uint64 * 2)()
        self._current: dict[int, int] = {}
        self._ceiling: dict[int, int] = {}

    def apply(self, kind: int, value: int) -> None:
        """Set one soft limit; a value above the hard limit becomes the hard limit."""
        if self._current.get(kind) == value:
            return
        ceiling = self._ceiling.get(kind)
        if ceiling is None:
            ceiling = self._ceiling[kind] = resource.getrlimit(kind)[1] & UNLIMITED
        self._pair[0] = min(value, ceiling)
        self._pair[1] = ceiling
        libc.syscall(self._number, 0, kind, ctypes.byref(self._pair), None, self._secret, 0)
        self._current[kind] = value
