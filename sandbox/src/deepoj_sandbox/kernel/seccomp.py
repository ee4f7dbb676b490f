"""The seccomp filter: an allow-list, assembled here, inherited by everything a box runs."""

import ctypes
import errno
import os
import struct
from collections.abc import Iterable

from deepoj_sandbox.kernel import libc
from deepoj_sandbox.kernel import syscall_table as table

_LOAD = 0x20
_JUMP_EQUAL = 0x15
_JUMP_GREATER = 0x25
_JUMP_AT_LEAST = 0x35
_JUMP_ANY_BIT = 0x45
_RETURN = 0x06

_KILL_PROCESS = 0x80000000
_ERRNO = 0x00050000
_ALLOW = 0x7FFF0000

_X32_BIT = 0x40000000
_NUMBER = 0
_ARCH = 4
_WORD = 0xFFFFFFFF

_SET_MODE_FILTER = 1

_NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW* flag, CLONE_NEWTIME included
_MAP_HUGETLB = 0x40000
_MFD_HUGETLB = 0x4
_AF_UNIX = 1
_TIOCSTI = 0x5412
_TIOCLINUX = 0x541C
_ADDR_NO_RANDOMIZE = 0x0040000
_PERSONALITY_QUERY = _WORD


_OP_BYTES = 8


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _argument(index: int, *, high: bool = False) -> bytes:
    return _op(_LOAD, 16 + 8 * index + (4 if high else 0))


def _answer(action: int) -> bytes:
    return _op(_RETURN, action)


_REFUSE = _answer(_ERRNO | errno.EPERM)
_ABSENT = _answer(_ERRNO | errno.ENOSYS)
_ACCEPT = _answer(_ALLOW)
# An error of zero: the kernel does nothing and the caller is told that it went well.
_PRETEND = _answer(_ERRNO)


def _rule(number: int, *body: bytes) -> bytes:
    """Run `body`, which must end in an answer, when the system call is `number`."""
    code = b"".join(body)
    return _op(_JUMP_EQUAL, number, 0, len(code) // _OP_BYTES) + code


def _choose(argument: int, answers: dict[int, bytes], otherwise: bytes) -> tuple[bytes, ...]:
    tests = [_op(_JUMP_EQUAL, value, 0, 1) + answer for value, answer in answers.items()]
    return _argument(argument), *tests, otherwise


def _one_of(argument: int, *values: int) -> tuple[bytes, ...]:
    return _choose(argument, dict.fromkeys(values, _ACCEPT), _REFUSE)


def _none_of(argument: int, *values: int) -> tuple[bytes, ...]:
    return _choose(argument, dict.fromkeys(values, _REFUSE), _ACCEPT)


def _without(argument: int, bits: int) -> tuple[bytes, ...]:
    return _argument(argument), _op(_JUMP_ANY_BIT, bits, 0, 1), _REFUSE, _ACCEPT


# A file lock on a shared read-only file is a word from one box to another, so locks are pretended: in a
# box only one submission would take them. Leases, dnotify, write hints, owners and signals of a file are
# refused with everything else that is not named.
_FILE_CONTROLS = {
    **dict.fromkeys(table.FILE_CONTROLS.values(), _ACCEPT),
    **dict.fromkeys(table.LOCK_CONTROLS.values(), _PRETEND),
}


def _ranges(allowed: Iterable[int]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for number in sorted(allowed):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges


def program(secret: int, *, charged: bool, machine: str = os.uname().machine) -> bytes:
    """The filter of one box. `secret` opens prlimit64 to the keeper, see rlimits.py.

    Memory that nothing counts cannot be had: huge pages never, and unless the box is `charged` by a
    cgroup, no file that lives in memory outside the scratch directory.
    """
    calls = _calls(machine)
    call = calls.decided
    low, high = secret & _WORD, secret >> 32
    parts = [
        _op(_LOAD, _ARCH),
        # Another architecture's numbers would mean other calls: no second chance. (x32 is x86_64's second.)
        _op(_JUMP_EQUAL, calls.audit_arch, 1, 0),
        _answer(_KILL_PROCESS),
        _op(_LOAD, _NUMBER),
        _op(_JUMP_AT_LEAST, _X32_BIT, 0, 1),
        _answer(_KILL_PROCESS),
    ]
    # First what is called often: the kernel remembers its answer only for calls without such a rule.
    parts += [
        _rule(call["mmap"], *_without(3, _MAP_HUGETLB)),
        _rule(call["fcntl"], *_choose(1, _FILE_CONTROLS, _REFUSE)),
    ]
    for first, last in _ranges(calls.allowed.values()):
        parts += [_op(_JUMP_AT_LEAST, first, 0, 2), _op(_JUMP_GREATER, last, 1, 0), _ACCEPT]
    parts += [
        _rule(call["clone"], *_without(0, _NEW_NAMESPACES)),
        _rule(call["memfd_create"], *(_without(1, _MFD_HUGETLB) if charged else (_ABSENT,))),
        _rule(call["flock"], _PRETEND),
        _rule(call["socketpair"], *_one_of(0, _AF_UNIX)),
        _rule(call["personality"], *_one_of(0, 0, _ADDR_NO_RANDOMIZE, _PERSONALITY_QUERY)),
        # The keeper has the program's real user, so these could starve it; on oneself they are harmless.
        _rule(call["setpriority"], *_zero(0, 1)),
        # Mono names its threads when it asks for what they have anyway, and complains on stdout when refused.
        _rule(call["sched_setscheduler"], *_either_zero(0, 1)),
        _rule(call["ioctl"], *_none_of(1, _TIOCSTI, _TIOCLINUX)),
        _rule(call["prlimit64"], *_reading_or(low, high)),
        _op(_JUMP_GREATER, calls.last_old, 1, 0),
        _REFUSE,
        _ABSENT,
    ]
    return b"".join(parts)


def _zero(*arguments: int) -> tuple[bytes, ...]:
    """Accept when the low words of all these arguments are zero."""
    tests = []
    for place, argument in enumerate(arguments):
        steps_to_refusal = 2 * (len(arguments) - place - 1) + 1
        tests += [_argument(argument), _op(_JUMP_EQUAL, 0, 0, steps_to_refusal)]
    return *tests, _ACCEPT, _REFUSE


def _either_zero(first: int, second: int) -> tuple[bytes, ...]:
    return _argument(first), _op(_JUMP_EQUAL, 0, 0, 1), _ACCEPT, *_one_of(second, 0)


def _reading_or(low: int, high: int) -> tuple[bytes, ...]:
    """Accept a prlimit64 that sets nothing, or one whose fifth argument is the secret."""
    return (
        _argument(2),
        _op(_JUMP_EQUAL, 0, 0, 2),
        _argument(2, high=True),
        _op(_JUMP_EQUAL, 0, 5, 0),
        _argument(4),
        _op(_JUMP_EQUAL, low, 0, 2),
        _argument(4, high=True),
        _op(_JUMP_EQUAL, high, 1, 0),
        _REFUSE,
        _ACCEPT,
    )


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def _calls(machine: str) -> table.SystemCalls:
    if machine not in table.TABLES:
        raise OSError(errno.ENOTSUP, f"no system-call table for {machine}")
    return table.TABLES[machine]


def install(filter_program: bytes) -> None:
    """Confine the caller and everything it will spawn. Needs no_new_privs first."""
    number = _calls(os.uname().machine).decided["seccomp"]
    shape = _Program(len(filter_program) // _OP_BYTES, filter_program)
    libc.syscall(number, _SET_MODE_FILTER, 0, ctypes.byref(shape))
