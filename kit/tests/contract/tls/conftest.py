"""Two authorities: ours, and one that nobody here should trust."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.tests.certificates import Authority


@pytest.fixture
def ours(private_home: Path) -> Authority:
    return Authority(private_home, "ours")


@pytest.fixture
def foreign(private_home: Path) -> Authority:
    return Authority(private_home, "foreign")
