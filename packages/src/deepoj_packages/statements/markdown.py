"""Markdown with tables and formulas, as HTML that is still to be sanitised."""

from __future__ import annotations

from typing import Final

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from deepoj_packages.statements.formulas import formula
from deepoj_packages.statements.macros import Macros

_MOST_NESTING: Final = 20


def markdown_html(text: str) -> str:
    macros = Macros()

    def mathml(source: str, about: dict[str, object]) -> str:
        return formula(source, macros, block=bool(about["display_mode"]))

    # Raw HTML is taken over: what of it may stay is for the sanitiser to say, as with all the rest.
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _MOST_NESTING})
    parser.enable(["table", "strikethrough"])
    # A dollar beside a digit begins or ends no formula: "from $5 to $10".
    dollarmath_plugin(parser, renderer=mathml, allow_labels=False, allow_digits=False, double_inline=True)
    made: str = parser.render(text)
    return made
