"""Mistakes in test data that the format allows."""

from __future__ import annotations

import pytest

from deepoj_packages.data_checks import data_warnings
from deepoj_packages.testing import PackageReader


def test_clean_data_has_no_warnings(modern: PackageReader) -> None:
    assert list(data_warnings(modern())) == []


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "empty files"),
        (b"1 2\r\n", "files with CRLF line ends"),
        (b"1 2\r\n3 4\n", "files that mix LF and CRLF line ends"),
        (b"1 2", "files that do not end with a line end"),
        (b"\xef\xbb\xbf1 2\n", "files with a byte order mark"),
        (b"x" * (1024 * 1024 - 1) + b"\r\n", "files with CRLF line ends"),
    ],
)
def test_a_mistake_is_named_with_its_file(modern: PackageReader, content: bytes, kind: str) -> None:
    spec = modern({"data/secret/1.in": content})
    assert list(data_warnings(spec)) == [f"{kind}: data/secret/1.in"]


def test_many_files_are_counted(modern: PackageReader) -> None:
    files = {f"data/secret/{n}.{ending}": "" for n in range(2, 5) for ending in ("in", "ans")}
    (warning,) = data_warnings(modern(files))
    assert warning.endswith("and 3 more")
