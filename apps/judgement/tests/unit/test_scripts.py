"""What a build script left is an archive that anybody may have written."""

from __future__ import annotations

import tarfile
from io import BytesIO

import pytest

from deepoj_judgement.commands.judge.program import CompileFailed, Program
from deepoj_judgement.commands.judge.steps.scripts import unpack
from deepoj_languages.scripts import ARCHIVE


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    found = tarfile.TarInfo(name)
    found.type, found.linkname, found.size = kind, link, size
    return found


def packed(*members: tarfile.TarInfo) -> bytes:
    file = BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for each in members:
            # The size that it says need not be the size that it has.
            if each.size < 1000:
                archive.addfile(each, BytesIO(b"x" * each.size))
            else:
                file.write(each.tobuf(tarfile.GNU_FORMAT))
    return file.getvalue()


def unpacked(archive: bytes) -> Program | CompileFailed:
    return unpack(Program({ARCHIVE: archive}, "build", b"said\n"))


def test_plain_files_become_the_program() -> None:
    pipe = member("./pipe", tarfile.FIFOTYPE)
    link = member("./out", tarfile.SYMTYPE, "/etc/passwd")
    program = unpacked(packed(member("."), member("./run", size=3), member("./lib/one"), pipe, link))
    assert isinstance(program, CompileFailed), "the name of nothing"
    program = unpacked(packed(member("./run", size=3), member("./lib/one"), pipe, link))
    assert program == Program({"run": b"xxx", "lib/one": b""}, "run", b"said\n")


@pytest.mark.parametrize(
    ("archive", "said"),
    [
        (packed(member("run"), member("../escaped")), "not allowed here"),
        (packed(member("run"), member("/etc/passwd")), "not allowed here"),
        (packed(member("run"), member("a/../../b")), "not allowed here"),
        (packed(member("run"), member("a\nb")), "not allowed here"),
        (packed(member("run", size=1 << 40)), "has holes"),
        (packed(member("run", size=100))[:530], "unexpected end of data"),
        (packed(member("runs")), "made no file run"),
        (b"no archive at all" * 100, "cannot be kept"),
        (b"", "cannot be kept"),
    ],
)
def test_what_cannot_be_kept_is_a_failure_to_compile(archive: bytes, said: str) -> None:
    failed = unpacked(archive)
    assert isinstance(failed, CompileFailed)
    assert failed.log.startswith(b"said\n")
    assert said in failed.log.decode()
