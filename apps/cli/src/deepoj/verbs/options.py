"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

from deepoj.home import Home, default_data

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, readable=False),
    default=default_data,
    show_default="DEEPOJ_DATA, else .deepoj in the checkout, else ~/.local/share/deepoj",
    help="The data directory.",
)
dialect_option = click.option(
    "--dialect",
    type=click.Choice(["kattis", "domjudge"]),
    default="kattis",
    show_default=True,
    help="How the scores of a legacy package are read.",
)
item_option = click.option(
    "--item", default="", metavar="NAME", help="Which problem of an archive that holds several."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def home_of(data: Path) -> Home:
    return Home(data.absolute())
