"""The sources of the site and what was built of them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).parents[2]


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    initial: list[str]
    editor: str
    sources: dict[str, str]
    built: dict[str, str]


@pytest.fixture(scope="session")
def web() -> Path:
    return ROOT / "web"


@pytest.fixture(scope="session")
def site() -> Path:
    return ROOT / "apps/bff/src/deepoj_bff/inbound/http/site"


@pytest.fixture(scope="session")
def manifest(site: Path) -> Manifest:
    return msgspec.json.decode((site / "manifest.json").read_bytes(), type=Manifest)
