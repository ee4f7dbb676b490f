"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
_told = (
    click.option("--title", default="", help="Call it this, where its format has no title (DMOJ, UOJ)."),
    click.option("--time-ms", type=click.IntRange(1, 3_600_000), help="Its time limit, where it names none."),
    click.option(
        "--memory-mib", type=click.IntRange(1, 1_048_576), help="Its memory limit, where it names none."
    ),
)


def told_options(command: Callable[..., None]) -> Callable[..., None]:
    """What whoever brings a package says where the package does not."""
    for option in reversed(_told):
        command = option(command)
    return command


follow_links_option = click.option(
    "--follow-links",
    is_flag=True,
    help="Take what links in a directory lead to outside of it, and leave out those that lead nowhere.",
)
_read = (
    click.option(
        "--dialect",
        type=click.Choice(["kattis", "domjudge"]),
        default="kattis",
        show_default=True,
        help="How the scores of a legacy package are read.",
    ),
    click.option(
        "--item", default="", metavar="NAME", help="Which problem of an archive that holds several."
    ),
    follow_links_option,
)


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """How a package is read on this machine; `reading_arguments` passes them on."""
    for option in reversed(_read):
        command = option(command)
    return told_options(command)


def reading_arguments(options: Mapping[str, str | int | bool | None]) -> list[str]:
    """For the setter's program, which has the same options."""
    flags = {name: f"--{name.replace('_', '-')}" for name in options}
    return [
        flags[name] if value is True else f"{flags[name]}={value}" for name, value in options.items() if value
    ]


directory_of_backups = click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
key_file_option = click.option(
    "--key-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Encrypt with the key in this file, or read what it encrypted.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def home_of(data: Path) -> Home:
    return Home(data.absolute())
