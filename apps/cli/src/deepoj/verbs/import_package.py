"""`deepoj import`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import click
import httpx
import msgspec
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn

from deepoj.client.api import Api
from deepoj.client.package_archive import format_of, opened
from deepoj.client.refusals import failure_of, unreachable
from deepoj.client.wire import ImportDone, ImportEvent
from deepoj.console import err, out, print_json
from deepoj.errors import Exit, Failure
from deepoj.setter.display import watched
from deepoj.setter.process import events
from deepoj.verbs.help import help_text
from deepoj.verbs.options import follow_links_option, json_option, reading_arguments, told_options
from deepoj.verbs.remote import connected, server_option

_PIECE = 256 * 1024
_NOT_MADE = "package_not_made"
_MEDIA = {"zip": "application/zip", "tar": "application/x-tar"}


@click.command(
    name="import",
    help=help_text(
        "Upload the problem package PATH: a directory, which is packed for you, a .zip or .tar, or an FPS "
        "file (.xml). The formats of ICPC/Kattis, Polygon, DMOJ, UOJ, CMS, FPS (HUSTOJ), QDUOJ and Hydro are "
        "known; an archive may hold many problems, and one that is refused does not stop the others. Tests "
        "that are left to generators are made on this machine first, in the sandbox.\n\n"
        "A new problem is hidden until it is published. With --problem the package becomes a new revision.",
        examples=(
            "deepoj import ./two-sum",
            "deepoj import two-sum.zip --slug two-sum-2",
            "deepoj import ./two-sum --problem 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
        ),
        exits={
            Exit.OK: "imported",
            Exit.FAILED: "imported, but problems of the archive were left out",
            Exit.USAGE: "PATH is no package",
            Exit.NOT_SIGNED_IN: "log in first",
            Exit.REFUSED: "the package is wrong, or you may not",
        },
    ),
)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--problem", metavar="ID", help="Make a new revision of this problem.")
@click.option("--slug", help="Call the new problem this.")
@click.option("--dialect", type=click.Choice(["kattis", "domjudge"]), help="How its scores are meant.")
@told_options
@follow_links_option
@server_option
@json_option
def command(
    *,
    path: Path,
    problem: str | None,
    slug: str | None,
    dialect: str | None,
    server: str | None,
    as_json: bool,
    follow_links: bool,
    **told: str | int | None,
) -> None:
    route = f"/api/problems/{problem}/import" if problem else "/api/problems/import"
    asked = {"slug": slug, "dialect": dialect, **told}
    params = {name: str(value) for name, value in asked.items() if value}
    format_of(path)
    with connected(server) as api:
        done = _imported(api, route, params, path, follow_links=follow_links)
    if as_json:
        print_json(msgspec.to_builtins(done))
    else:
        _show(done)
    if done.left_out:
        sys.exit(Exit.FAILED)


def _imported(api: Api, route: str, params: dict[str, str], path: Path, *, follow_links: bool) -> ImportDone:
    """A server runs no program of a package: what they make is made here, and then sent with the rest."""
    try:
        return _uploaded(api, route, params, path, follow_links=follow_links)
    except Failure as failure:
        if failure.reason != _NOT_MADE:
            raise
    with TemporaryDirectory(prefix="deepoj-import-") as directory:
        archive = Path(directory, f"{path.resolve().stem}.zip")
        reading = reading_arguments({"follow_links": follow_links})
        for _ in watched(events("make-tests", [*reading, "--", str(path), str(archive)])):
            pass
        return _uploaded(api, route, params, archive)


def _show(done: ImportDone) -> None:
    for warning in done.warnings:
        err().print(f"warning: {warning}", markup=False)
    for problem in done.left_out:
        err().print(f"left out {problem.name}: {problem.message}", markup=False)
    kind = f" ({done.format})" if done.format else ""
    for made in done.problems or (done.problem,):
        said = f"imported {made.slug or made.id}, revision {made.revision}: {made.title}{kind}"
        out().print(said, markup=False)


def _uploaded(
    api: Api, route: str, params: dict[str, str], path: Path, *, follow_links: bool = False
) -> ImportDone:
    with opened(path, follow_links=follow_links) as archive, _bar(err()) as bar:
        return _sent(api, route, {"format": format_of(path), **params}, archive, bar)


def _sent(api: Api, route: str, params: dict[str, str], archive: IO[bytes], bar: Progress) -> ImportDone:
    size = archive.seek(0, 2)
    archive.seek(0)
    task = bar.add_task("sending", total=size)
    headers = {
        "content-type": _MEDIA[params["format"]],
        "content-length": str(size),
        "accept": "application/x-ndjson",
    }
    content = _pieces(archive, bar, task)
    try:
        with api.stream("POST", route, headers=headers, content=content, params=params) as answer:
            return _result(answer.iter_lines(), bar, task)
    except httpx.TransportError as error:
        raise unreachable(api.server, error) from error


def _pieces(archive: IO[bytes], bar: Progress, task: TaskID) -> Iterator[bytes]:
    while piece := archive.read(_PIECE):
        yield piece
        bar.advance(task, len(piece))


def _result(lines: Iterator[str], bar: Progress, task: TaskID) -> ImportDone:
    for line in lines:
        event = msgspec.json.decode(line, type=ImportEvent)
        if event.error is not None:
            raise failure_of(event.error)
        if event.done is not None:
            return event.done
        if event.progress is not None:
            step = event.progress
            bar.update(task, description=step.stage, completed=step.done, total=step.total or None)
    raise Failure("the import broke off without a result: try again", Exit.FAILED)


def _bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
