"""An archive is taken whole or refused with one sentence, and then nothing of it is left."""

from __future__ import annotations

import gzip
import io
import os
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from deepoj_packages.options import ReadingLimits, ReadingOptions
from deepoj_packages.read_package import read_directory, read_package
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.testing import MODERN, write_package

SMALL = ReadingOptions(
    limits=ReadingLimits(
        files=40, total_bytes=200_000, file_bytes=100_000, ratio=20, ratio_floor_bytes=50_000, depth=6
    )
)


def zip_of(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in MODERN.items():
            archive.writestr(f"add/{name}", content)
        for entry, data in entries:
            archive.writestr(entry, data)
    return path


def tar_of(path: Path, *entries: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]  # any of the modes for writing
        for name, content in MODERN.items():
            data = content.encode() if isinstance(content, str) else content
            archive.addfile(tar_entry(f"add/{name}", size=len(data)), io.BytesIO(data))
        for entry, data in entries:
            archive.addfile(entry, io.BytesIO(data))
    return path


def tar_entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname, entry.size = kind, link, size
    return entry


def zip_entry(name: str, mode: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.create_system = 3
    entry.external_attr = mode << 16
    return entry


def refused(archive: Path, options: ReadingOptions = SMALL) -> PackageRefusedError:
    into = archive.parent / "unpacked"
    before = sorted(archive.parent.iterdir())
    with pytest.raises(PackageRefusedError) as caught:
        read_package(archive, into, options)
    assert sorted(archive.parent.iterdir()) == before
    assert caught.value.sentence
    assert "\n" not in caught.value.sentence
    return caught.value


@pytest.mark.parametrize("ending", ["zip", "tar", "tar.gz", "tar.bz2"])
def test_a_harmless_archive_is_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"add.{ending}"
    modes = {"tar": "w", "tar.gz": "w:gz", "tar.bz2": "w:bz2"}
    archive = zip_of(path) if ending == "zip" else tar_of(path, mode=modes[ending])
    spec = read_package(archive, tmp_path / "unpacked", SMALL)
    assert (spec.title, spec.short_name, len(spec.cases)) == ("Add", "add", 2)
    assert spec.path(spec.cases[0].input).read_text() == "1 2\n"


def test_a_package_without_a_directory_of_its_own_is_named_by_its_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "flat.zip", "w") as archive:
        for name, content in MODERN.items():
            archive.writestr(name, content)
    assert read_package(tmp_path / "flat.zip", tmp_path / "unpacked").short_name == "flat"


@pytest.mark.parametrize(
    "name",
    [
        "../escape",
        "add/../../escape",
        "/etc/passwd",
        "add\\..\\escape",
        "C:/escape",
        "add/a\x01b",
        "a/b/c/d/e/f/g",
        f"add/{'x' * 300}",
    ],
)
def test_a_name_that_is_not_safe_is_refused(tmp_path: Path, name: str) -> None:
    assert refused(zip_of(tmp_path / "p.zip", (name, b"x"))).reason is Reason.UNSAFE_NAME
    assert refused(tar_of(tmp_path / "p.tar.gz", (tar_entry(name), b""))).reason is Reason.UNSAFE_NAME


def test_a_name_with_a_zero_byte_is_refused(tmp_path: Path) -> None:
    archive = zip_of(tmp_path / "p.zip", ("add/aXb", b"x"))
    archive.write_bytes(archive.read_bytes().replace(b"add/aXb", b"add/a\0b"))
    assert refused(archive).reason is Reason.UNSAFE_NAME


@pytest.mark.parametrize("raw", [b"add/\xff\xfe", b"add/\xe9t\xe9"])
def test_a_name_that_is_not_utf_8_is_refused(tmp_path: Path, raw: bytes) -> None:
    plain = b"add/" + b"q" * (len(raw) - 4)
    zipped = zip_of(tmp_path / "p.zip", (plain.decode(), b"x"))
    zipped.write_bytes(zipped.read_bytes().replace(plain, raw))
    assert refused(zipped).reason is Reason.UNSAFE_NAME
    with tarfile.open(tmp_path / "p.tar", "w", encoding="latin-1", format=tarfile.GNU_FORMAT) as tarred:
        tarred.addfile(tarfile.TarInfo(raw.decode("latin-1")))
    assert refused(tmp_path / "p.tar").reason is Reason.UNSAFE_NAME


def test_a_utf_8_name_is_taken_with_and_without_the_flag(tmp_path: Path) -> None:
    archive = zip_of(tmp_path / "p.zip", ("add/attachments/é.txt", b"x"))
    spec = read_package(archive, tmp_path / "unpacked", SMALL)
    assert [file.name for file in spec.attachments] == ["é.txt"]


@pytest.mark.parametrize("other", ["add/Data/secret/1.in", "add/data/secret/1.IN", "add/data/secret/1.in/x"])
def test_names_that_collide_are_refused(tmp_path: Path, other: str) -> None:
    assert refused(zip_of(tmp_path / "p.zip", (other, b"x"))).reason is Reason.NAME_COLLISION
    assert refused(tar_of(tmp_path / "p.tar.gz", (tar_entry(other), b""))).reason is Reason.NAME_COLLISION


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_appears_twice_is_refused(tmp_path: Path) -> None:
    archive = zip_of(tmp_path / "p.zip", ("add/data/secret/1.in", b"other"))
    assert refused(archive).sentence == "add/data/secret/1.in appears twice"


@pytest.mark.parametrize(
    ("kind", "link"),
    [
        (tarfile.SYMTYPE, "/etc/passwd"),
        (tarfile.SYMTYPE, "../../outside"),
        (tarfile.SYMTYPE, "nowhere"),
        (tarfile.SYMTYPE, "link"),
        (tarfile.LNKTYPE, "/etc/passwd"),
        (tarfile.LNKTYPE, "../outside"),
        (tarfile.FIFOTYPE, ""),
        (tarfile.CHRTYPE, ""),
        (tarfile.BLKTYPE, ""),
        (tarfile.GNUTYPE_SPARSE, ""),
    ],
)
def test_a_tar_entry_that_is_not_plain_is_refused(tmp_path: Path, kind: bytes, link: str) -> None:
    archive = tar_of(tmp_path / "p.tar", (tar_entry("add/link", kind, link), b""), mode="w")
    assert refused(archive).reason in {Reason.UNSAFE_ENTRY, Reason.UNSAFE_NAME}


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    link = tar_entry("add/here", tarfile.SYMTYPE, "data")
    archive = tar_of(tmp_path / "p.tar", (link, b""), (tar_entry("add/here/x"), b""), mode="w")
    assert "through a link" in refused(archive).sentence


def test_links_inside_the_package_are_the_files_they_name(tmp_path: Path) -> None:
    entries = (
        tar_entry("add/data/secret/2.in", tarfile.SYMTYPE, "../sample/1.in"),
        tar_entry("add/data/secret/2.ans", tarfile.LNKTYPE, "add/data/sample/1.ans"),
        tar_entry("add/attachments", tarfile.SYMTYPE, "data/sample"),
    )
    archive = tar_of(tmp_path / "p.tar.gz", *((entry, b"") for entry in entries))
    spec = read_package(archive, tmp_path / "unpacked", SMALL)
    assert spec.path(spec.cases[2].input).read_text() == "1 2\n"
    assert [file.name for file in spec.attachments] == ["1.ans", "1.in"]


@pytest.mark.parametrize("mode", [0o120777, 0o010644, 0o020644, 0o060644, 0o140644])
def test_a_zip_entry_that_is_not_plain_is_refused(tmp_path: Path, mode: int) -> None:
    archive = zip_of(tmp_path / "p.zip", (zip_entry("add/odd", mode), b"/etc/passwd"))
    assert refused(archive).reason is Reason.UNSAFE_ENTRY


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    archive = zip_of(tmp_path / "p.zip", ("add/secret.txt", b"x"))
    content = bytearray(archive.read_bytes())
    at = content.rfind(b"PK\x01\x02")
    struct.pack_into("<H", content, at + 8, 1)
    archive.write_bytes(content)
    assert refused(archive).sentence == "add/secret.txt is encrypted"


def bomb_by_ratio(path: Path) -> Path:
    return zip_of(path, *((f"add/attachments/{n}", b"0" * 45_000) for n in range(2)))


def too_many(path: Path) -> Path:
    return zip_of(path, *((f"add/attachments/{n}", b"") for n in range(40)))


def one_large_file(path: Path) -> Path:
    return zip_of(path, ("add/attachments/big", os.urandom(100_001)))


def large_together(path: Path) -> Path:
    return zip_of(path, *((f"add/attachments/{n}", os.urandom(90_000)) for n in range(3)))


@pytest.mark.parametrize("bomb", [bomb_by_ratio, too_many, one_large_file, large_together])
def test_too_much_is_refused(tmp_path: Path, bomb: Callable[[Path], Path]) -> None:
    assert refused(bomb(tmp_path / "p.zip")).reason is Reason.TOO_LARGE


def test_a_tar_bomb_is_refused(tmp_path: Path) -> None:
    big = tar_entry("add/attachments/zeros", size=90_000)
    archive = tar_of(tmp_path / "p.tar.gz", (big, bytes(90_000)))
    assert "times its size" in refused(archive).sentence


def test_a_tar_header_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    """Python reads it in one piece, or from 3.14 on in pieces of a mebibyte."""
    header = tar_entry("pax", tarfile.XHDTYPE, size=2**31)
    with gzip.open(tmp_path / "p.tar.gz", "wb") as archive:
        archive.write(header.tobuf(tarfile.USTAR_FORMAT))
        archive.write(bytes(4 * 1024 * 1024))
    assert refused(tmp_path / "p.tar.gz").reason is Reason.TOO_LARGE


def test_tar_headers_of_one_entry_are_counted_together(tmp_path: Path) -> None:
    """And those of the next entry anew: many files with small headers are no attack."""
    header = tar_entry("pax", tarfile.XHDTYPE, size=600 * 1024).tobuf(tarfile.USTAR_FORMAT) + bytes(
        600 * 1024
    )
    entry = tar_entry("add/notes.txt").tobuf(tarfile.USTAR_FORMAT)
    (tmp_path / "p.tar").write_bytes((header + entry) * 3 + bytes(1024))
    assert refused(tmp_path / "p.tar").reason is Reason.NAME_COLLISION
    (tmp_path / "q.tar").write_bytes(header * 2 + entry + bytes(1024))
    assert refused(tmp_path / "q.tar").reason is Reason.TOO_LARGE


def test_a_zip_directory_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    archive = zip_of(tmp_path / "p.zip")
    content = bytearray(archive.read_bytes())
    struct.pack_into("<L", content, content.rfind(b"PK\x05\x06") + 12, 2**31)
    archive.write_bytes(content)
    assert refused(archive).reason is Reason.TOO_LARGE


@pytest.mark.parametrize("declared", [5, 5000])
def test_a_zip_that_lies_about_a_size_is_refused(tmp_path: Path, declared: int) -> None:
    archive = zip_of(tmp_path / "p.zip", ("add/attachments/lie", b"0123456789" * 20))
    content = bytearray(archive.read_bytes())
    struct.pack_into("<L", content, content.rfind(b"PK\x01\x02") + 24, declared)
    archive.write_bytes(content)
    assert refused(archive).reason is Reason.BROKEN_ARCHIVE


@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_an_archive_that_was_cut_off_is_refused(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"p.{ending}"
    archive = zip_of(path) if ending == "zip" else tar_of(path)
    archive.write_bytes(archive.read_bytes()[: archive.stat().st_size // 2])
    assert refused(archive).reason is Reason.BROKEN_ARCHIVE


@pytest.mark.parametrize("content", [b"", b"hello", b"\xfd7zXZ\x00" + bytes(100), bytes(2000)])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "p.bin").write_bytes(content)
    assert refused(tmp_path / "p.bin").reason in {Reason.NOT_A_PACKAGE, Reason.BROKEN_ARCHIVE}


def test_an_archive_without_problem_yaml_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    assert refused(tmp_path / "p.zip").reason is Reason.NOT_A_PACKAGE


def test_a_package_that_is_read_and_refused_leaves_nothing(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as archive:
        archive.writestr("problem.yaml", "problem_format_version: 1999-01\n")
    assert refused(tmp_path / "p.zip").reason is Reason.UNSUPPORTED


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageRefusedError) as caught:
        read_package(tmp_path / "nothing.zip", tmp_path / "unpacked")
    assert caught.value.reason is Reason.NOT_FOUND


def test_links_of_a_directory_may_not_leave_it(tmp_path: Path) -> None:
    root = write_package(tmp_path / "add", MODERN)
    (tmp_path / "outside").write_text("x")
    (root / "data/secret/2.in").symlink_to("../sample/1.in")
    (root / "data/secret/2.ans").symlink_to("../sample/1.ans")
    assert len(read_directory(root).cases) == 3
    (root / "attachment").symlink_to("../outside")
    with pytest.raises(PackageRefusedError, match="leaves the package"):
        read_directory(root)


def test_who_asks_for_it_gets_what_links_of_a_directory_lead_to(tmp_path: Path) -> None:
    root = write_package(tmp_path / "collection/add", MODERN)
    write_package(tmp_path / "collection", {"common/2.in": "1 1\n", "common/2.ans": "2\n"})
    (root / "data/secret/more").symlink_to("../../../common")
    (root / "problem.pdf").symlink_to("../../build/problem.pdf")
    follow = ReadingOptions(follow_links=True)
    spec = read_directory(root, follow)
    assert [case.name for case in spec.cases][2:] == ["secret/more/2"]
    assert "problem.pdf is a link that leads nowhere and was left out" in spec.warnings
    (root / "attachments").symlink_to(root.parent.parent)
    with pytest.raises(PackageRefusedError, match="directories deep"):
        read_directory(root, follow)


def test_links_of_a_directory_that_lead_nowhere_are_said(tmp_path: Path) -> None:
    root = write_package(tmp_path / "add", MODERN)
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    with pytest.raises(PackageRefusedError, match=r"(one|two) is a link that leads nowhere: remove it"):
        read_directory(root)


def test_a_directory_may_not_hold_pipes_or_loops(tmp_path: Path) -> None:
    root = write_package(tmp_path / "add", MODERN)
    os.mkfifo(root / "pipe")
    with pytest.raises(PackageRefusedError, match="neither a file nor a directory"):
        read_directory(root)
    (root / "pipe").unlink()
    (root / "loop").symlink_to(".")
    with pytest.raises(PackageRefusedError, match="directories deep"):
        read_directory(root)


def test_a_directory_is_bounded_as_an_archive_is(tmp_path: Path) -> None:
    root = write_package(tmp_path / "add", {**MODERN, "attachments/big": bytes(100_001)})
    with pytest.raises(PackageRefusedError) as caught:
        read_directory(root, SMALL)
    assert caught.value.reason is Reason.TOO_LARGE


def test_a_directory_name_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    root = write_package(tmp_path / "add", MODERN)
    Path(os.fsdecode(os.fsencode(root) + b"/\xff.txt")).write_text("x")
    with pytest.raises(PackageRefusedError, match="not UTF-8"):
        read_directory(root)
