"""HTML that escapes by itself: whatever is not `Markup` is text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final, TypeAlias

Child: TypeAlias = "str | int | Iterable[Child] | None"
_VOID: Final = frozenset({"input", "link", "meta"})


class Markup(str):
    """Text that is HTML. Made by `element`, and of what question has sanitised; of nothing else."""

    __slots__ = ()


def element(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Markup:
    """Return an element; `class_` names the attribute class, `aria_label` aria-label. None leaves one out."""
    present = {name: value for name, value in attributes.items() if value is not None and value is not False}
    given = "".join(f' {_spelled(name)}="{_value(value)}"' for name, value in present.items())
    if name in _VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(children)}</{name}>")


def joined(children: Child) -> Markup:
    if children is None:
        return Markup("")
    if isinstance(children, Markup):
        return children
    if isinstance(children, str):
        return Markup(escape(children))
    if isinstance(children, int):
        return Markup(str(children))
    return Markup("".join(joined(each) for each in children))


def _spelled(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _value(given: str | int) -> str:
    return "" if given is True else escape(str(given))
