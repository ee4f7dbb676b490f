"""`deepoj restore`."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.filesize import decimal
from rich.markup import escape

import deepoj_migrations
from deepoj.backup.database import Database
from deepoj.backup.progress import failures_of, shown, so_far
from deepoj.backup.put_back import Restored, put_back, refuse_newer, refuse_to_overwrite, secrets_of
from deepoj.backup.repository import Manifest, Repository, opened
from deepoj.backup.seal import seal_of
from deepoj.console import err, out, print_json
from deepoj.credentials import take_service_token
from deepoj.errors import Exit, Failure
from deepoj.stack.open_stores import own_stores
from deepoj.stack.servers import given
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option, directory_of_backups, home_of, json_option, key_file_option


@click.command(
    name="restore",
    help=help_text(
        "Put the latest backup of DIRECTORY, or the one named by --from, in the place of a system that "
        "does not "
        "run.\n\n"
        "The backup runs as SQL with every right in the database: restore only what you wrote, or what "
        "--key-file "
        "proves. A failure leaves the database as it was. Start the system afterwards; a newer release "
        "brings the "
        "schemas up to date.",
        examples=(
            "deepoj restore /mnt/backups --data /srv/deepoj",
            "deepoj restore /mnt/backups --from 20261118T031500.000000Z --replace",
        ),
        exits={
            Exit.OK: "the system is as it was when the backup was taken",
            Exit.FAILED: "the backup is damaged, or something did not work; with --without-damaged: restored "
            "but for what it names",
            Exit.BUSY: "the system runs, or others are connected to the database",
            Exit.UNUSABLE: "the directory or the key cannot be used",
            Exit.UNREACHABLE: "a server of yours cannot be reached",
            Exit.REFUSED: "there is a system already (--replace), no such backup, or one of a newer release",
            Exit.INTERRUPTED: "Ctrl-C broke it off",
        },
    ),
)
@directory_of_backups
@click.option("--from", "name", metavar="NAME", help="Which backup; the latest otherwise.")
@click.option("--replace", is_flag=True, help="Give up the system that is there.")
@click.option(
    "--without-damaged", is_flag=True, help="Leave out objects that are damaged in the backup, and name them."
)
@key_file_option
@data_option
@json_option
def command(
    *,
    directory: Path,
    name: str | None,
    replace: bool,
    without_damaged: bool,
    key_file: Path | None,
    data: Path,
    as_json: bool,
) -> None:
    home = home_of(data)
    with failures_of(directory), opened(directory, seal_of(key_file)) as repository:
        manifest = _chosen(repository, name)
        refuse_newer(manifest)
        with shown("restoring") as show, own_stores(home) as stores:
            database = Database(stores.postgres_url, deepoj_migrations.SERVICES)
            refuse_to_overwrite(database, replace=replace)
            secrets = secrets_of(repository, manifest)
            env = given("env") or "dev"
            done = put_back(
                stores,
                database,
                env,
                repository,
                manifest,
                lambda *copied: show(so_far(*copied)),
                without_damaged=without_damaged,
            )
            if secrets is not None:
                take_service_token(home, secrets.service_token)
    if as_json:
        print_json(done.as_json())
    else:
        _tell(done)
    sys.exit(Exit.FAILED if done.damaged else Exit.OK)


def _tell(done: Restored) -> None:
    out().print(
        f"Restored {done.name}: the database, and {done.objects} objects with {decimal(done.object_bytes)}."
    )
    for key in done.damaged:
        err().print(f"[bold red]left out:[/] {escape(key)} is damaged in the backup")


def _chosen(repository: Repository, name: str | None) -> Manifest:
    names = repository.names()
    if not names:
        raise Failure("there is no backup in the directory yet", Exit.REFUSED)
    if name is not None and name not in names:
        raise Failure(f"there is no backup {name}; there are: {', '.join(names[-10:])}", Exit.REFUSED)
    return repository.manifest(name or names[-1])
