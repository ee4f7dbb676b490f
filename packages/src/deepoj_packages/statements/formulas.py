"""A formula as MathML, or as its source where that cannot be made."""

from __future__ import annotations

import re
from html import escape
from typing import Final
from xml.etree import ElementTree as ET

from latex2mathml.converter import convert

from deepoj_packages.statements.macros import MacroError, Macros

SOURCE_BEGIN: Final = '<code class="formula">'
"""Before a formula that stays its source; the class does not reach a reader."""
_MOST_DEPTH: Final = 50
# Environments of other names that look the same.
_ALIGNED: Final = re.compile(r"\\(begin|end)\{(?:aligned|align|split|gathered|gather\*?)\}")
_ARG: Final = re.compile(r"\\arg(?![A-Za-z])")


def formula(source: str, macros: Macros, *, block: bool) -> str:
    try:
        expanded = macros.expand(source).strip()
        return _mathml(expanded, block=block) if expanded else ""
    except Exception:  # noqa: BLE001 — the converter fails in many ways, and a reader can do with the source
        return f"{SOURCE_BEGIN}{escape(source.strip(), quote=False)}</code>"


def _mathml(source: str, *, block: bool) -> str:
    if _depth(source) > _MOST_DEPTH:
        raise MacroError("the formula is nested too deeply")
    known = _ARG.sub(r"\\operatorname{arg}", _ALIGNED.sub(r"\\\1{align*}", source))
    made = convert(known, display="block" if block else "inline")
    if any("\\" in (node.text or "") for node in ET.fromstring(made).iter()):  # noqa: S314 — no document type in it
        raise MacroError("the converter does not know a command of it")
    return made


def _depth(source: str) -> int:
    depth = most = 0
    for character in source:
        depth += (character == "{") - (character == "}")
        most = max(most, depth)
    return most + source.count("\\left") + source.count("\\begin")
