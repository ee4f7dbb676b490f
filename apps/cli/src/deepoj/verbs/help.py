"""The help of a command in one shape: what it does, examples, what its exit codes mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deepoj.errors import Exit

# Click re-wraps a paragraph unless it starts with this character.
_AS_WRITTEN = "\b\n"


def help_text(does: str, examples: Sequence[str], exits: Mapping[Exit, str]) -> str:
    paragraphs = (
        does,
        as_written("Examples:", examples),
        as_written("Exit codes:", [f"{int(code):<3} {meaning}" for code, meaning in exits.items()]),
    )
    return "\n\n".join(paragraphs)


def as_written(title: str, lines: Sequence[str]) -> str:
    return _AS_WRITTEN + "\n".join((title, *(f"  {line}" for line in lines)))
