"""`deepoj admin problems`: files that go to the server and come from it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import click
import httpx
import msgspec
from rich.progress import DownloadColumn, Progress, TextColumn

from deepoj.client.api import Api, Params
from deepoj.client.problem_wire import StoredObject
from deepoj.client.refusals import unreachable
from deepoj.console import err
from deepoj.errors import Exit, Failure
from deepoj.verbs.admin.desk import Desk, single
from deepoj.verbs.admin.names import problem_id

_PIECE: Final = 256 * 1024
_revision = click.option("--revision", type=click.IntRange(1), help="An earlier one.")


@single(
    "export",
    "Write PROBLEM as a package to FILE, a .zip or .tar that must not exist. It is judged as the problem is: "
    "what the format cannot say is refused.",
    "deepoj admin problems export two-sum two-sum.zip",
    "deepoj admin problems export two-sum two-sum.tar --format legacy --revision 3",
)
@click.argument("problem")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["2025-09", "legacy", "polygon"]),
    default="2025-09",
    show_default=True,
)
@_revision
def export(desk: Desk, *, problem: str, file: Path, form: str, revision: int | None) -> None:
    archive = file.suffix.removeprefix(".")
    if archive not in {"zip", "tar"}:
        raise Failure(f"{file} ends neither in .zip nor in .tar", Exit.USAGE)
    path = f"/api/problems/{problem_id(desk.api, problem)}/export"
    params = {"format": form, "archive": archive, "revision": str(revision) if revision else None}
    size = _kept(desk.api, path, params, file)
    desk.done(f"written: {file} ({size} bytes)")


def _kept(api: Api, path: str, params: Params, file: Path) -> int:
    """Write what comes whole or not at all."""
    draft = file.with_name(f".{file.name}.part")
    if file.exists():
        raise Failure(f"{file} exists: name another", Exit.USAGE)
    try:
        with draft.open("xb") as opened:
            size = _received(api, path, params, opened)
        draft.rename(file)
    finally:
        draft.unlink(missing_ok=True)
    return size


def _received(api: Api, path: str, params: Params, file: IO[bytes]) -> int:
    console = err()
    columns = (TextColumn("receiving"), DownloadColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task, size = progress.add_task("", total=None), 0
        try:
            with api.stream("GET", path, headers={}, params=params) as answer:
                for piece in answer.iter_bytes(_PIECE):
                    size += file.write(piece)
                    progress.update(task, completed=size)
        except httpx.TransportError as error:
            raise unreachable(api.server, error) from error
    return size


@single(
    "case",
    "Write the input or the answer of a case of PROBLEM to standard output. Cases are numbered from 1, as "
    "deepoj admin problems judging shows them.",
    "deepoj admin problems case two-sum 3 input > 3.in",
)
@click.argument("problem")
@click.argument("number", type=click.IntRange(1))
@click.argument("which", type=click.Choice(["input", "answer"]))
@_revision
def case(desk: Desk, *, problem: str, number: int, which: str, revision: int | None) -> None:
    path = f"/api/problems/{problem_id(desk.api, problem)}/cases/{number}/{which}"
    params = {"revision": str(revision)} if revision else {}
    _received(desk.api, path, params, sys.stdout.buffer)


@single(
    "store",
    "Store FILE, or standard input for -, so that a draft may name it; shows its name. What no problem names "
    "is deleted after some days.",
    "deepoj admin problems store 1.in",
)
@click.argument("file", type=click.File("rb"))
def store(desk: Desk, file: IO[bytes]) -> None:
    def pieces() -> Iterator[bytes]:
        while piece := file.read(_PIECE):
            yield piece

    headers = {"content-type": "application/octet-stream"}
    try:
        with desk.api.stream("POST", "/api/problems/objects", headers=headers, content=pieces()) as answer:
            stored = msgspec.json.decode(answer.read(), type=StoredObject)
    except httpx.TransportError as error:
        raise unreachable(desk.api.server, error) from error
    desk.done(f"{stored.object.sha256} {stored.object.size}", stored)


COMMANDS: Final = (export, case, store)
