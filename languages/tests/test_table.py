"""The one table of languages."""

import pytest

from deepoj_languages.table import language_table, slugs_of_file, slugs_of_package, source_name_of_package


def test_every_language_has_a_slug_of_its_own() -> None:
    slugs = [row.slug for row in language_table()]
    assert len(set(slugs)) == len(slugs)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.cpp", ("cpp20", "cpp17")),
        ("a.C", ("cpp20", "cpp17")),
        ("a.c", ("c11",)),
        ("A.PY", ("python3", "pypy3")),
        ("a.mjs", ("node",)),
        ("a.b.rs", ("rust",)),
        ("Makefile", ()),
        ("a.unknown", ()),
    ],
)
def test_a_file_tells_its_languages_by_its_ending_the_preferred_one_first(
    name: str, expected: tuple[str, ...]
) -> None:
    assert slugs_of_file(name) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("c", ("c11",)),
        ("cpp", ("cpp20", "cpp17")),
        ("java", ("java17",)),
        ("javascript", ("node",)),
        ("python3", ("python3", "pypy3")),
        ("haskell", ("haskell",)),
        ("cobol", ()),
    ],
)
def test_a_code_of_a_package_tells_its_languages(code: str, expected: tuple[str, ...]) -> None:
    assert slugs_of_package(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [("cpp", "main.cpp"), ("javascript", "main.js"), ("haskell", "Main.hs"), ("java", None), ("cobol", None)],
)
def test_a_main_file_gets_the_name_its_language_looks_for(code: str, expected: str | None) -> None:
    assert source_name_of_package(code) == expected
