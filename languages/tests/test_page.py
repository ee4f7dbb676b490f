"""docs/languages.md says what the table says."""

from __future__ import annotations

from pathlib import Path

from deepoj_languages.language import Language
from deepoj_languages.table import language_table

PAGE = Path(__file__).parents[2] / "docs" / "languages.md"
HEADINGS = """| language | slug | files | time | Debian packages |
|---|---|---|---|---|
"""


def line(row: Language) -> str:
    files = " ".join(f"`{suffix}`" for suffix in row.suffixes)
    return f"| {row.name} | `{row.slug}` | {files} | {row.time_percent} % | `{row.package}` |\n"


def commands(row: Language) -> str:
    steps = "".join(f"{' '.join(argv)}\n" for argv in (*row.compile, row.run))
    return f"{row.slug}:\n{steps}\n"


def test_the_page_has_every_language_with_its_factor_and_packages() -> None:
    assert HEADINGS + "".join(map(line, language_table())) in PAGE.read_text()


def test_the_page_has_the_commands_that_compile_and_run() -> None:
    assert "".join(map(commands, language_table())) in PAGE.read_text()
