"""`deepoj migrate`."""

from __future__ import annotations

import os
import sys

import click

import deepoj_migrations
from deepoj.console import out, print_json
from deepoj.errors import Exit, Failure
from deepoj.stack.database import upgrade
from deepoj.stack.servers import given_tls
from deepoj.verbs.help import help_text
from deepoj.verbs.options import json_option
from deepoj_kit.embedded.process import ServerError
from deepoj_kit.embedded.reach import reach_postgres
from deepoj_kit.tls.postgres import with_tls


@click.command(
    name="migrate",
    help=help_text(
        "Bring the schemas of the database DEEPOJ_POSTGRES_URL up to date.\n\n"
        "deepoj up does this for its embedded server by itself.",
        examples=(
            "DEEPOJ_POSTGRES_URL=postgresql://owner@db/deepoj deepoj migrate",
            "deepoj migrate --check",
        ),
        exits={
            Exit.OK: "up to date",
            Exit.FAILED: "a migration failed or, with --check, a schema is behind",
            Exit.USAGE: "DEEPOJ_POSTGRES_URL is not set",
            Exit.UNREACHABLE: "the server cannot be reached",
        },
    ),
)
@click.option("--check", is_flag=True, help="Change nothing; say which schemas are behind.")
@json_option
def command(*, check: bool, as_json: bool) -> None:
    url = os.environ.get("DEEPOJ_POSTGRES_URL")
    if not url:
        raise Failure(
            "DEEPOJ_POSTGRES_URL is not set, so there is no database to migrate: set it to the URL of a role "
            "that may create schemas",
            Exit.USAGE,
        )
    url = with_tls(url, given_tls())
    try:
        reach_postgres(url)
    except ServerError as error:
        raise Failure(str(error), Exit.UNREACHABLE) from error
    behind = [name for name in deepoj_migrations.SERVICES if not deepoj_migrations.is_current(url, name)]
    if not check:
        with out().status("migrating"):
            upgrade(url)
    _report(behind, check=check, as_json=as_json)
    sys.exit(Exit.FAILED if check and behind else Exit.OK)


def _report(behind: list[str], *, check: bool, as_json: bool) -> None:
    if as_json:
        print_json({"behind" if check else "migrated": behind})
    elif not behind:
        out().print("Every schema is up to date.")
    else:
        out().print(f"{'Behind' if check else 'Migrated'}: {', '.join(behind)}")
