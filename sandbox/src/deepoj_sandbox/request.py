"""What a caller asks for. A value that exists is valid: every check happens on construction."""

import os
import re
from dataclasses import dataclass, field, fields
from typing import Final

from deepoj_sandbox.errors import BadRequest

_MAX_ARGUMENTS: Final = 256
_MAX_ARGV_BYTES: Final = 64 * 1024
_MAX_NAME_BYTES: Final = 1024
_MAX_LIMIT: Final = 1 << 46
# The keeper is under these limits too, and has a score of files open.
_LEAST_STACK: Final = 512 << 10
_LEAST_ADDRESS_SPACE: Final = 64 << 20
_LEAST_OPEN_FILES: Final = 24
# No shell ever sees an argument; these are refused all the same, because a caller that sends them has
# been fooled into building a command line. A dollar sign alone is none: names of Java classes may have it.
_SUSPICIOUS = re.compile(r"[;|&<>`\"'\\\x00-\x1f\x7f]|\$[({]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\\]")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
DEFAULT_ENVIRONMENT: Final = (
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "HOME=/box",
    "TMPDIR=/box",
    "LANG=C.UTF-8",
)


def check_name(name: str, where: str = "name") -> str:
    """A relative path below a box directory: no '..', no absolute path, no control characters."""
    parts = name.split("/")
    if not name or len(name.encode(errors="replace")) > _MAX_NAME_BYTES:
        raise BadRequest(where, "empty or too long")
    if any(part in {"", ".", ".."} for part in parts):
        raise BadRequest(where, "must be a relative path without '.', '..' or empty parts")
    # A name is only ever opened, so Java's Main$Inner.class is as good as any.
    if _CONTROL.search(name):
        raise BadRequest(where, "has a control character or backslash")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise BadRequest(where, "is not valid Unicode") from None
    return name


def _check_argument(argument: str, where: str) -> None:
    if _SUSPICIOUS.search(argument):
        raise BadRequest(where, "has a control character or shell metacharacter")
    if ".." in re.split(r"[/=:,]", argument):
        raise BadRequest(where, "has a parent-directory reference")
    _check_text(argument, where)


def _check_text(text: str, where: str) -> None:
    if "\0" in text:
        raise BadRequest(where, "has a zero byte")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadRequest(where, "is not valid Unicode") from None


def _check_argv(argv: tuple[str, ...], texts: tuple[str, ...]) -> None:
    if not argv or len(argv) + len(texts) > _MAX_ARGUMENTS:
        raise BadRequest("argv", f"needs 1 to {_MAX_ARGUMENTS} arguments")
    for place, argument in enumerate(argv):
        _check_argument(argument, f"argv[{place}]")
    for place, text in enumerate(texts):
        _check_text(text, f"texts[{place}]")
    if sum(len(argument.encode()) + 1 for argument in (*argv, *texts)) > _MAX_ARGV_BYTES:
        raise BadRequest("argv", f"is longer than {_MAX_ARGV_BYTES} bytes")
    if not argv[0].startswith("/"):
        raise BadRequest("argv[0]", "must be an absolute path inside the box")


def _check_environment(environment: tuple[str, ...]) -> None:
    for place, entry in enumerate(environment):
        name, _, value = entry.partition("=")
        if not _VARIABLE.match(name) or "=" not in entry:
            raise BadRequest(f"environment[{place}]", "must be NAME=value")
        _check_argument(value, f"environment[{place}]")
    if sum(map(len, environment)) > _MAX_ARGV_BYTES:
        raise BadRequest("environment", f"is longer than {_MAX_ARGV_BYTES} bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """Limits of one run. `memory_slack_bytes` is what a runtime with a heap cap of its own may add.

    A run whose processes all sleep for `idle_ms` ends as at its wall limit; 0: it may sleep. Programs that
    talk wait for each other, so of these all must do nothing for what the leader may (host/talk.py).
    """

    cpu_ms: int = 1000
    wall_ms: int = 5000
    idle_ms: int = 0
    memory_bytes: int = 256 << 20
    memory_slack_bytes: int = 0
    processes: int = 32
    output_bytes: int = 16 << 20
    error_bytes: int = 1 << 20
    input_bytes: int = 256 << 20
    file_bytes: int = 64 << 20
    open_files: int = 64
    stack_bytes: int = 64 << 20
    address_space_bytes: int = 0

    def __post_init__(self) -> None:
        optional = {
            "idle_ms",
            "memory_slack_bytes",
            "address_space_bytes",
            "output_bytes",
            "error_bytes",
            "file_bytes",
            "input_bytes",
        }
        for entry in fields(self):
            value = getattr(self, entry.name)
            if type(value) is not int:
                raise BadRequest(f"limits.{entry.name}", "must be an integer")
            if not (0 if entry.name in optional else 1) <= value <= _MAX_LIMIT:
                raise BadRequest(f"limits.{entry.name}", "is out of range")
        if self.stack_bytes < _LEAST_STACK:
            raise BadRequest("limits.stack_bytes", f"must be at least {_LEAST_STACK}")
        if 0 < self.address_space_bytes < _LEAST_ADDRESS_SPACE:
            raise BadRequest("limits.address_space_bytes", f"must be 0 or at least {_LEAST_ADDRESS_SPACE}")
        if self.open_files < _LEAST_OPEN_FILES:
            raise BadRequest("limits.open_files", f"must be at least {_LEAST_OPEN_FILES}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryExit:
    """How a runtime with its own heap cap ends when the heap is full: then the run is MLE, not RE."""

    exit_code: int | None = None
    signal: int | None = None
    stderr_contains: str = ""

    def __post_init__(self) -> None:
        if self.exit_code is None and self.signal is None:
            raise BadRequest("memory_exits", "needs exit_code or signal")

    def matches(self, exit_code: int | None, signal: int | None, stderr_tail: bytes) -> bool:
        if (self.exit_code, self.signal) != (exit_code, signal):
            return False
        return self.stderr_contains.encode() in stderr_tail


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    argv: tuple[str, ...]
    # Further arguments, which are data and not for us to understand: they may hold all but a zero byte.
    texts: tuple[str, ...] = ()
    environment: tuple[str, ...] = DEFAULT_ENVIRONMENT
    limits: SandboxLimits = field(default_factory=SandboxLimits)
    memory_exits: tuple[MemoryExit, ...] = ()
    # Leave in the scratch directory what earlier runs wrote.
    keep_scratch: bool = False
    # Wait until no other box runs, and let none start: for a second opinion on a near-limit result.
    alone: bool = False
    # The one processor to run on.
    pin_cpu: int | None = None

    def __post_init__(self) -> None:
        _check_argv(self.argv, self.texts)
        _check_environment(self.environment)
        if self.pin_cpu is not None and self.pin_cpu not in os.sched_getaffinity(0):
            raise BadRequest("pin_cpu", "is not a processor of this machine")


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxSpec:
    """What is fixed when a box is made. Only boxes of the default kind are kept ready."""

    scratch_bytes: int = 64 << 20
    scratch_inodes: int = 4096
    # The program, and of the largest case input, answer and output. Only the host writes there.
    app_bytes: int = 1 << 30
    open_files: int = 1024

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if type(value) is not int or not 1 <= value <= _MAX_LIMIT:
                raise BadRequest(f"box.{entry.name}", "is out of range")
