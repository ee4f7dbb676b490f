"""Every command line of the documentation, and of the examples of --help, is one that deepoj understands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from deepoj.cli import cli

ROOT = Path(__file__).parents[4]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`(deepoj [^`\n]+)`")
# What a shell does with a line before and after our part of it.
ENDS = re.compile(r"\s*(?:&&|\|\||[;|<>]|\s#)\s*")
# Of an example its explanation stands two blanks behind.
EXPLAINED = re.compile(r"\s{2,}.*")
CALL = re.compile(r"^(?:[A-Z_]+=\S+ |sudo )*(?:\./|\S*/bin/)?deepoj (.+)$")
# `deepoj admin …` and `deepoj worker drain|resume` talk about commands and are none.
TALK = re.compile(r"[…|\[\]]")


def pages() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "ops").rglob("*.md")])


def typed(text: str) -> Iterator[str]:
    for block in BLOCK.findall(text):
        yield from block.replace("\\\n", " ").splitlines()


def named(text: str) -> Iterator[str]:
    """In a sentence a command may stand without its arguments."""
    yield from (line for line in INLINE.findall(text) if not TALK.search(line))


def calls(lines: Iterator[str]) -> Iterator[list[str]]:
    for line in lines:
        for part in ENDS.split(line):
            if found := CALL.match(part.strip()):
                yield shlex.split(found[1], comments=True)


def problem_of(argv: list[str], *, whole: bool = True) -> str:
    """Say why a command line is none; empty when it is one, or where it need not be whole the head of one."""
    command: click.Command = cli
    context = click.Context(cli, info_name="deepoj")
    rest = list(argv)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        found = command.get_command(context, rest[0])
        if found is None:
            return f"there is no command {rest[0]}"
        command = found
        context = click.Context(found, context, info_name=rest.pop(0), **found.context_settings)
    try:
        given, left, _ = command.make_parser(context).parse_args(rest)
    except click.UsageError as error:
        is_cut = not whole and "requires an argument" in error.format_message()
        return "" if is_cut else error.format_message()
    if {"help", "version"} & given.keys():
        return ""
    has = {name for name, value in given.items() if isinstance(value, str | tuple | list) and value}
    lacking = [each.name for each in command.params if whole and each.required and each.name not in has]
    return f"{left} is too much, {lacking} too little" if left or lacking else ""


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_tells_to_type_is_understood(page: Path) -> None:
    text = page.read_text()
    found = {shlex.join(argv): problem_of(argv) for argv in calls(typed(text))}
    found |= {shlex.join(argv): problem_of(argv, whole=False) for argv in calls(named(text))}
    assert {call: problem for call, problem in found.items() if problem} == {}


def commands(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if found := command.get_command(context, name):
                yield from commands(found, (*path, name))


def examples(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(" ")]


def test_the_examples_of_every_command_are_understood() -> None:
    found = {
        shlex.join(argv): problem_of(argv)
        for _, command in commands(cli)
        for argv in calls(EXPLAINED.sub("", line.strip()) for line in examples(command.help or ""))
    }
    assert len(found) > 50
    assert {call: problem for call, problem in found.items() if problem} == {}


def test_a_command_that_is_none_is_found() -> None:
    assert problem_of(["worker", "join", "https://oj.example", "--token-file", "x"]) == ""
    assert "no command fly" in problem_of(["worker", "fly"])
    assert "No such option" in problem_of(["up", "--wings"])
    assert "name" in problem_of(["worker", "revoke"])
    assert "too much" in problem_of(["worker", "revoke", "one", "two"])
