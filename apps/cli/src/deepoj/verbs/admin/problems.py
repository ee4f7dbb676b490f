"""`deepoj admin problems`; packages are uploaded by `deepoj import`."""

from __future__ import annotations

from typing import IO, Any

import click
import msgspec

from deepoj.client.pages import Page
from deepoj.client.problem_wire import Revision
from deepoj.client.wire import Nothing, ProblemSummary
from deepoj.console import print_json
from deepoj.verbs.admin import problem_files, problem_verify
from deepoj.verbs.admin.desk import Desk, confirm, noun, subcommand, yes_option
from deepoj.verbs.admin.documents import document
from deepoj.verbs.admin.names import problem_id, problem_of

_PATH = "/api/problems"

command = noun(
    "problems",
    "Publish, verify, export and change problems. PROBLEM is a slug or an id. A package becomes a problem by "
    "deepoj import.",
    "deepoj admin problems verify two-sum",
    "deepoj admin problems publish two-sum",
)
for each in (*problem_files.COMMANDS, *problem_verify.COMMANDS):
    command.add_command(each)
problem_argument = click.argument("problem")


def _publish(name: str, does: str, *, enabled: bool) -> None:
    @subcommand(command, name, does, f"deepoj admin problems {name} two-sum")
    @problem_argument
    def set_enabled(desk: Desk, problem: str) -> None:
        path = f"{_PATH}/{problem_id(desk.api, problem)}/published"
        made = desk.api.change("PUT", path, ProblemSummary, {"enabled": enabled})
        desk.done(f"{made.title} is {'published' if made.enabled else 'hidden'}", made)


_publish("publish", "Show PROBLEM to everybody.", enabled=True)
_publish("hide", "Show PROBLEM to its setters only, and to contests that have it.", enabled=False)


@subcommand(
    command,
    "create",
    "Write a problem from the JSON in FILE, or standard input for - (ProblemDraft of the API). It is hidden "
    "until it is published. Its files are stored first: deepoj admin problems store.",
    "deepoj admin problems create problem.json",
)
@click.argument("file", type=click.File())
def create(desk: Desk, file: IO[str]) -> None:
    made = desk.api.post(_PATH, ProblemSummary, document(file))
    desk.done(f"made {made.slug or made.id}, revision {made.revision}: {made.title}", made)


@subcommand(
    command,
    "edit",
    "Make a new revision of PROBLEM from the JSON in FILE, or standard input for - (ProblemDraft).",
    "deepoj admin problems edit two-sum problem.json",
)
@problem_argument
@click.argument("file", type=click.File())
def edit(desk: Desk, problem: str, file: IO[str]) -> None:
    draft, known = document(file), problem_of(desk.api, problem)
    body = {"version": known.version, "draft": draft}
    made = desk.api.change("PUT", f"{_PATH}/{known.id}", ProblemSummary, body)
    desk.done(f"changed {made.slug or made.id}, revision {made.revision}: {made.title}", made)


@subcommand(
    command,
    "list-as",
    "Change slug, level or tags of PROBLEM; what is not named stays. No new revision is made.",
    "deepoj admin problems list-as two-sum --level easy --tag arrays --tag hashing",
)
@problem_argument
@click.option("--slug")
@click.option("--level", type=click.Choice(["easy", "medium", "hard", "none"]))
@click.option("--tag", "tags", multiple=True, help="Instead of those it has. May be repeated.")
def relist(desk: Desk, *, problem: str, slug: str | None, level: str | None, tags: tuple[str, ...]) -> None:
    known = problem_of(desk.api, problem)
    body: dict[str, Any] = {"version": known.version}
    body |= {"slug": slug} if slug else {}
    body |= {"level": None if level == "none" else level} if level else {}
    body |= {"tags": tags} if tags else {}
    made = desk.api.change("PATCH", f"{_PATH}/{known.id}", ProblemSummary, body)
    desk.done(f"{made.slug}: {made.level or 'no level'}; {', '.join(made.tags)}", made)


@subcommand(command, "delete", "Delete PROBLEM.", "deepoj admin problems delete two-sum")
@problem_argument
@yes_option
def delete(desk: Desk, *, problem: str, yes: bool) -> None:
    known = problem_of(desk.api, problem)
    confirm(f"{known.title} ({known.slug}) is deleted.", yes=yes)
    desk.api.change("DELETE", f"{_PATH}/{known.id}", Nothing, params={"version": str(known.version)})
    desk.done(f"{known.slug} is deleted")


@subcommand(
    command,
    "revisions",
    "List the revisions of PROBLEM, and how many submissions were judged by tests that have changed since.",
    "deepoj admin problems revisions two-sum",
)
@problem_argument
def revisions(desk: Desk, problem: str) -> None:
    path = f"{_PATH}/{problem_id(desk.api, problem)}/revisions"
    found = desk.api.get(path, Page[Revision]).items
    columns = ("number", "made_at", "changes", "outdated_submissions", "judge_hash")
    desk.show(found, *columns, none="there are none")


@subcommand(
    command,
    "judging",
    "Show as JSON how PROBLEM is judged: cases, groups, checker, limits.",
    "deepoj admin problems judging two-sum --revision 2",
)
@problem_argument
@click.option("--revision", type=click.IntRange(1), help="An earlier one.")
def judging(desk: Desk, problem: str, revision: int | None) -> None:
    path = f"{_PATH}/{problem_id(desk.api, problem)}/judging"
    params = {"revision": str(revision)} if revision else None
    print_json(msgspec.to_builtins(desk.api.get(path, dict[str, Any], params)))
