"""What the one-shot roles are told on their command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import msgspec

from deepoj_judgement.commands.setter.verify_options import Part, VerifyOptions
from deepoj_packages.options import Dialect, ExportFormat, ReadingOptions, Told

JUDGE, VERIFY, MAKE, LANGUAGES = "judge-package", "verify-package", "make-tests", "languages"
EXPORT = "export-package"
ROLES = (JUDGE, VERIFY, MAKE, EXPORT, LANGUAGES)


class Arguments(msgspec.Struct, frozen=True):
    role: str
    package: Path | None = None
    solutions: tuple[Path, ...] = ()
    dialect: Dialect = Dialect.KATTIS
    item: str = ""
    """Which problem of an archive that holds several."""
    title: str = ""
    time_ms: int | None = None
    memory_mib: int | None = None
    follow_links: bool = False
    language: str = ""
    all_cases: bool = False
    archive: Path | None = None
    """Where the package with all its tests goes."""
    parts: tuple[Part, ...] = ()
    submissions: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    time_limit: Decimal | None = None
    """In seconds."""
    threads: int = 0
    mutants: int = 0
    target: Path | None = None
    """Where a package is written to."""
    form: ExportFormat = ExportFormat.V2025_09

    @property
    def reading_options(self) -> ReadingOptions:
        return ReadingOptions(
            dialect=self.dialect,
            item=self.item,
            told=Told(title=self.title, time_ms=self.time_ms, memory_mib=self.memory_mib),
            follow_links=self.follow_links,
        )

    @property
    def verify_options(self) -> VerifyOptions:
        return VerifyOptions(
            parts=frozenset(self.parts or Part),
            submissions=self.submissions,
            cases=self.cases,
            time_limit_ms=None if self.time_limit is None else int(self.time_limit * 1000),
            mutants=self.mutants,
        )


def parse(argv: Sequence[str]) -> Arguments:
    parser = argparse.ArgumentParser(
        prog="python -m deepoj_judgement",
        description="Judge on this machine without services; one line of JSON an event on standard output.",
    )
    roles = parser.add_subparsers(dest="role", required=True, metavar="ROLE")
    roles.add_parser(LANGUAGES, help="list the languages and which of them this machine has")
    for role in (JUDGE, VERIFY, MAKE, EXPORT):
        one = roles.add_parser(role)
        one.add_argument("package", type=Path)
        one.add_argument("--dialect", type=Dialect, choices=list(Dialect), default=Dialect.KATTIS)
        one.add_argument("--item", default="")
        one.add_argument("--title", default="")
        one.add_argument("--time-ms", type=int)
        one.add_argument("--memory-mib", type=int)
        one.add_argument("--follow-links", action="store_true")
        if role == JUDGE:
            one.add_argument("solutions", type=Path, nargs="+")
            one.add_argument("--language", default="")
            one.add_argument("--all-cases", action="store_true")
        elif role == MAKE:
            one.add_argument("archive", type=Path)
        elif role == EXPORT:
            one.add_argument("target", type=Path)
            one.add_argument("--format", dest="form", type=ExportFormat, default=ExportFormat.V2025_09)
        else:
            one.add_argument("--part", dest="parts", action="append", choices=list(Part), default=[])
            one.add_argument("--submission", dest="submissions", action="append", default=[])
            one.add_argument("--case", dest="cases", action="append", default=[])
            one.add_argument("--time-limit", type=Decimal)
            one.add_argument("--threads", type=int, default=0)
            one.add_argument("--mutants", type=int, default=0)
    return msgspec.convert(vars(parser.parse_args(argv)), Arguments)
