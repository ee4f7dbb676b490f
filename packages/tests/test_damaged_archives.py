"""Whatever happened to an archive on its way, the answer is a problem or a refusal, never an accident."""

from __future__ import annotations

import io
import tarfile
import tempfile
import zipfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from deepoj_packages.options import ReadingLimits, ReadingOptions
from deepoj_packages.read_package import read_package
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.testing import MODERN

SMALL = ReadingOptions(limits=ReadingLimits(files=100, total_bytes=1_000_000, file_bytes=100_000))


def zipped() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in MODERN.items():
            archive.writestr(name, content)
    return target.getvalue()


def tarred() -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, content in MODERN.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(str(content).encode()))
    return target.getvalue()


ARCHIVES = (zipped(), tarred())


@given(
    archive=st.sampled_from(ARCHIVES),
    changes=st.lists(st.tuples(st.integers(0, 2**31), st.integers(0, 255)), min_size=1, max_size=8),
    keep=st.floats(0.5, 1),
)
@settings(max_examples=100, deadline=None)
def test_a_damaged_archive_is_read_or_refused(
    archive: bytes, changes: list[tuple[int, int]], keep: float
) -> None:
    content = bytearray(archive[: int(len(archive) * keep)])
    for at, value in changes:
        content[at % len(content)] = value
    with tempfile.TemporaryDirectory() as directory:
        path, into = Path(directory) / "p.bin", Path(directory) / "unpacked"
        path.write_bytes(content)
        try:
            read_package(path, into, SMALL)
        except PackageRefusedError:
            assert not into.exists()
