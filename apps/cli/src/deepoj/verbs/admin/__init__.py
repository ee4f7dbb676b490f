"""`deepoj admin`: what the staff does on the site, at a command line; a file for each noun."""

from __future__ import annotations

import importlib
from typing import Final

import click

from deepoj.errors import MEANING
from deepoj.verbs.help import help_text

SECTIONS: Final = {
    "People": {
        "accounts": "List, make and change accounts.",
        "invitations": "Codes by which people get in.",
        "sessions": "Your own sessions.",
        "audit": "Show the security events of all accounts.",
    },
    "Judging": {
        "rejudges": "Judge again, look at what it would change, apply or discard it.",
        "dead-letters": "Submissions that could not be judged.",
        "queue": "Show how many submissions wait, and for how long.",
        "attempts": "Show which judge worker had which submission, and when.",
        "workers": "Show the judge workers and what they run.",
        "limits": "Show what is taken at once, and from whom.",
        "health": "Show whether every service is able to serve.",
    },
    "Contests": {
        "contests": "Plan contests, rule on them and finish them.",
        "participants": "Who takes part in a contest.",
        "clarifications": "Questions, answers and announcements of a contest.",
    },
    "Problems": {"problems": "Publish, verify, export and change problems."},
}


class Nouns(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [name for section in SECTIONS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{__name__}.{cmd_name.replace('-', '_')}")
        command = module.command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        for title, nouns in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(nouns.items()))


@click.group(
    name="admin",
    cls=Nouns,
    help=help_text(
        "Do at a command line what staff does on the site. Accounts are named by name or id, problems by "
        "slug or id, the rest by id. What cannot be undone asks first; --yes answers for a script.",
        examples=(
            "deepoj admin accounts list --role admin",
            "deepoj admin accounts import teams.csv --sheet passwords.csv",
            "deepoj admin rejudges start --problem two-sum --reason 'wrong test' --watch",
            "deepoj admin contests blockers 019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11",
        ),
        exits=MEANING,
    ),
)
def command() -> None:
    pass
