"""Statements by language, as they were found, and the pictures beside them."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import Statement, StatementFormat

_NAME = re.compile(r"problem(?:\.([A-Za-z]{2,3}(?:-[A-Za-z]{2})?))?\.(md|tex|pdf|html|txt)")
_PROBLEM_NAME = re.compile(r"\\problemname\{([^{}]*)\}")
_PLAIN_NAME = re.compile(r"^%% plainproblemname:\s*(.+)$", re.MULTILINE)
_PREFERENCE = tuple(StatementFormat)
# By language, and whether it is printed: a PDF may stand beside a text.
_Found = dict[tuple[str, bool], Statement]


@dataclass(frozen=True, slots=True)
class Statements:
    statements: tuple[Statement, ...]
    images: tuple[PurePosixPath, ...]


def read_statements(reading: Reading, directory: PurePosixPath) -> Statements:
    found: _Found = {}
    others = []
    for file in reading.tree.use_below(directory):
        named = _NAME.fullmatch(file.name) if file.parent == directory else None
        if named is None:
            others.append(file)
            continue
        statement = Statement(named[1] or "en", StatementFormat(named[2]), file)
        _keep_preferred(reading, found, statement)
    _add_loose_ones(reading, found)
    if not found:
        reading.warn(f"there is no problem statement in {directory}")
    for statement in found.values():
        _warn_about(reading, statement)
    images = tuple(file for file in others if not file.name.startswith("."))
    return Statements(tuple(found[key] for key in sorted(found)), images)


def _keep_preferred(reading: Reading, found: _Found, statement: Statement) -> None:
    key = (statement.language, statement.format is StatementFormat.PDF)
    known = found.setdefault(key, statement)
    if known is statement:
        return
    best, other = sorted((known, statement), key=lambda each: _PREFERENCE.index(each.format))
    found[key] = best
    reading.warn(f"{other.file} is not shown, because {best.file} is in the same language")


def _add_loose_ones(reading: Reading, found: _Found) -> None:
    """DOMjudge takes problem.pdf, .html or .txt from the top of the package."""
    for format_ in (StatementFormat.PDF, StatementFormat.HTML, StatementFormat.TEXT):
        file = PurePosixPath(f"problem.{format_}")
        if reading.tree.has(file):
            reading.tree.use(file)
            _keep_preferred(reading, found, Statement("en", format_, file))


def _warn_about(reading: Reading, statement: Statement) -> None:
    match statement.format:
        case StatementFormat.HTML | StatementFormat.TEXT:
            reading.warn(f"{statement.file} is shown as its source: write it in Markdown to have it rendered")
        case StatementFormat.MARKDOWN | StatementFormat.TEX | StatementFormat.PDF:
            return


def name_in_statement(reading: Reading, statement: Statement) -> str:
    """The title a TeX statement gives itself."""
    if statement.format is not StatementFormat.TEX:
        return ""
    text = reading.tree.text(statement.file)
    found = _PLAIN_NAME.search(text) or _PROBLEM_NAME.search(text)
    return found[1].strip() if found else ""
