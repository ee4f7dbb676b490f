"""Validators are strangers' programs too: what they try fails, and the next file is looked at."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.limits import Limits
from deepoj_judgement.commands.judge.program import CompileFailed
from deepoj_judgement.commands.setter.run_validator import RunValidator, Subject
from deepoj_judgement.outbound.packages.files import LocalFiles
from deepoj_packages.spec import InputArgs, Program
from deepoj_packages.testing import HOSTILE_VALIDATORS

from .conftest import Bench

LIMITS = Limits(cpu_ms=3000, memory_kib=256 * 1024, output_kib=1024)
SLEEPY = Limits(cpu_ms=100, memory_kib=256 * 1024, output_kib=1024)
ONE_IS_RIGHT = "import sys\nsys.exit(42 if given < '2' else 43)\n"


async def refused(
    bench: Bench, tmp_path: Path, source: str, limits: Limits, *inputs: bytes
) -> dict[str, str]:
    package, work = tmp_path / "package", tmp_path / "work"
    package.mkdir()
    work.mkdir()
    (package / "evil.py").write_text(source)
    file = PurePosixPath("evil.py")
    run = RunValidator(bench.sandbox, bench.programs, LocalFiles(package, work), limits)
    subjects = [Subject(f"{number}", content, InputArgs()) for number, content in enumerate(inputs, start=1)]
    toolchain = bench.toolchains.find(language_slug("python3"))
    program = Program(name="evil", at=file, language="python3", main=file, files=(file,))
    told: list[str] = []
    said = await run(program, toolchain, subjects, told.append)
    assert not isinstance(said, CompileFailed)
    assert told == [subject.name for subject in subjects]
    return said


@pytest.mark.parametrize("evil", HOSTILE_VALIDATORS)
async def test_what_a_validator_tries_fails_and_the_next_file_is_looked_at(
    bench: Bench, tmp_path: Path, evil: str
) -> None:
    source = f"given = input()\nif given == '0':\n    exec({HOSTILE_VALIDATORS[evil]!r})\n{ONE_IS_RIGHT}"
    said = await refused(bench, tmp_path, source, LIMITS, b"0\n", b"1\n", b"2\n")
    assert set(said) == {"1", "3"}
    assert "stopped" in said["1"], "not done, and not broken by a mistake of this test"


async def test_a_validator_that_sleeps_is_not_asked_about_every_file(bench: Bench, tmp_path: Path) -> None:
    source = "import signal\nsignal.pause()\n"
    said = await refused(bench, tmp_path, source, SLEEPY, *[b"1\n"] * 5)
    assert said == dict.fromkeys("123", "it was stopped (TLE)") | dict.fromkeys(
        "45", "it was stopped (TLE) for 3 others, and not asked"
    )
