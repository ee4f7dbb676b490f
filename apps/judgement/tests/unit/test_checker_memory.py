"""A checker needs no more memory for a large text than for a small one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MEASURE = Path(__file__).with_name("measure_checker.py")
MOST_KIB = 64 * 1024


@pytest.mark.parametrize(
    ("kind", "megabytes"),
    [
        ("tokens", 80),
        ("icpc_spaces", 80),
        ("exact", 30),
        ("lines", 30),
        ("lines_unicode", 10),
        ("tokens_folded", 30),
        ("floats", 5),
        ("icpc", 30),
    ],
)
def test_large_texts_are_compared_in_bounded_memory(kind: str, megabytes: int) -> None:
    """The size does not matter; 1 GB against 1 GB gives the same number, in its own time."""
    argv = [sys.executable, str(MEASURE), kind, str(megabytes)]
    word, peak = subprocess.run(argv, check=True, capture_output=True, text=True).stdout.split()
    assert word == "wrong", "the difference is at the very end"
    assert int(peak) <= MOST_KIB
