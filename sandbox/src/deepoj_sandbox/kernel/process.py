"""prctl switches a process sets on itself."""

import ctypes
import os
import signal

from deepoj_sandbox.kernel import libc

_SET_PDEATHSIG = 1
_SET_DUMPABLE = 4
_CAPBSET_DROP = 24
_SET_SECUREBITS = 28
_SET_NO_NEW_PRIVS = 38
_CAP_AMBIENT = 47
_CAP_AMBIENT_CLEAR_ALL = 4
# NOROOT, NO_SETUID_FIXUP off, KEEP_CAPS off, each with its lock bit: uid 0 gains nothing on exec.
_SECUREBITS = 0x1 | 0x2 | 0x8 | 0x20
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION_3 = 0x20080522


def die_with_parent() -> None:
    """SIGKILL this process when the thread that made it ends; a change of uid clears it again."""
    libc.call("prctl", _SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def forbid_dumping() -> None:
    """No core, no ptrace, no /proc/PID/{mem,fd,environ} for anybody without CAP_SYS_PTRACE."""
    libc.call("prctl", _SET_DUMPABLE, 0, 0, 0, 0)


def forbid_new_privileges() -> None:
    libc.call("prctl", _SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def drop_capability_bounds() -> None:
    """Empty the bounding and ambient sets: needs CAP_SETPCAP, so it comes before the uid change."""
    for capability in range(64):
        try:
            libc.call("prctl", _CAPBSET_DROP, capability, 0, 0, 0)
        except OSError:  # EINVAL past the last capability this kernel knows
            break
    libc.call("prctl", _SET_SECUREBITS, _SECUREBITS, 0, 0, 0)
    libc.call("prctl", _CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)


def drop_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    libc.syscall(_CAPSET[os.uname().machine], ctypes.byref(header), ctypes.byref(nothing))


def become(user: int, group: int, keeper_user: int, keeper_group: int) -> None:
    """Real ids of the program, effective and saved ids of its keeper.

    POSIX_SPAWN_RESETIDS copies the real ids over the effective ones, so a spawned child is the
    program's user and nothing else, while the keeper stays out of its reach.
    """
    os.setgroups([])
    os.setresgid(group, keeper_group, keeper_group)
    os.setresuid(user, keeper_user, keeper_user)
