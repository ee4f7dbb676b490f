"""A plain package of each version, to be varied."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepoj_packages.testing import LEGACY, MODERN, PackageReader


@pytest.fixture
def legacy(tmp_path: Path) -> PackageReader:
    return PackageReader(tmp_path / "add", LEGACY)


@pytest.fixture
def modern(tmp_path: Path) -> PackageReader:
    return PackageReader(tmp_path / "add", MODERN)
