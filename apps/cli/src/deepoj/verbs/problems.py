"""`deepoj problems`."""

from __future__ import annotations

from collections.abc import Iterator

import click
import msgspec
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from deepoj.client.api import Api
from deepoj.client.wire import ProblemDetail, ProblemPage, ProblemSummary
from deepoj.console import out, print_json
from deepoj.errors import Exit
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj.verbs.remote import connected, server_option


@click.command(
    name="problems",
    help=help_text(
        "List the problems you may see, or with --show read one.",
        examples=("deepoj problems", "deepoj problems sum --level easy", "deepoj problems --show two-sum"),
        exits={Exit.OK: "shown", Exit.REFUSED: "there is no such problem"},
    ),
)
@click.argument("search", required=False)
@click.option("--tag", "tags", multiple=True, help="Only with this tag. May be repeated.")
@click.option("--level", type=click.Choice(["easy", "medium", "hard"]), help="Only of this level.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1), help="How many at most.")
@click.option("--show", "shown", metavar="PROBLEM", help="Read this one, by slug or id.")
@server_option
@json_option
def command(
    *,
    search: str | None,
    tags: tuple[str, ...],
    level: str | None,
    limit: int,
    shown: str | None,
    server: str | None,
    as_json: bool,
) -> None:
    with connected(server) as api:
        if shown is not None:
            _read(api.get(f"/api/problems/{shown}", ProblemDetail), as_json=as_json)
            return
        found = list(_found(api, {"search": search, "tag": list(tags), "level": level}, limit))
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        out().print(_table(found) if found else "no problem fits")


def _found(api: Api, wanted: dict[str, str | list[str] | None], limit: int) -> Iterator[ProblemSummary]:
    cursor: str | None = None
    while limit > 0:
        size = str(min(limit, 100))
        page = api.get("/api/problems", ProblemPage, {**wanted, "size": size, "cursor": cursor})
        yield from page.items[:limit]
        limit -= len(page.items)
        cursor = page.page.next_cursor
        if cursor is None:
            return


def _table(problems: list[ProblemSummary]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("problem", "title", "level", "tags"):
        table.add_column(heading)
    for each in problems:
        title = Text(each.title, "default" if each.enabled else "dim")
        name, level, tags = map(escape, (each.slug or each.id, each.level or "", ", ".join(each.tags)))
        table.add_row(name, title, level, tags)
    return table


def _read(problem: ProblemDetail, *, as_json: bool) -> None:
    if as_json:
        print_json(msgspec.to_builtins(problem))
        return
    console = out()
    console.print(Text(problem.title, "bold"))
    for statement in problem.statements[:1]:
        text = statement.markdown
        console.print(Markdown(text, hyperlinks=False) if console.is_terminal else Text(text))
    for number, sample in enumerate(problem.samples, start=1):
        console.print(Text(f"\nsample {number}: input", "bold"))
        console.print(Text(sample.input.rstrip("\n")))
        console.print(Text(f"sample {number}: output", "bold"))
        console.print(Text(sample.output.rstrip("\n")))
