"""Passing file descriptors over unix sockets, and opening files a stranger may have planted."""

import array
import ctypes
import os
import socket
import stat

from deepoj_sandbox.kernel import libc

_OPENAT2 = 437
_NO_MAGICLINKS = 0x02
_NO_SYMLINKS = 0x04
_BENEATH = 0x08
_MAX_DESCRIPTORS = 24
# As plain numbers: an operator on the enum members would take longer than the system call.
_TRUNCATED = int(socket.MSG_TRUNC | socket.MSG_CTRUNC)
_CLOSE_ON_EXEC = int(socket.MSG_CMSG_CLOEXEC)
_ANCILLARY = socket.CMSG_SPACE(_MAX_DESCRIPTORS * 4)


def send(channel: socket.socket, message: bytes, descriptors: tuple[int, ...] = ()) -> None:
    if descriptors:
        packed = array.array("i", descriptors).tobytes()
        channel.sendmsg([message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, packed)])
    else:
        channel.send(message)


def receive(channel: socket.socket, buffer: bytearray) -> tuple[bytes, list[int]]:
    """One packet and its descriptors, every one close-on-exec from the first instant.

    The caller keeps the buffer: allocating a large one for every packet costs more than the packet.
    """
    size, ancillary, flags, _ = channel.recvmsg_into((buffer,), _ANCILLARY, _CLOSE_ON_EXEC)
    received: list[int] = []
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            received += array.array("i", data[: len(data) - len(data) % 4])
    if flags & _TRUNCATED:
        close_all(received)
        raise ValueError("packet larger than the protocol allows")
    return bytes(memoryview(buffer)[:size]), received


def close_all(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


class _OpenHow(ctypes.Structure):
    _fields_ = [
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    ]


def open_beneath(directory: int, path: str, flags: int, mode: int = 0) -> int:
    """Open `path` below `directory` without following any link (openat2, Linux 5.6)."""
    how = _OpenHow(flags | os.O_CLOEXEC, mode, _BENEATH | _NO_SYMLINKS | _NO_MAGICLINKS)
    return libc.syscall(_OPENAT2, directory, path.encode(), ctypes.byref(how), ctypes.sizeof(how))


def open_regular(directory: int, path: str) -> int:
    """Open a file inside a box for reading.

    O_NONBLOCK keeps a planted FIFO from blocking the open; what is not a regular file is refused.
    """
    descriptor = open_beneath(directory, path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise PermissionError(1, "not a regular file")
    return descriptor
