"""Results go to stdout, complaints to stderr, colours only to a terminal and never against NO_COLOR.

Much of what is shown was written by people and programs nobody trusts: compile logs, names, titles. None of
it speaks to the terminal, and none of it is taken for the name of a picture.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Final

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

WIDTH_OF_A_PIPE = 200
_UNKNOWN: Final = "\N{REPLACEMENT CHARACTER}"
_LINE_END_AND_TAB: Final = "\n\t"
# The controls of ASCII have pictures; those of Latin-1, and what turns the direction of a line, have none.
_PICTURES: Final = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in _LINE_END_AND_TAB}
_HARMLESS: Final = (
    _PICTURES
    | {0x7F: "\N{SYMBOL FOR DELETE}"}
    | dict.fromkeys((*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), _UNKNOWN)
)
# JSON escapes the controls of ASCII by itself.
_NOT_IN_JSON: Final = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """Return the text with a sign in place of each character that would do something to a terminal."""
    return text.translate(_HARMLESS)


class QuietConsole(Console):
    """A console on which only our own styles and movements reach the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(harmless(segment.text), segment.style)


def out() -> Console:
    # A pipe has no width of its own; 80 columns would fold what a program or a log should keep on one line.
    width = None if sys.stdout.isatty() else WIDTH_OF_A_PIPE
    return QuietConsole(highlight=False, emoji=False, width=width)


def err() -> Console:
    return QuietConsole(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def print_json(value: object) -> None:
    sys.stdout.write(_json(value, indent=2) + "\n")


def print_json_line(value: object) -> None:
    """One of several values; whoever reads them gets each at once."""
    sys.stdout.write(_json(value) + "\n")
    sys.stdout.flush()


def _json(value: object, indent: int | None = None) -> str:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return _NOT_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def ask_secret(what: str) -> str:
    """Ask on the terminal without showing the answer, or read a line when there is none."""
    if sys.stdin.isatty():
        return str(click.prompt(what, hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")
