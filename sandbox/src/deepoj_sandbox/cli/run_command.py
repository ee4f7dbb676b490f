"""`run`: one program, one box, one line of judge JSON v1 — the agent's stand-in (INV-7)."""

import argparse
import contextlib
import dataclasses
import json
import os
import sys
from collections.abc import Iterator

from deepoj_sandbox import judge_json
from deepoj_sandbox.cli.common import Commands, add_host_options, open_workshop, say
from deepoj_sandbox.errors import BadRequest, SandboxError
from deepoj_sandbox.host import files
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.drive import run
from deepoj_sandbox.host.stdin import safe_stdin
from deepoj_sandbox.host.streams import FileSink
from deepoj_sandbox.layers import probe
from deepoj_sandbox.request import DEFAULT_ENVIRONMENT, BoxSpec, RunRequest, SandboxLimits, check_name
from deepoj_sandbox.result import RunResult, RunStatus

_EXIT_FAILURE = 1
_EXIT_BAD_REQUEST = 2
_TAKE_LIMIT = 256 << 20
_EXAMPLE = """example:
  python -m deepoj_sandbox run --put-program main=./a.out --stdin 1.in --stdout 1.out \\
      --cpu-ms 1000 --memory-bytes 268435456 -- /app/main

Prints one line of judge JSON v1. Exit status: 0 there is a verdict, 1 the sandbox failed (verdict SE),
2 the request was refused."""


def register(commands: "Commands[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "run",
        help="run one program in a fresh box",
        description="Run one program in a fresh box.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("argv", nargs="+", help="program, as an absolute path inside the box, and arguments")
    parser.add_argument("--job-id", default="", help="passed through to the output")
    parser.add_argument("--attempt-id", type=int, default=0, help="passed through to the output")
    parser.add_argument("--stdin", default=os.devnull, metavar="FILE")
    parser.add_argument("--stdout", default=os.devnull, metavar="FILE", help="overwritten")
    parser.add_argument("--stderr", default=os.devnull, metavar="FILE", help="overwritten")
    for option, text in (
        ("--put", "copy PATH to /app/NAME"),
        ("--put-program", "copy PATH to /app/NAME and make it executable"),
        ("--take", "afterwards copy NAME, if it is there, from the scratch directory to PATH"),
    ):
        parser.add_argument(option, action="append", default=[], metavar="NAME=PATH", help=text)
    parser.add_argument(
        "--first",
        action="append",
        default=[],
        metavar="JSON",
        help="argv, as a JSON list, of a program to run before in the same box; a failing one is the last",
    )
    parser.add_argument(
        "--text", action="append", default=[], help="a further argument, which may hold all but a zero byte"
    )
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    for kind in (SandboxLimits, BoxSpec):
        for entry in dataclasses.fields(kind):
            name = entry.name if kind is SandboxLimits else f"box_{entry.name}"
            parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=entry.default, metavar="N")
    add_host_options(parser)
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    try:
        result = _run(arguments, _requests(arguments), _spec(arguments))
    except BadRequest as error:
        say(f"bad request: {error}", sys.stderr)
        return _EXIT_BAD_REQUEST
    except SandboxError as error:
        say(judge_json.of_failure(error, arguments.job_id, arguments.attempt_id))
        return _EXIT_FAILURE
    say(judge_json.of_result(result, arguments.job_id, arguments.attempt_id))
    return 0


def _requests(arguments: argparse.Namespace) -> list[RunRequest]:
    values = {entry.name: getattr(arguments, entry.name) for entry in dataclasses.fields(SandboxLimits)}
    environment = (*DEFAULT_ENVIRONMENT, *arguments.env)
    first = [_argv(text) for text in arguments.first]
    steps = [*((argv, ()) for argv in first), (tuple(arguments.argv), tuple(arguments.text))]
    return [
        RunRequest(
            argv=argv,
            texts=texts,
            environment=environment,
            limits=SandboxLimits(**values),
            keep_scratch=place > 0,
        )
        for place, (argv, texts) in enumerate(steps)
    ]


def _argv(text: str) -> tuple[str, ...]:
    try:
        words = json.loads(text)
    except ValueError:
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise BadRequest("first", "must be a JSON list of strings")
    return tuple(words)


def _spec(arguments: argparse.Namespace) -> BoxSpec:
    names = [entry.name for entry in dataclasses.fields(BoxSpec)]
    return BoxSpec(**{name: getattr(arguments, f"box_{name}") for name in names})


def _run(arguments: argparse.Namespace, requests: list[RunRequest], spec: BoxSpec) -> RunResult:
    moves = {option: [_named(text) for text in getattr(arguments, option)] for option in ("put", "take")}
    programs = [_named(text) for text in arguments.put_program]
    with open_workshop(arguments) as workshop:
        if not probe(workshop).sufficient:
            raise SandboxError("check layers", 0, "below namespaces + seccomp + rlimits")
        box = workshop.make(spec)
        try:
            for name, path in (*moves["put"], *programs):
                with _opened(path, os.O_RDONLY) as source:
                    files.put(box, name, source, executable=(name, path) in programs)
            result = _run_in(box, arguments, requests)
            for name, path in () if result.box_lost else moves["take"]:
                # However it ended, a program need not have left anything.
                with contextlib.suppress(BadRequest):
                    _take(box, name, path)
            return result
        finally:
            # The workshop ends what does not end by itself; that is no reason to lose a result.
            with contextlib.suppress(SandboxError):
                box.close()


def _run_in(box: Box, arguments: argparse.Namespace, requests: list[RunRequest]) -> RunResult:
    create = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with (
        _opened(arguments.stdin, os.O_RDONLY) as given,
        _opened(arguments.stdout, create) as stdout,
        _opened(arguments.stderr, create) as stderr,
    ):
        *first, last = requests
        for request in first:
            result = _run_one(box, request, given, stdout, stderr)
            if result.status is not RunStatus.OK:
                return result
        return _run_one(box, last, given, stdout, stderr)


def _run_one(box: Box, request: RunRequest, given: int, stdout: int, stderr: int) -> RunResult:
    stdin = safe_stdin(given, request.limits.input_bytes)
    try:
        return run(box, request, stdin, FileSink(stdout), FileSink(stderr))
    finally:
        os.close(stdin)


def _take(box: Box, name: str, path: str) -> None:
    content = files.take(box, name, _TAKE_LIMIT)
    with _opened(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as target:
        FileSink(target).write(content)


def _named(text: str) -> tuple[str, str]:
    name, separator, path = text.partition("=")
    if not separator:
        raise BadRequest(text, "must be NAME=PATH")
    return check_name(name), path


@contextlib.contextmanager
def _opened(path: str, flags: int) -> Iterator[int]:
    try:
        descriptor = os.open(path, flags | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BadRequest(path, error.strerror or "cannot be opened") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)
