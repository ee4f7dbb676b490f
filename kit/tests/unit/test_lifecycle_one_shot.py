"""A command beside the roles of a service that does one thing and ends."""

from __future__ import annotations

import argparse

import pytest

from deepoj_kit.lifecycle import EXIT_BAD_SETTINGS, EXIT_FAILURE, OneShot, main
from deepoj_kit.settings import ProcessSettings
from deepoj_kit.unavailable import Unavailable


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPOJ_LISTEN", "unix:/nobody")
    monkeypatch.setenv("DEEPOJ_SERVICE_TOKEN", "throw-away")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--code", type=int, default=0)


async def leave(settings: ProcessSettings, arguments: argparse.Namespace) -> int:
    if settings.env == "away":
        raise Unavailable("connection refused")
    return int(arguments.code)


def run(*argv: str) -> int:
    task = OneShot("leave with a code", add_arguments, leave)
    return main("example", ProcessSettings, {}, argv, tasks={"leave": task})


@pytest.mark.parametrize("code", [0, 3])
def test_what_it_returns_is_the_exit_code(code: int) -> None:
    assert run("leave", "--code", str(code)) == code


def test_bad_settings_and_a_store_that_is_away_are_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEEPOJ_ENV", "away")
    assert run("leave") == EXIT_FAILURE
    assert capsys.readouterr().err == "example: a server does not answer: connection refused\n"
    monkeypatch.setenv("DEEPOJ_LOG_LEVEL", "loud")
    assert run("leave") == EXIT_BAD_SETTINGS
    assert capsys.readouterr().err.startswith("example: cannot start: DEEPOJ_LOG_LEVEL is 'loud'")


def test_help_lists_it_beside_the_roles(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("--help")
    assert "leave with a code" in capsys.readouterr().out
