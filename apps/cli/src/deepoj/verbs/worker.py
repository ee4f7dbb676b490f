"""`deepoj worker`: judge hosts, seen by their operator and by themselves."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from deepoj.errors import Exit
from deepoj.verbs import worker_drain, worker_join
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option, home_of, json_option
from deepoj.worker.operator import record
from deepoj.worker.settings_file import read_settings, settings_option
from deepoj_kit.embedded.service_environ import service_tuning

name_argument = click.argument("name")


@click.group(
    name="worker",
    help=help_text(
        "Judge hosts: invite and revoke them, set one up, run it, take it out of service.",
        examples=(
            "deepoj worker invite judge-1 > judge-1.token      where the system is",
            "deepoj worker join https://oj.example --token-file judge-1.token   on the new host",
            "deepoj worker run                                 on the new host",
            "deepoj worker drain judge-1                       anywhere, for admins",
            "deepoj worker revoke judge-1                      where the system is",
        ),
        exits={Exit.OK: "it worked", Exit.FAILED: "it did not; the sentence says why"},
    ),
)
def command() -> None:
    pass


@command.command(
    name="invite",
    help=help_text(
        "Make a token for the judge host NAME and print it, this once.\n\n"
        "It is good for the calls of workers only. Inviting a name again ends its older token. Bring it to "
        "the host by a safe way: with it and the address of the site `deepoj worker join` sets the host up.",
        examples=("deepoj worker invite judge-1 > judge-1.token",),
        exits={Exit.OK: "the token is on standard output", Exit.FAILED: "the name is none, or no database"},
    ),
)
@name_argument
@data_option
def invite(name: str, data: Path) -> None:
    sys.exit(record(home_of(data), "invite", name))


@command.command(
    name="revoke",
    help=help_text(
        "End the token of the judge host NAME: its calls are refused within three seconds.\n\n"
        "What it judges then is judged elsewhere when its leases end. Its own user of Redis goes too; if it "
        "may have given away what all judge hosts share, the keys of S3 or the user of Redis, change these.",
        examples=("deepoj worker revoke judge-1",),
        exits={Exit.OK: "it is revoked", Exit.FAILED: "there is no such host, or no database"},
    ),
)
@name_argument
@data_option
def revoke(name: str, data: Path) -> None:
    sys.exit(record(home_of(data), "revoke", name))


@command.command(
    name="hosts",
    help=help_text(
        "List the judge hosts that were invited. `deepoj top` shows those that are alive.",
        examples=("deepoj worker hosts", "deepoj worker hosts --json"),
        exits={Exit.OK: "listed", Exit.FAILED: "no database"},
    ),
)
@data_option
@json_option
def hosts(data: Path, *, as_json: bool) -> None:
    sys.exit(record(home_of(data), "hosts", *(["--json"] if as_json else [])))


@command.command(
    name="run",
    help=help_text(
        "Run the worker that deepoj worker join has set up, until SIGTERM or Ctrl-C.\n\n"
        "Variables of the environment win over the file.",
        examples=("deepoj worker run", "DEEPOJ_JUDGEMENT_LANGUAGES=cpp17,cpp20 deepoj worker run"),
        exits={
            Exit.OK: "stopped on request; what it had is judged or handed back",
            Exit.FAILED: "it failed, or did not finish in time",
            Exit.USAGE: "a setting is wrong",
            Exit.UNUSABLE: "there are no settings",
        },
    ),
)
@settings_option
def run(path: Path) -> None:
    environ = service_tuning() | read_settings(path) | dict(os.environ)
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, "-m", "deepoj_judgement", "serve"], environ)  # noqa: S606 — ourselves


for each in (worker_join.command, worker_drain.drain, worker_drain.resume, worker_drain.drained):
    command.add_command(each)
