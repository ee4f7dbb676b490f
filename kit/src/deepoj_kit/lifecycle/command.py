"""The command line every service process has: its roles, and `config`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from deepoj_kit.lifecycle.run_process import EXIT_BAD_SETTINGS, EXIT_CLEAN, EXIT_FAILURE, Start, run
from deepoj_kit.settings import ProcessSettings, SettingsError, describe, load
from deepoj_kit.unavailable import Unavailable

S = TypeVar("S", bound=ProcessSettings)


@dataclass(frozen=True, slots=True)
class OneShot(Generic[S]):
    """A command that does one thing and ends; what it returns is the exit code."""

    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[S, argparse.Namespace], Awaitable[int]]


def main(
    service: str,
    settings_type: type[S],
    roles: Mapping[str, Start[S]],
    argv: Sequence[str] | None = None,
    *,
    tasks: Mapping[str, OneShot[S]] | None = None,
) -> int:
    """Run the role named on the command line; return the exit code of the process."""
    parser = argparse.ArgumentParser(
        prog=f"python -m deepoj_{service}",
        description=f"Run one process of the {service} service.",
        epilog=f"example: DEEPOJ_CONFIG=deepoj.toml python -m deepoj_{service} serve. "
        "Exit code 0: stopped on request; 1: failed; 2: bad settings or usage.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for role in roles:
        commands.add_parser(role, help=f"run until SIGTERM, settings from DEEPOJ_{service.upper()}_*")
    tasks = tasks or {}
    for name, task in tasks.items():
        task.add_arguments(commands.add_parser(name, help=task.help))
    config = commands.add_parser("config", help="show every setting, its value and where it comes from")
    config.add_argument("--json", action="store_true", help="as JSON, for programs")
    arguments = parser.parse_args(argv)
    if arguments.command == "config":
        _show_config(service, settings_type, as_json=arguments.json)
        return EXIT_CLEAN
    if arguments.command in tasks:
        return _run_once(service, settings_type, tasks[arguments.command], arguments)
    return run(service, lambda: load(settings_type, scope=service), roles[arguments.command])


def _run_once(service: str, settings_type: type[S], task: OneShot[S], arguments: argparse.Namespace) -> int:
    async def once(settings: S) -> int:
        return await task.run(settings, arguments)

    try:
        return asyncio.run(once(load(settings_type, scope=service)))
    except SettingsError as error:
        sys.stderr.write(f"{service}: cannot start: {error}\n")
        return EXIT_BAD_SETTINGS
    except Unavailable as error:
        sys.stderr.write(f"{service}: a server does not answer: {error}\n")
        return EXIT_FAILURE


def _show_config(service: str, settings_type: type[ProcessSettings], *, as_json: bool) -> None:
    rows = describe(settings_type, scope=service)
    if as_json:
        sys.stdout.write(msgspec.json.encode(rows).decode() + "\n")
        return
    for row in rows:
        sys.stdout.write(
            f"{row.variable} = {row.value or '(unset)'}  [{row.source}] {row.problem or row.help}\n"
        )
