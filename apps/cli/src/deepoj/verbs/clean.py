"""`deepoj clean`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.filesize import decimal
from rich.table import Table

import deepoj_migrations
from deepoj.backup.progress import shown
from deepoj.console import err, out, print_json
from deepoj.errors import Exit, Failure
from deepoj.stack.open_stores import OpenStores, open_stores
from deepoj.storage.figures import Figures, figures_of
from deepoj.storage.sweeps import OWNERS, Swept, sweep
from deepoj.verbs.help import help_text
from deepoj.verbs.options import data_option, home_of, json_option
from deepoj_kit.objects import ObjectStoreError
from deepoj_kit.unavailable import Unavailable


@click.command(
    name="clean",
    help=help_text(
        "Show how much a system keeps, delete what nobody needs, and show how much is left: files of "
        "problems that no revision names and nobody has used for DEEPOJ_QUESTION_OBJECTS_KEEP (7d), and "
        "logs of submissions that are not there.\n\n"
        "It is safe at any time, also while the system runs; the services do the same every few hours.",
        examples=("deepoj clean --dry-run", "deepoj clean", "deepoj clean --dry-run --json"),
        exits={
            Exit.OK: "done; nothing is missing",
            Exit.FAILED: "a problem names files that are not in the object store, or something did not work",
            Exit.NOT_RUNNING: "there is no system to clean",
            Exit.BUSY: "another deepoj uses the directory, or the stack starts or stops",
            Exit.UNREACHABLE: "a server of yours cannot be reached",
        },
    ),
)
@click.option("--dry-run", is_flag=True, help="Only tell what it would delete.")
@data_option
@json_option
def command(*, dry_run: bool, data: Path, as_json: bool) -> None:
    with shown("cleaning") as show, open_stores(home_of(data)) as stores:
        show("counting")
        before = _figures(stores)
        swept = {}
        for owner, what in OWNERS.items():
            show(what)
            swept[owner] = sweep(stores, owner, dry_run=dry_run)
        after = before if dry_run else _figures(stores)
    if as_json:
        print_json(
            msgspec.to_builtins({"before": before, "swept": swept, "after": after, "dry_run": dry_run})
        )
    else:
        _show(out(), before, after, swept, dry_run=dry_run)
    missing = swept["question"].missing
    if missing:
        err().print(
            f"{len(missing)} files of problems are not in the object store, such as data/{missing[0]}: put "
            "them back from a backup, or import the problems again",
            markup=False,
        )
    sys.exit(Exit.FAILED if missing else Exit.OK)


def _figures(stores: OpenStores) -> Figures:
    try:
        return asyncio.run(figures_of(stores, deepoj_migrations.SERVICES))
    except Unavailable as error:
        raise Failure(f"the object store does not answer: {error}", Exit.UNREACHABLE) from error
    except ObjectStoreError as error:
        raise Failure(f"the object store refused: {error}", Exit.FAILED) from error


def _show(
    console: Console, before: Figures, after: Figures, swept: Mapping[str, Swept], *, dry_run: bool
) -> None:
    console.print(_tables(after))
    kinds = _table("objects", "number", "size", "before")
    for was, now in zip(before.kinds, after.kinds, strict=True):
        kinds.add_row(now.kind, str(now.objects), decimal(now.bytes), f"{was.objects}, {decimal(was.bytes)}")
    console.print(kinds)
    would = "would be deleted" if dry_run else "deleted"
    for owner, done in swept.items():
        console.print(f"{OWNERS[owner]} {would}: {done.deleted_objects}, {decimal(done.deleted_bytes)}")


def _tables(figures: Figures) -> Table:
    table = _table("table", "rows", "size")
    for each in figures.tables:
        table.add_row(each.table, str(each.rows), decimal(each.bytes))
    return table


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left")
    return table
