"""The one door to libc: every other module calls the kernel through `syscall` and `call`."""

import ctypes
import os
from typing import Protocol

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long
_WORD = (1 << 64) - 1


class Pointer(Protocol):
    """What ctypes.byref returns; ctypes offers no public name for it."""


Argument = int | bytes | Pointer | None


def _convert(argument: Argument) -> object:
    # A bare Python int would travel as a 32-bit C int through a variadic function.
    return ctypes.c_ulong(argument & _WORD) if isinstance(argument, int) else argument


def syscall(number: int, *arguments: Argument) -> int:
    result = int(_LIBC.syscall(ctypes.c_long(number), *map(_convert, arguments)))
    if result == -1:
        raise_errno()
    return result


def call(name: str, *arguments: Argument) -> int:
    result = int(getattr(_LIBC, name)(*map(_convert, arguments)))
    if result == -1:
        raise_errno()
    return result


def raise_errno() -> None:
    code = ctypes.get_errno()
    raise OSError(code, os.strerror(code))
