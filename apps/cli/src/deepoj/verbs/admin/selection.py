"""Which submissions: the options that select what is judged again."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import click

from deepoj.client.api import Api
from deepoj.verbs.admin.moments import MOMENT
from deepoj.verbs.admin.names import account_id, problem_id


@dataclass(frozen=True, slots=True)
class Selection:
    problem: str | None
    contest: UUID | None
    account: str | None
    language: str | None
    verdicts: tuple[str, ...]
    revisions: tuple[int, ...]
    submitted_from: datetime | None
    submitted_before: datetime | None

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, name) for name in self.__slots__)

    def filter(self, api: Api) -> dict[str, object]:
        """Return it as the server wants it: by ids."""
        return {
            "problem_id": problem_id(api, self.problem) if self.problem else None,
            "contest_id": self.contest,
            "user_id": account_id(api, self.account) if self.account else None,
            "language": self.language,
            "verdicts": self.verdicts,
            "problem_revisions": self.revisions,
            "submitted_from": self.submitted_from,
            "submitted_before": self.submitted_before,
        }


_OPTIONS = (
    click.option("--problem", help="To this problem, by slug or id."),
    click.option("--contest", type=click.UUID, help="To this contest."),
    click.option("--account", help="Of this account, by name or id."),
    click.option("--language", help="In this language, such as cpp20."),
    click.option(
        "--verdict", "verdicts", multiple=True, help="With this verdict, such as WA. May be repeated."
    ),
    click.option(
        "--revision",
        "revisions",
        multiple=True,
        type=click.IntRange(1),
        help="Judged by it. May be repeated.",
    ),
    click.option("--from", "submitted_from", type=MOMENT, help="Submitted then or later."),
    click.option("--before", "submitted_before", type=MOMENT, help="Submitted before then."),
)


def selection_options(work: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options, and them to it as a `selection`."""

    @functools.wraps(work)
    def run(*args: object, **options: object) -> None:
        chosen = {name: options.pop(name) for name in Selection.__slots__}
        work(*args, selection=Selection(**chosen), **options)  # type: ignore[arg-type]  # click has checked them

    for option in reversed(_OPTIONS):
        run = option(run)
    return run
