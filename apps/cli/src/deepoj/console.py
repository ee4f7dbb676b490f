"""Results go to stdout, complaints to stderr, colours only to a terminal and never against NO_COLOR."""

from __future__ import annotations

import json
import sys

import click
from rich.console import Console

WIDTH_OF_A_PIPE = 200


def out() -> Console:
    # A pipe has no width of its own; 80 columns would fold what a program or a log should keep on one line.
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH_OF_A_PIPE)


def err() -> Console:
    return Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_json_line(value: object) -> None:
    """One of several values; whoever reads them gets each at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def ask_secret(what: str) -> str:
    """Ask on the terminal without showing the answer, or read a line when there is none."""
    if sys.stdin.isatty():
        return str(click.prompt(what, hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")
