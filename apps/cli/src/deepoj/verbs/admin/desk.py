"""What every subcommand has: a server, a way to show its answers, and one to ask before the irrevocable."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import click
import msgspec

from deepoj.client.api import Api
from deepoj.client.tables import facts_of, table_of
from deepoj.console import err, out, print_json
from deepoj.errors import Exit, Failure
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import connected, server_option

EXITS: Final = {
    Exit.OK: "it is so",
    Exit.USAGE: "the command was not understood, or asked for --yes",
    Exit.UNREACHABLE: "the server cannot be reached",
    Exit.NOT_SIGNED_IN: "log in first",
    Exit.REFUSED: "there is no such thing, or you may not",
    Exit.LATER: "the server is busy: try again later",
}

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
reason_option = click.option("--reason", default="", help="Kept beside it for whoever asks why.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Only tell what it would do.")
limit_option = click.option(
    "--limit", default=50, show_default=True, type=click.IntRange(1), help="How many at most."
)


@dataclass(frozen=True, slots=True)
class Desk:
    api: Api
    as_json: bool

    def show(self, items: Sequence[msgspec.Struct], *columns: str, none: str) -> None:
        """A line each, or the sentence that there is none."""
        if self.as_json:
            print_json(msgspec.to_builtins(items))
        else:
            out().print(table_of(items, columns) if items else none)

    def facts(self, item: msgspec.Struct) -> None:
        if self.as_json:
            print_json(msgspec.to_builtins(item))
        else:
            out().print(facts_of(item))

    def done(self, sentence: str, answer: msgspec.Struct | None = None) -> None:
        if self.as_json:
            print_json(msgspec.to_builtins(answer) if answer is not None else {"done": sentence})
        else:
            out().print(sentence, markup=False)

    def note(self, sentence: str) -> None:
        """What is said beside the result."""
        err().print(sentence, markup=False)


def confirm(sentence: str, *, yes: bool) -> None:
    """Raise unless somebody at a terminal, or --yes, agrees."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise Failure(f"{sentence} That cannot be undone: say so with --yes", Exit.USAGE)
    if not click.confirm(f"{sentence} That cannot be undone. Go on?", err=True):
        raise Failure("nothing was done", Exit.FAILED)


def noun(name: str, does: str, *examples: str) -> click.Group:
    return click.Group(name=name, help=help_text(does, examples, EXITS))


def single(
    name: str, does: str, *examples: str, exits: Mapping[Exit, str] | None = None
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command of what works at a desk; it gets --server, --json and a help in the usual shape."""

    def made(work: Callable[..., None]) -> click.Command:
        @functools.wraps(work)
        def run(*, server: str | None, as_json: bool, **options: object) -> None:
            with connected(server) as api:
                work(Desk(api, as_json), **options)

        shaped = help_text(does, examples, {**EXITS, **(exits or {})})
        return click.command(name=name, help=shaped)(server_option(json_option(run)))

    return made


def subcommand(
    group: click.Group, name: str, does: str, *examples: str, exits: Mapping[Exit, str] | None = None
) -> Callable[[Callable[..., None]], click.Command]:
    def made(work: Callable[..., None]) -> click.Command:
        command = single(name, does, *examples, exits=exits)(work)
        group.add_command(command)
        return command

    return made
