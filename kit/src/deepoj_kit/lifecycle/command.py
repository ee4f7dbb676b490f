"""The command line every service process has: its roles, and `config`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from deepoj_kit.lifecycle.process import Process
from deepoj_kit.lifecycle.running import EXIT_CLEAN, Start, run
from deepoj_kit.settings import ProcessSettings, describe, load

S = TypeVar("S", bound=ProcessSettings)
Job = Callable[[Process, S, Sequence[str]], Awaitable[None]]
"""What a process does once: it is given the arguments of the command line, and raises StartError to fail."""


def main(
    service: str,
    settings_type: type[S],
    roles: Mapping[str, Start[S]],
    argv: Sequence[str] | None = None,
    *,
    jobs: Mapping[str, Job[S]] | None = None,
) -> int:
    """Run the role or the job named on the command line; return the exit code of the process."""
    parser = argparse.ArgumentParser(
        prog=f"python -m deepoj_{service}",
        description=f"Run one process of the {service} service.",
        epilog=f"example: DEEPOJ_CONFIG=deepoj.toml python -m deepoj_{service} serve. "
        "Exit code 0: stopped on request; 1: failed; 2: bad settings or usage.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for role in roles:
        commands.add_parser(role, help=f"run until SIGTERM, settings from DEEPOJ_{service.upper()}_*")
    for job in jobs or {}:
        doing = commands.add_parser(job, help=f"do it once and end, settings from DEEPOJ_{service.upper()}_*")
        doing.add_argument("arguments", nargs="+", metavar="ARGUMENT")
    config = commands.add_parser("config", help="show every setting, its value and where it comes from")
    config.add_argument("--json", action="store_true", help="as JSON, for programs")
    arguments = parser.parse_args(argv)
    if arguments.command == "config":
        _show_config(service, settings_type, as_json=arguments.json)
        return EXIT_CLEAN
    name = arguments.command
    start = roles[name] if name in roles else _once((jobs or {})[name], arguments.arguments)
    return run(service, lambda: load(settings_type, scope=service), start)


def _once(job: Job[S], arguments: Sequence[str]) -> Start[S]:
    async def start(process: Process, settings: S) -> None:
        await job(process, settings, arguments)
        process.stop()

    return start


def _show_config(service: str, settings_type: type[ProcessSettings], *, as_json: bool) -> None:
    rows = describe(settings_type, scope=service)
    if as_json:
        sys.stdout.write(msgspec.json.encode(rows).decode() + "\n")
        return
    for row in rows:
        sys.stdout.write(
            f"{row.variable} = {row.value or '(unset)'}  [{row.source}] {row.problem or row.help}\n"
        )
