"""Compiled programs that are kept, in memory and on the disk: one suite for both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_judgement.commands.judge.ports import Programs
from deepoj_judgement.commands.judge.program import CompileFailed, Program
from deepoj_judgement.commands.judge.sandbox_port import Blob
from deepoj_judgement.commands.judge.testing import MemoryPrograms
from deepoj_judgement.outbound.cache.programs import DiskPrograms

KEY = hash_of(b"sources and compiler")
MADE = Program({"main": b"\x7fELF", "lib/Inner$1.class": b"x"}, "Main", b"a warning")


@dataclass
class Compiler:
    made: Program | CompileFailed = MADE
    runs: int = 0

    async def __call__(self) -> Program | CompileFailed:
        self.runs += 1
        await asyncio.sleep(0)
        return self.made


@pytest.fixture(params=["memory", "disk"])
def programs(request: pytest.FixtureRequest, tmp_path: Path) -> Programs:
    return MemoryPrograms() if request.param == "memory" else DiskPrograms(tmp_path)


def names_in(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def content(part: Blob | bytes) -> bytes:
    return part if isinstance(part, bytes) else part.path.read_bytes()


async def borrowed(
    programs: Programs, compiler: Compiler, key: ContentHash = KEY
) -> dict[str, bytes] | bytes:
    async with programs.borrow(key, compiler) as program:
        if isinstance(program, CompileFailed):
            return program.log
        assert program.main == MADE.main
        return {name: content(part) for name, part in program.files.items()}


async def test_a_program_is_made_once_and_lent_as_it_was_made(programs: Programs) -> None:
    compiler = Compiler()
    assert await borrowed(programs, compiler) == MADE.files
    assert await borrowed(programs, compiler) == MADE.files
    assert compiler.runs == 1
    await borrowed(programs, compiler, hash_of(b"another compiler"))
    assert compiler.runs == 2


async def test_a_failure_is_told_and_not_kept(programs: Programs) -> None:
    compiler = Compiler(CompileFailed(b"line 1"))
    assert await borrowed(programs, compiler) == b"line 1"
    compiler.made = MADE
    assert await borrowed(programs, compiler) == MADE.files


async def test_many_who_want_it_at_once_wait_for_one_compiler(tmp_path: Path) -> None:
    compiler, programs = Compiler(), DiskPrograms(tmp_path)
    found = await asyncio.gather(*(borrowed(programs, compiler) for _ in range(8)))
    assert found == [MADE.files] * 8
    assert compiler.runs == 1


async def test_a_start_finds_what_was_kept(tmp_path: Path) -> None:
    compiler = Compiler()
    for _ in range(2):
        assert await borrowed(DiskPrograms(tmp_path), compiler) == MADE.files
    assert compiler.runs == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda place: (place / "0").write_bytes(b"other"),
        lambda place: (place / "0").unlink(),
        lambda place: (place / "manifest.json").write_bytes(b"{"),
        lambda place: (place / "manifest.json").unlink(),
    ],
)
async def test_what_a_disk_has_changed_is_made_again(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    compiler = Compiler()
    await borrowed(DiskPrograms(tmp_path), compiler)
    damage(tmp_path / KEY)
    assert await borrowed(DiskPrograms(tmp_path), compiler) == MADE.files
    assert compiler.runs == 2


async def test_the_least_recently_used_goes_first_and_never_what_is_lent(tmp_path: Path) -> None:
    programs = DiskPrograms(tmp_path, most_kept=2)
    keys = [hash_of(b"%d" % number) for number in range(4)]
    async with programs.borrow(keys[0], Compiler()):
        for key in keys[1:]:
            await borrowed(programs, Compiler(), key)
        assert names_in(tmp_path) == {keys[0], keys[2], keys[3]}
