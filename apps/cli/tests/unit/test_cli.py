"""The shape of the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from deepoj.cli import SECTIONS, cli
from deepoj.verbs import admin

VERBS = [name for section in SECTIONS.values() for name in section]


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_has_an_example_and_explains_its_exit_codes(verb: str) -> None:
    shown = CliRunner().invoke(cli, [verb, "--help"])
    assert shown.exit_code == 0
    assert f"  deepoj {verb}" in shown.stdout
    assert "Exit codes:" in shown.stdout


def commands_below(group: click.Group, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        yield (*path, name)
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands_below(command, (*path, name))


def test_everything_under_admin_has_an_example_and_explains_its_exit_codes() -> None:
    found = list(commands_below(admin.command, ("admin",)))
    assert len(found) > 70
    for path in found:
        shown = CliRunner().invoke(cli, [*path, "--help"])
        assert shown.exit_code == 0
        assert f"  deepoj {' '.join(path)}" in shown.stdout
        assert "Exit codes:" in shown.stdout


def test_the_help_is_organised_and_the_version_is_there() -> None:
    shown = CliRunner().invoke(cli, ["--help"]).stdout
    assert [shown.index(f"\n{title}:") for title in SECTIONS] == sorted(
        shown.index(f"\n{title}:") for title in SECTIONS
    )
    assert CliRunner().invoke(cli, ["--version"]).stdout.startswith("deepoj 0.")


def test_a_bug_is_one_sentence_unless_it_is_being_debugged(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setattr("deepoj.verbs.status.home_of", lambda _: broken())
    monkeypatch.delenv("DEEPOJ_DEBUG", raising=False)
    shown = CliRunner().invoke(cli, ["status"])
    assert shown.exit_code == 70
    assert shown.stderr.startswith("error: deepoj itself failed with ZeroDivisionError: nobody thought")
    monkeypatch.setenv("DEEPOJ_DEBUG", "1")
    assert isinstance(CliRunner().invoke(cli, ["status"]).exception, ZeroDivisionError)


def test_what_is_broken_off_says_so_and_is_no_failure_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("deepoj.verbs.status.home_of", lambda _: interrupted())
    shown = CliRunner().invoke(cli, ["status"])
    assert (shown.exit_code, shown.stderr) == (130, "error: Ctrl-C broke it off\n")


def test_who_breaks_off_while_the_command_line_loads_sees_no_trace_of_python() -> None:
    script = """
import builtins, deepoj.__main__ as command

def load(*_: object) -> None:
    raise KeyboardInterrupt

builtins.__import__ = load
command.main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"")
