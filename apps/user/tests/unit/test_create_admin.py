"""The operator's command: what it reads, prints and refuses."""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import pytest

from apps.user.tests.fakes import MemoryStore, an_account
from deepoj_domain.testing import ALICE
from deepoj_user.container import Container
from deepoj_user.inbound.first_admin import NAME, add_arguments, create_admin, make_first_admin


def arguments(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(given)


async def run(container: Container, *given: str) -> int:
    return await create_admin(container.create_admin(), arguments(*given))


async def test_a_generated_password_is_printed_once_and_works(
    container: Container, store: MemoryStore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await run(container, "--name", "chief", "--email", "chief@example.org", "--generate") == 0
    account = await store.by_login("chief")
    assert account is not None
    assert account.personal is not None
    assert account.personal.password == f"1:{capsys.readouterr().out.strip()}"


async def test_no_admin_and_no_way_to_make_one_is_an_error_in_the_log(
    container: Container, store: MemoryStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    create, file = container.create_admin(), tmp_path / "admin.json"
    await make_first_admin(create, file)
    assert caplog.records == []
    store.rows.accounts = {ALICE: an_account(ALICE, NAME)}
    await make_first_admin(create, file)
    (said,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert "name_taken" in said
    assert "create-admin" in said
    assert not file.exists()


@pytest.mark.parametrize(
    ("name", "password", "complaint"),
    [
        ("Alice", "a long secret", "no admin was made: name_taken\n"),
        ("chief", "short", "no admin was made: a password has 8 to 256 characters\n"),
        ("chief", "", "no admin was made: a password has 8 to 256 characters\n"),
    ],
)
async def test_a_refusal_is_a_sentence_and_makes_nobody(
    container: Container,
    store: MemoryStore,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    password: str,
    complaint: str,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
    assert await run(container, "--name", name, "--email", "chief@example.org") == 1
    assert capsys.readouterr() == ("", complaint)
    assert len(store.rows.accounts) == 3
