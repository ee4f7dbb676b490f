"""The seccomp filter: an allow-list, assembled here, inherited by everything a box runs."""

import ctypes
import errno
import os
import struct

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

_AUDIT_ARCH_X86_64 = 0xC000003E
_X32_BIT = 0x40000000
_NUMBER = 0
_ARCH = 4
_WORD = 0xFFFFFFFF

_SECCOMP = 317
_SET_MODE_FILTER = 1

_NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW* flag, CLONE_NEWTIME included
_AF_UNIX = 1
_TIOCSTI = 0x5412
_TIOCLINUX = 0x541C
_ADDR_NO_RANDOMIZE = 0x0040000
_PERSONALITY_QUERY = _WORD


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _argument(index: int, *, high: bool = False) -> bytes:
    return _op(_LOAD, 16 + 8 * index + (4 if high else 0))


def _answer(action: int) -> bytes:
    return _op(_RETURN, action)


_REFUSE = _answer(_ERRNO | errno.EPERM)
_ACCEPT = _answer(_ALLOW)


def _rule(number: int, *body: bytes) -> bytes:
    """Run `body`, which must end in an answer, when the system call is `number`."""
    return _op(_JUMP_EQUAL, number, 0, len(body)) + b"".join(body)


def _one_of(argument: int, *values: int) -> tuple[bytes, ...]:
    tests = [_op(_JUMP_EQUAL, value, len(values) - place, 0) for place, value in enumerate(values)]
    return _argument(argument), *tests, _REFUSE, _ACCEPT


def _ranges() -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for number in sorted(table.ALLOWED.values()):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges


def program(secret: int) -> bytes:
    """The filter of one box. `secret` opens prlimit64 to the keeper, see rlimits.py."""
    low, high = secret & _WORD, secret >> 32
    parts = [
        _op(_LOAD, _ARCH),
        # Another architecture's numbers would mean other calls: no second chance.
        _op(_JUMP_EQUAL, _AUDIT_ARCH_X86_64, 1, 0),
        _answer(_KILL_PROCESS),
        _op(_LOAD, _NUMBER),
        _op(_JUMP_AT_LEAST, _X32_BIT, 0, 1),
        _answer(_KILL_PROCESS),
    ]
    for first, last in _ranges():
        parts += [_op(_JUMP_AT_LEAST, first, 0, 2), _op(_JUMP_GREATER, last, 1, 0), _ACCEPT]
    parts += [
        _rule(table.CLONE, _argument(0), _op(_JUMP_ANY_BIT, _NEW_NAMESPACES, 0, 1), _REFUSE, _ACCEPT),
        _rule(table.SOCKETPAIR, *_one_of(0, _AF_UNIX)),
        _rule(table.PERSONALITY, *_one_of(0, 0, _ADDR_NO_RANDOMIZE, _PERSONALITY_QUERY)),
        # The keeper has the program's real user, so these could starve it; on oneself they are harmless.
        _rule(table.SETPRIORITY, *_zero(0, 1)),
        _rule(table.SCHED_SETSCHEDULER, *_zero(0)),
        _rule(table.IOCTL, *_none_of(1, _TIOCSTI, _TIOCLINUX)),
        _rule(table.PRLIMIT64, *_reading_or(low, high)),
        _op(_JUMP_GREATER, table.LAST_OLD, 1, 0),
        _REFUSE,
        _answer(_ERRNO | errno.ENOSYS),
    ]
    return b"".join(parts)


def _none_of(argument: int, *values: int) -> tuple[bytes, ...]:
    tests = [_op(_JUMP_EQUAL, value, len(values) - place, 0) for place, value in enumerate(values)]
    return _argument(argument), *tests, _ACCEPT, _REFUSE


def _zero(*arguments: int) -> tuple[bytes, ...]:
    """Accept when the low words of all these arguments are zero."""
    tests = []
    for place, argument in enumerate(arguments):
        steps_to_refusal = 2 * (len(arguments) - place - 1) + 1
        tests += [_argument(argument), _op(_JUMP_EQUAL, 0, 0, steps_to_refusal)]
    return *tests, _ACCEPT, _REFUSE


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


def supported() -> bool:
    return os.uname().machine == "x86_64"


def install(filter_program: bytes) -> None:
    """Confine the caller and everything it will spawn. Needs no_new_privs first."""
    if not supported():
        raise OSError(errno.ENOTSUP, "no system-call table for this architecture")
    shape = _Program(len(filter_program) // 8, filter_program)
    libc.syscall(_SECCOMP, _SET_MODE_FILTER, 0, ctypes.byref(shape))
