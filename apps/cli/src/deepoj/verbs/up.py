"""`deepoj up`."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path

import click

from deepoj.checkout import find_checkout
from deepoj.console import out
from deepoj.errors import Exit, Failure
from deepoj.home import Home, locked, prepare
from deepoj.stack.board import open_board
from deepoj.stack.database import MIGRATIONS
from deepoj.stack.demo import example_packages
from deepoj.stack.services import SERVICES, with_ways_in
from deepoj.stack.up import Options, Stack, run_stack
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option
from deepoj_kit.embedded.process import ServerError


@click.command(
    name="up",
    help=help_text(
        "Start everything on this machine and keep it running.\n\n"
        "Starts PostgreSQL, Valkey and an S3 server, updates the schemas, starts each service as a process "
        "of its own and starts again what stops. Ctrl-C stops all of it; a second Ctrl-C kills what is "
        "left.\n\n"
        "A server of your own replaces an embedded one: set DEEPOJ_POSTGRES_URL, DEEPOJ_REDIS_URL, or "
        "DEEPOJ_S3_ENDPOINT with DEEPOJ_S3_ACCESS_KEY and DEEPOJ_S3_SECRET_KEY.",
        examples=(
            "deepoj up",
            "deepoj up --ephemeral --port 0",
            "deepoj up --demo",
            "DEEPOJ_POSTGRES_URL=postgresql://judge@db/deepoj deepoj up",
        ),
        exits={
            Exit.OK: "stopped as asked",
            Exit.FAILED: "something did not start",
            Exit.BUSY: "another deepoj up uses the data directory",
            Exit.UNUSABLE: "a port, a directory or a program cannot be used",
            Exit.UNREACHABLE: "a server of yours cannot be reached",
            Exit.INTERRUPTED: "killed by a second Ctrl-C",
        },
    ),
)
@data_option
@click.option("--ephemeral", is_flag=True, help="Use a temporary data directory and remove it at the end.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="HTTP port; 0 picks one."
)
@click.option(
    "--demo",
    is_flag=True,
    help="Load the example problems of the checkout, and let anybody in; again changes nothing.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on for HTTP.")
def command(data: Path, *, ephemeral: bool, port: int, host: str, demo: bool) -> None:
    local = is_loopback(host) and not os.environ.get("DEEPOJ_BFF_PUBLIC_URL")
    stack = Stack(with_ways_in(SERVICES, local=local, demo=demo), MIGRATIONS)
    examples = example_packages(find_checkout()) if demo else ()
    sys.exit(start(stack, data, Options(host, port, ephemeral, examples)))


def is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def start(stack: Stack, data: Path, options: Options) -> Exit:
    with _directory(data, ephemeral=options.ephemeral) as home, locked(home), open_board(out()) as board:
        try:
            return run_stack(stack, home, options, board)
        except ServerError as error:
            raise Failure(str(error), Exit.FAILED) from error


@contextmanager
def _directory(data: Path, *, ephemeral: bool) -> Iterator[Home]:
    if not ephemeral:
        yield prepare(data)
        return
    root = Path(tempfile.mkdtemp(prefix="deepoj-up-"))
    try:
        yield prepare(root)
    finally:
        shutil.rmtree(root, ignore_errors=True)
