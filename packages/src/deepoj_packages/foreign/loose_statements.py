"""Statements of formats that have none: problem.md, .tex, .pdf or problem.<language>.md at the top."""

import re
from pathlib import PurePosixPath

from deepoj_packages.foreign.draft import Draft
from deepoj_packages.options import Told
from deepoj_packages.spec import StatementFormat
from deepoj_packages.tree import Tree

_NAME = re.compile(r"problem(?:\.([a-z]{2,3}))?\.(md|tex|pdf)")


def title_of(tree: Tree, told: Told) -> str:
    return told.title.strip() or tree.name


def add_loose_statements(tree: Tree, draft: Draft, told: Told) -> None:
    """Say what was not said."""
    if not told.title.strip():
        draft.warn(
            f"this format names no title: the problem is called {draft.title[:80]!r} unless you tell it"
        )
    for file in tree.entries(PurePosixPath()):
        named = _NAME.fullmatch(file.name)
        if named is None or not tree.has(file):
            continue
        language, format_ = named[1] or "en", StatementFormat(named[2])
        if format_ is StatementFormat.PDF:
            draft.keep_print(language, tree.path(file))
        else:
            draft.keep_statement(language, tree.text(file), format_)
    if not draft.statements and not draft.printed:
        draft.warn(
            "there is no problem statement: put problem.md, problem.tex or problem.pdf into the package"
        )
        draft.keep_statement("en", "")


def warn_about_limits(draft: Draft, told: Told) -> None:
    if told.time_ms is None:
        draft.warn("this format names no time limit: tell one, or it is the default of the server")
    if told.memory_mib is None:
        draft.warn("this format names no memory limit: tell one, or it is the default of the server")
