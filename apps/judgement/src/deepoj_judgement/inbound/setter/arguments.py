"""What the one-shot roles are told on their command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec

from deepoj_packages.options import Dialect

JUDGE, VERIFY, LANGUAGES = "judge-package", "verify-package", "languages"
ROLES = (JUDGE, VERIFY, LANGUAGES)


class Arguments(msgspec.Struct, frozen=True):
    role: str
    package: Path | None = None
    solutions: tuple[Path, ...] = ()
    dialect: Dialect = Dialect.KATTIS
    item: str = ""
    """Which problem of an archive that holds several."""
    language: str = ""
    all_cases: bool = False


def parse(argv: Sequence[str]) -> Arguments:
    parser = argparse.ArgumentParser(
        prog="python -m deepoj_judgement",
        description="Judge on this machine without services; one line of JSON an event on standard output.",
    )
    roles = parser.add_subparsers(dest="role", required=True, metavar="ROLE")
    roles.add_parser(LANGUAGES, help="list the languages and which of them this machine has")
    for role in (JUDGE, VERIFY):
        one = roles.add_parser(role)
        one.add_argument("package", type=Path)
        one.add_argument("--dialect", type=Dialect, choices=list(Dialect), default=Dialect.KATTIS)
        one.add_argument("--item", default="")
        if role == JUDGE:
            one.add_argument("solutions", type=Path, nargs="+")
            one.add_argument("--language", default="")
            one.add_argument("--all-cases", action="store_true")
    return msgspec.convert(vars(parser.parse_args(argv)), Arguments)
