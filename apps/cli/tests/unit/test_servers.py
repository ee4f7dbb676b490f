"""A server that is missing or out of reach is refused before anything is started."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from deepoj.credentials import Credentials
from deepoj.errors import Exit, Failure
from deepoj.home import Home
from deepoj.stack.servers import S3_SETTINGS, prepare_servers

CREDENTIALS = Credentials("p", "r", "a", "s", "t", roles={})


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("POSTGRES_URL", "REDIS_URL", *(each.upper() for each in S3_SETTINGS), "S3_BUCKET", "CONFIG"):
        monkeypatch.delenv(f"DEEPOJ_{name}", raising=False)


def _refusal(directory: Path) -> Failure:
    with pytest.raises(Failure) as refused:
        asyncio.run(prepare_servers(Home(directory), directory, CREDENTIALS, ephemeral=True))
    return refused.value


@pytest.mark.parametrize("setting", ["DEEPOJ_POSTGRES_BIN", "DEEPOJ_REDIS_BIN", "DEEPOJ_S3_BIN"])
def test_a_missing_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.setenv(setting, "/nowhere")
    refusal = _refusal(tmp_path)
    assert refusal.code is Exit.UNUSABLE
    assert f"{setting} is /nowhere" in str(refusal)


@pytest.mark.parametrize(
    ("setting", "url"),
    [
        ("DEEPOJ_POSTGRES_URL", "postgresql://judge:hidden@127.0.0.1:1/deepoj"),
        ("DEEPOJ_REDIS_URL", "redis://:hidden@127.0.0.1:1/0"),
        ("DEEPOJ_S3_ENDPOINT", "http://127.0.0.1:1"),
        ("DEEPOJ_REDIS_URL", "nonsense"),
    ],
)
def test_a_server_out_of_reach_is_named_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, url: str
) -> None:
    monkeypatch.setenv("DEEPOJ_S3_ACCESS_KEY", "key")
    monkeypatch.setenv("DEEPOJ_S3_SECRET_KEY", "hidden")
    monkeypatch.setenv(setting, url)
    refusal = _refusal(tmp_path)
    assert refusal.code is Exit.UNREACHABLE
    assert f"of {setting} (" in str(refusal)
    assert "cannot be reached" in str(refusal)
    assert "hidden" not in str(refusal)


def test_an_s3_endpoint_needs_its_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPOJ_S3_ENDPOINT", "http://127.0.0.1:1")
    assert _refusal(tmp_path).code is Exit.USAGE


def test_a_url_in_the_settings_file_replaces_a_server_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "deepoj.toml"
    file.write_text('redis_url = "redis://127.0.0.1:1/0"\n')
    monkeypatch.setenv("DEEPOJ_CONFIG", str(file))
    assert _refusal(tmp_path).code is Exit.UNREACHABLE
