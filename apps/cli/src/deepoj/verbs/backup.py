"""`deepoj backup`."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.filesize import decimal
from rich.markup import escape

import deepoj_migrations
from deepoj.backup.check import damage_of
from deepoj.backup.progress import failures_of, shown, so_far
from deepoj.backup.repository import Content, DamagedError, Repository, opened
from deepoj.backup.seal import seal_of
from deepoj.backup.take import Taken, take
from deepoj.console import err, out, print_json
from deepoj.credentials import load_or_make
from deepoj.errors import Exit, Failure
from deepoj.home import Home
from deepoj.stack.open_stores import open_stores
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option, directory_of_backups, home_of, json_option, key_file_option


@click.command(
    name="backup",
    help=help_text(
        "Take a backup of a system to DIRECTORY: its database as it is at one moment, and every object.\n\n"
        "The system may run, and nobody notices. A second backup to the same directory copies only "
        "objects that "
        "are new. With --key-file everything is encrypted; without that key nobody restores it. Servers "
        "of your "
        "own are named as for deepoj up.",
        examples=(
            "deepoj backup /mnt/backups",
            "deepoj backup /mnt/backups --keep 14 --key-file /root/backup.key",
            "deepoj backup /mnt/backups --verify",
        ),
        exits={
            Exit.OK: "the backup is there; with --verify: every backup is whole",
            Exit.FAILED: "an object or a backup is damaged, or something did not work",
            Exit.NOT_RUNNING: "there is no system to take a backup of",
            Exit.BUSY: "another deepoj uses the directory, or the stack starts or stops",
            Exit.UNUSABLE: "the directory or the key cannot be used",
            Exit.UNREACHABLE: "a server of yours cannot be reached",
            Exit.INTERRUPTED: "Ctrl-C broke it off",
        },
    ),
)
@directory_of_backups
@click.option(
    "--verify",
    is_flag=True,
    help="Take none; read every file of every backup. What is damaged is set aside, so that the next backup "
    "copies it again if the system has it.",
)
@click.option(
    "--keep", type=click.IntRange(1, 10_000), help="Remove all but the latest N backups afterwards."
)
@key_file_option
@data_option
@json_option
def command(
    *, directory: Path, verify: bool, keep: int | None, key_file: Path | None, data: Path, as_json: bool
) -> None:
    if verify and keep:
        raise Failure("--verify takes and removes no backup: leave --keep out", Exit.USAGE)
    with failures_of(directory), opened(directory, seal_of(key_file), make=not verify) as repository:
        if verify:
            sys.exit(_verify(repository, as_json=as_json))
        sys.exit(_take(repository, home_of(data), keep, as_json=as_json))


def _take(repository: Repository, home: Home, keep: int | None, *, as_json: bool) -> Exit:
    with shown("taking a backup") as show, open_stores(home) as stores:
        token = load_or_make(home, ()).service_token if home.credentials.exists() else None
        taken = take(
            stores, deepoj_migrations.SERVICES, token, repository, lambda *copied: show(so_far(*copied))
        )
        removed = _drop_old(repository, taken, keep) if keep else []
    if as_json:
        print_json(taken.as_json() | {"removed": removed})
    else:
        _tell(taken, removed)
    return Exit.FAILED if taken.damaged else Exit.OK


def _drop_old(repository: Repository, taken: Taken, keep: int) -> list[str]:
    """Where a backup that is kept cannot be read, nobody knows which files it needs."""
    old = repository.names()[:-keep]
    try:
        repository.drop(old)
    except DamagedError as error:
        raise Failure(
            f"the backup {taken.name} is taken, but none was removed: one that is kept is damaged ({error}). "
            "Give it up by removing its file in backups/",
            Exit.FAILED,
        ) from error
    return old


def _tell(taken: Taken, removed: list[str]) -> None:
    out().print(
        f"Backup {taken.name}: database {decimal(taken.database_bytes)}, {taken.objects} objects with "
        f"{decimal(taken.object_bytes)}; copied now: {taken.copied_objects} with "
        f"{decimal(taken.copied_bytes)}."
    )
    if removed:
        out().print(f"Removed: {', '.join(removed)}")
    for key in taken.damaged:
        err().print(
            f"[bold red]damaged:[/] {escape(key)} in the object store is not what its name says; the "
            "backup has it "
            "as it is. Import the problem again, or put the object back from an older backup."
        )


def _verify(repository: Repository, *, as_json: bool) -> Exit:
    damage: dict[str, list[str]] = {}
    good: set[Content] = set()
    with shown("reading backups") as show:
        read = 0

        def tell(size: int) -> None:
            nonlocal read
            read += size
            show(decimal(read))

        for name in repository.names():
            damage[name] = damage_of(repository, name, good, tell)
    if as_json:
        print_json({"backups": [{"name": name, "damage": found} for name, found in damage.items()]})
    else:
        for name, found in damage.items():
            out().print(f"{name}: {'; '.join(found) or 'whole'}", markup=False)
        if not damage:
            out().print("There is no backup yet.")
    return Exit.FAILED if not damage or any(damage.values()) else Exit.OK
