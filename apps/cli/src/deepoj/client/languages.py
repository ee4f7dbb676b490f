"""Which language a file is written in, by its name and what the server can judge."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from deepoj.client.wire import Language
from deepoj.errors import Exit, Failure

# Preferred first.
_BY_SUFFIX: Final = {
    ".c": ("c11",),
    ".cc": ("cpp20", "cpp17"),
    ".cpp": ("cpp20", "cpp17"),
    ".cxx": ("cpp20", "cpp17"),
    ".c++": ("cpp20", "cpp17"),
    ".go": ("go",),
    ".java": ("java17",),
    ".js": ("node",),
    ".mjs": ("node",),
    ".py": ("python3", "pypy3"),
    ".rs": ("rust",),
}


def guess(file: str, languages: Sequence[Language], allowed: Sequence[str]) -> str:
    """`allowed` by the problem; empty allows all."""
    known = [each.slug for each in languages if each.available and (not allowed or each.slug in allowed)]
    for slug in _BY_SUFFIX.get(PurePath(file).suffix.lower(), ()):
        if slug in known:
            return slug
    raise Failure(
        f"no language can be guessed from the name {file}: choose one with --language; the problem takes "
        f"{', '.join(sorted(known)) or 'none that can be judged now'}",
        Exit.USAGE,
    )
