"""One run of the judgement process, and what goes wrong with it as a sentence."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import IO

import msgspec

from deepoj.errors import Exit, Failure
from deepoj.setter.events import Event, Failed, decode

_PATIENCE = 10.0
_LAST_WORDS = 2000
_CODES = {
    "missing": Exit.USAGE,
    "unknown_language": Exit.USAGE,
    "solution": Exit.USAGE,
    "no_match": Exit.USAGE,
    "target": Exit.USAGE,
    "package": Exit.FAILED,
    "not_installed": Exit.UNUSABLE,
    "sandbox": Exit.UNUSABLE,
    "directory": Exit.UNUSABLE,
}


def events(role: str, arguments: Sequence[str] = ()) -> Iterator[Event]:
    """Raise Failure when the process cannot do what it was asked."""
    argv = [sys.executable, "-m", "deepoj_judgement", role, *arguments]
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints)
        try:
            if process.stdout is None:
                raise RuntimeError("its output was asked for")
            with closing(process.stdout):
                yield from _decoded(process.stdout)
            if process.wait() != 0:
                raise _broken(_tail(complaints))
        finally:
            _end(process)


def _decoded(lines: IO[bytes]) -> Iterator[Event]:
    for line in lines:
        try:
            event = decode(line)
        except msgspec.DecodeError as error:
            raise _broken(f"it said {line[:100]!r}") from error
        if isinstance(event, Failed):
            raise Failure(event.message, _CODES.get(event.reason, Exit.FAILED))
        yield event


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ctrl-C reaches it too; it then needs a moment to take its sandbox down."""
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _tail(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    return complaints.read()[-_LAST_WORDS:].decode(errors="replace").strip()


def _broken(why: str) -> Failure:
    return Failure(f"the judgement process failed: {why}", Exit.INTERNAL)
