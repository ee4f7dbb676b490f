"""What people write in each language when they learn it, judged as they expect, in the real sandbox.

The programs lie in `tests/data/idioms`, a directory a language: each adds the numbers it is given.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deepoj_domain.kernel.verdict import Verdict
from deepoj_judgement.commands.judge.errors import LanguageNotInstalledError
from deepoj_languages.language import Language
from deepoj_languages.table import language_table

if TYPE_CHECKING:
    from .conftest import Bench, Sources

PROGRAMS = Path(__file__).parents[1] / "data" / "idioms"
SAME_PROGRAMS = {"cpp17": "cpp", "cpp20": "cpp", "pypy3": "python3"}
# Some idioms have no meaning in some languages; these are everywhere.
COMMON = {"fast_input", "device", "recursion", "arrays", "files", "exit", "exit_code"}
GIVEN, ANSWER = "20 22\n", "42"
LONG = GIVEN + "0 0\n" * 50_000
TABLE = {str(language.slug): language for language in language_table()}


def programs(language: str) -> dict[str, str]:
    directory = PROGRAMS / SAME_PROGRAMS.get(language, language)
    return {path.stem: path.read_text() for path in sorted(directory.iterdir())}


def dressed(language: Language, source: str) -> dict[str, Sources]:
    """Return one program as editors and file managers of all sorts leave it."""
    suffix = language.suffixes[0]
    return {
        "byte order mark, CRLF": ("\N{BYTE ORDER MARK}" + source).replace("\n", "\r\n"),
        "no last line end": source.rstrip("\n"),
        **{f"named {name}": {name + suffix: source} for name in ("-v", "größe (it's 1 & 2)")},
    }


async def verdict(bench: Bench, language: str, source: Sources, given: str = GIVEN) -> Verdict:
    try:
        judged = await bench.judge(source, [(given, ANSWER)], language=language)
    except LanguageNotInstalledError as error:
        pytest.skip(str(error))
    return judged.result.verdict


@pytest.mark.parametrize("language", TABLE)
def test_every_language_has_the_common_idioms(language: str) -> None:
    assert programs(language).keys() >= COMMON


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("language", TABLE)
async def test_what_beginners_write_is_judged_as_they_expect(bench: Bench, language: str) -> None:
    found = {
        name: await verdict(bench, language, source, LONG if name == "fast_input" else GIVEN)
        for name, source in programs(language).items()
    }
    expected = dict.fromkeys(found, Verdict.ACCEPTED) | {"exit_code": Verdict.RUNTIME_ERROR}
    assert found == expected


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("language", TABLE)
async def test_how_a_source_is_named_and_saved_does_not_matter(bench: Bench, language: str) -> None:
    # The one that most compilers are quickest with.
    variants = dressed(TABLE[language], programs(language)["exit"])
    found = {name: await verdict(bench, language, source) for name, source in variants.items()}
    assert found == dict.fromkeys(found, Verdict.ACCEPTED)
