"""A package is streamed: what lies on the disk never lies in memory."""

from __future__ import annotations

import tracemalloc
import zipfile
from pathlib import Path

import pytest

from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.options import MIB, Progress, ReadingLimits, ReadingOptions
from deepoj_packages.read_package import read_package
from deepoj_packages.testing import MODERN

BIG = 48 * MIB
MOST_MEMORY = 16 * MIB


def pack_big_zip(path: Path) -> None:
    block = bytes(range(256)) * 4096
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, content in MODERN.items():
            archive.writestr(name, content)
        archive.writestr("data/secret/2.ans", "0\n")
        with archive.open("data/secret/2.in", "w") as big:
            for _ in range(BIG // len(block)):
                big.write(block)


def write_big_fps(path: Path) -> None:
    """As all of a contest's tests in one file, in lines that are not short either."""
    with path.open("w") as file:
        file.write("<fps><item><title>Big</title><test_input><![CDATA[")
        for _ in range(BIG // MIB):
            file.write("1234567 " * (MIB // 8 - 1) + "1234567\n")
        file.write("]]></test_input><test_output>1</test_output></item></fps>")


@pytest.mark.timeout(300)
def test_a_large_file_of_fps_is_read_in_little_memory(tmp_path: Path) -> None:
    write_big_fps(tmp_path / "big.xml")
    tracemalloc.start()
    try:
        spec = read_package(tmp_path / "big.xml", tmp_path / "unpacked", ReadingOptions())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert spec.path(spec.cases[0].input).stat().st_size == BIG
    assert peak < MOST_MEMORY


@pytest.mark.timeout(300)
def test_a_large_package_is_read_and_written_in_little_memory(tmp_path: Path) -> None:
    pack_big_zip(tmp_path / "big.zip")
    seen: list[Progress] = []
    tracemalloc.start()
    try:
        options = ReadingOptions(limits=ReadingLimits(), progress=seen.append)
        spec = read_package(tmp_path / "big.zip", tmp_path / "unpacked", options)
        export_directory(spec, tmp_path / "again")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert spec.path(spec.cases[2].input).stat().st_size == BIG
    assert peak < MOST_MEMORY
    done = [each.done for each in seen]
    assert done == sorted(done)
    assert done[-1] >= BIG
