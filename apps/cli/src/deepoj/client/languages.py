"""Which language a file is written in, by its name and what the server can judge."""

from __future__ import annotations

from collections.abc import Sequence

from deepoj.client.wire import Language
from deepoj.errors import Exit, Failure
from deepoj_languages.table import slugs_of_file


def guess(file: str, languages: Sequence[Language], allowed: Sequence[str]) -> str:
    """`allowed` by the problem; empty allows all."""
    known = _known(languages, allowed)
    for slug in slugs_of_file(file):
        if slug in known:
            return slug
    raise Failure(
        f"no language can be guessed from the name {file}: choose one with --language; the problem takes "
        f"{', '.join(sorted(known)) or 'none that can be judged now'}",
        Exit.USAGE,
    )


def any_language(languages: Sequence[Language], allowed: Sequence[str]) -> str:
    """For answers, which are not run: they are sent in a language all the same."""
    known = _known(languages, allowed)
    if not known:
        raise Failure("the problem takes no language that can be judged now", Exit.REFUSED)
    return known[0]


def _known(languages: Sequence[Language], allowed: Sequence[str]) -> list[str]:
    return [each.slug for each in languages if each.available and (not allowed or each.slug in allowed)]
