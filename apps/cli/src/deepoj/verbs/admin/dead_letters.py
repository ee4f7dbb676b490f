"""`deepoj admin dead-letters`."""

from __future__ import annotations

from uuid import UUID

import click

from deepoj.client.api import Api
from deepoj.client.judging_wire import DeadLetter, DeadLetterGroup, DeadLetterGroups, Replayed, ReplayedMany
from deepoj.client.pages import Page, listed
from deepoj.errors import Exit, Failure
from deepoj.verbs.admin.desk import Desk, limit_option, noun, subcommand

_PATH = "/api/admin/dead-letters"
# What the server replays in one call.
_AT_ONCE = 500

command = noun(
    "dead-letters",
    "Submissions that could not be judged: what they died of, and once more.",
    "deepoj admin dead-letters groups",
    "deepoj admin dead-letters replay --all",
)
_group_option = click.option("--group", help="Those that died of the same; deepoj admin dead-letters groups.")


@subcommand(
    command,
    "list",
    "List dead letters, the latest first.",
    "deepoj admin dead-letters list",
    "deepoj admin dead-letters list --group 0123456789abcdef0123456789abcdef",
)
@_group_option
@limit_option
def list_dead_letters(desk: Desk, group: str | None, limit: int) -> None:
    found = listed(desk.api, _PATH, Page[DeadLetter], {"group": group}, limit=limit)
    columns = (
        "submission_id",
        "reason",
        "last_error",
        "attempts",
        "problem_slug",
        "died_at",
        "replayed_status",
    )
    desk.show(found, *columns, none="there are none")


@subcommand(
    command, "groups", "Show what they died of, and how many of it.", "deepoj admin dead-letters groups"
)
def groups(desk: Desk) -> None:
    found = desk.api.get(f"{_PATH}/groups", DeadLetterGroups).items
    columns = ("submissions", "reason", "last_error", "languages", "last_died_at", "group")
    desk.show(found, *columns, none="there are none")


@subcommand(
    command,
    "replay",
    "Judge once more: the named submissions, a group, or all. Sent again, it replays what is still dead.",
    "deepoj admin dead-letters replay 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
    "deepoj admin dead-letters replay --group 0123456789abcdef0123456789abcdef",
    "deepoj admin dead-letters replay --all",
)
@click.argument("submissions", nargs=-1, type=click.UUID)
@_group_option
@click.option("--all", "everything", is_flag=True, help="Whatever they died of.")
def replay(desk: Desk, *, submissions: tuple[UUID, ...], group: str | None, everything: bool) -> None:
    if sum((bool(submissions), group is not None, everything)) != 1:
        raise Failure("name submissions, or a --group, or --all", Exit.USAGE)
    if len(submissions) == 1:
        made = desk.api.change("POST", f"{_PATH}/{submissions[0]}/replay", Replayed)
        desk.done(f"replayed as {made.new_submission_id}", made)
        return
    if submissions:
        answers = [
            _many(desk.api, {"ids": submissions[start : start + _AT_ONCE]})
            for start in range(0, len(submissions), _AT_ONCE)
        ]
    else:
        known = desk.api.get(f"{_PATH}/groups", DeadLetterGroups).items
        chosen = [each for each in known if everything or each.group == group]
        answers = [answer for each in chosen for answer in _group(desk, each)]
    whole = ReplayedMany(
        replayed=sum(each.replayed for each in answers), refused=sum(each.refused for each in answers)
    )
    desk.done(f"replayed {whole.replayed}, refused {whole.refused} (not dead, or replayed before)", whole)


def _group(desk: Desk, group: DeadLetterGroup) -> list[ReplayedMany]:
    """Replay as many as it has, the oldest first: one that dies again meanwhile is left for the next time."""
    answers = []
    for start in range(0, group.submissions, _AT_ONCE):
        if start:
            desk.note(f"replayed {start} of {group.submissions}: {group.reason}")
        answers.append(_many(desk.api, {"group": group.group}))
    return answers


def _many(api: Api, body: object) -> ReplayedMany:
    return api.post(f"{_PATH}/replay", ReplayedMany, body, repeatable=True)
