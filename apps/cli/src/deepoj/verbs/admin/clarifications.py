"""`deepoj admin clarifications`."""

from __future__ import annotations

import click

from deepoj.client.contest_wire import Clarification
from deepoj.client.pages import Page, listed
from deepoj.verbs.admin.desk import Desk, limit_option, noun, subcommand
from deepoj.verbs.admin.names import problem_id

_ID = "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"
command = noun(
    "clarifications",
    "Questions, answers and announcements of a contest.",
    f"deepoj admin clarifications list {_ID}",
    f"deepoj admin clarifications announce {_ID} 'Lunch is ready.'",
)
_contest = click.argument("contest", type=click.UUID)


@subcommand(command, "list", "List questions and announcements.", f"deepoj admin clarifications list {_ID}")
@_contest
@click.option("--open", "only_open", is_flag=True, help="Only questions without an answer.")
@limit_option
def list_clarifications(desk: Desk, *, contest: object, only_open: bool, limit: int) -> None:
    path = f"/api/contests/{contest}/clarifications"
    found = listed(desk.api, path, Page[Clarification], limit=None if only_open else limit)
    if only_open:
        found = [each for each in found if each.asked_by and each.answer is None][:limit]
    desk.show(found, "asked_at", "text", "answer", "public", "id", none="there are none")


@subcommand(
    command,
    "answer",
    "Answer QUESTION: to who asked, or with --public to everybody. Another answer replaces it.",
    f"deepoj admin clarifications answer {_ID} 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a12 'No.' --public",
)
@_contest
@click.argument("question", type=click.UUID)
@click.argument("text")
@click.option("--public", is_flag=True, help="Everybody sees question and answer.")
def answer(desk: Desk, *, contest: object, question: object, text: str, public: bool) -> None:
    path = f"/api/contests/{contest}/clarifications/{question}/answer"
    made = desk.api.change("PUT", path, Clarification, {"answer": text, "public": public})
    desk.done("everybody sees the answer" if public else "who asked sees the answer", made)


@subcommand(
    command,
    "announce",
    "Tell TEXT to everybody in a contest.",
    f"deepoj admin clarifications announce {_ID} 'Problem B: n is at most 1000.' --problem two-sum",
)
@_contest
@click.argument("text")
@click.option("--problem", help="What it is about, by slug or id.")
def announce(desk: Desk, *, contest: object, text: str, problem: str | None) -> None:
    about = problem_id(desk.api, problem) if problem else None
    body = {"text": text, "problem_id": about}
    made = desk.api.post(f"/api/contests/{contest}/broadcasts", Clarification, body)
    desk.done("everybody is told", made)
