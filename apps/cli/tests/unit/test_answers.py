"""A zip of answers becomes the text that is submitted, or is refused in a sentence."""

from __future__ import annotations

import stat
import warnings
import zipfile
from pathlib import Path

import pytest

from deepoj.client.answers import answers_of
from deepoj.errors import Failure


def packed(at: Path, *files: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    path = at / "answers.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        for name, content in files:
            archive.writestr(name, content)
    return path


def link(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def test_each_file_is_the_answer_to_the_case_of_its_name(tmp_path: Path) -> None:
    path = packed(tmp_path, ("secret/", b""), ("secret/1.out", b"3\n"), ("secret/2.ans", b"4"), ("3", b""))
    assert answers_of(path) == "=== secret/1\n3\n=== secret/2\n4\n=== 3\n"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((), "1 to 10000 files"),
        ((("1.out", b"0" * (1024 * 1024 + 1)),), "more than"),
        ((("../1.out", b"3"),), "plain file"),
        ((("/etc/1.out", b"3"),), "plain file"),
        ((("..\\1.out", b"3"),), "plain file"),
        ((("a\nb.out", b"3"),), "plain file"),
        (((link("1.out"), b"/etc/passwd"),), "plain file"),
        ((("1.out", b"3"), ("1.out", b"4")), "two answers"),
        ((("1.out", b"3"), ("1.ans", b"4")), "two answers"),
        ((("1.out", b"\xff"),), "UTF-8"),
        ((("1.out", b"3\n=== 2\n4\n"),), "begins an answer"),
    ],
)
def test_what_is_no_plain_file_for_each_case_is_refused(
    tmp_path: Path, files: tuple[tuple[str | zipfile.ZipInfo, bytes], ...], said: str
) -> None:
    with pytest.raises(Failure, match=said):
        answers_of(packed(tmp_path, *files))


def test_a_size_that_is_a_lie_is_refused_without_being_unpacked(tmp_path: Path) -> None:
    path = packed(tmp_path, ("1.out", b"0" * 4_000_000))
    raw = path.read_bytes()
    path.write_bytes(raw.replace((4_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(Failure, match="cannot be read"):
        answers_of(path)


def test_what_is_no_zip_is_refused(tmp_path: Path) -> None:
    (tmp_path / "answers.zip").write_bytes(b"PK\x03\x04 and nothing else")
    with pytest.raises(Failure, match="cannot be read"):
        answers_of(tmp_path / "answers.zip")
