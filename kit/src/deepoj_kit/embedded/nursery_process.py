"""The process that forks services: it imports what they need once, and each of them begins with that.

It never has a thread, an event loop or a connection, so that nothing is torn by a fork, and never reads what
a service is told: the child does, so that no service is born with another's credentials in its memory.

Executed as `python -m deepoj_kit.embedded.nursery_process` with a socket to `Nursery` as standard input.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import importlib.util
import json
import os
import pkgutil
import runpy
import socket
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deepoj_kit.embedded.launch import PR_SET_PDEATHSIG

LONGEST_REQUEST = 4096
PR_SET_NAME = 15
# Where the kernel keeps the arguments of a process: fields of /proc/self/stat, counted after its name.
ARGUMENTS_BEGIN, ARGUMENTS_END = 45, 46


@dataclass(frozen=True, slots=True)
class Birth:
    package: str
    parent: int
    description: int
    """A file with what only the child may read."""
    log: int


def main() -> None:
    gc.disable()
    channel = socket.socket(fileno=sys.stdin.fileno())
    birth = _serve(channel)
    if birth is not None:
        channel.detach()
        gc.enable()
        _live(birth)


def _serve(channel: socket.socket) -> Birth | None:
    """Do as asked until nobody can ask any more; return in a child what it is to be."""
    while True:
        request, descriptors, _, _ = socket.recv_fds(channel, LONGEST_REQUEST, 2)
        if not request:
            return None
        verb, operand = request.decode().split(" ")
        answer = 0
        if verb == "load":
            _load(operand)
        elif verb == "reap":
            answer = os.waitstatus_to_exitcode(os.waitpid(int(operand), 0)[1])
        else:
            _load(operand)
            gc.freeze()
            parent = os.getpid()
            answer = os.fork()
            if answer == 0:
                return Birth(operand, parent, *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        channel.send(str(answer).encode())


@cache
def _load(package: str) -> None:
    """Import what the package starts with, and all its composition root needs."""
    try:
        for module in _modules(package):
            importlib.import_module(module)
    except Exception:  # noqa: BLE001 — whatever it is, the child meets it too, and has a log to say so
        traceback.print_exc()


def _modules(package: str) -> Iterator[str]:
    yield f"{package}.__main__"
    root = f"{package}.container"
    found = importlib.util.find_spec(root)
    inside = found.submodule_search_locations if found else None
    for each in pkgutil.iter_modules(inside or ()):
        yield f"{root}.{each.name}"


def _live(birth: Birth) -> None:
    os.setsid()
    with Path(os.devnull).open("rb") as nothing:
        for source, target in ((nothing.fileno(), 0), (birth.log, 1), (birth.log, 2)):
            os.dup2(source, target)
    os.close(birth.log)
    with open(birth.description, "rb") as description:  # noqa: PTH123 — a descriptor
        told = json.load(description)
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, told["death_signal"], 0, 0, 0)
    if os.getppid() != birth.parent:
        sys.exit(0)  # it died before the signal was armed
    os.environ.clear()
    os.environ.update(told["environ"])
    arguments = told["arguments"]
    libc.prctl(PR_SET_NAME, birth.package.encode(), 0, 0, 0)
    _show((sys.executable, "-m", birth.package, *arguments))
    sys.argv[1:] = arguments
    sys.modules.pop(f"{birth.package}.__main__", None)
    runpy.run_module(birth.package, run_name="__main__", alter_sys=True)


def _show(argv: Sequence[str]) -> None:
    """Let the process list show these arguments, as far as there is room where the nursery's were."""
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    begin, end = int(fields[ARGUMENTS_BEGIN]), int(fields[ARGUMENTS_END])
    text = b"".join(os.fsencode(each) + b"\0" for each in argv)[: end - begin - 1]
    ctypes.memmove(begin, text.ljust(end - begin, b"\0"), end - begin)


if __name__ == "__main__":
    main()
