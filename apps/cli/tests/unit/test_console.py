"""What is shown keeps our colours and nobody else's."""

from __future__ import annotations

import io

import pytest

from deepoj.console import QuietConsole, harmless, print_json
from deepoj.verbs import logs


def test_only_our_own_styles_reach_a_terminal() -> None:
    written = io.StringIO()
    console = QuietConsole(file=written, force_terminal=True, color_system="standard", emoji=False)
    console.print("[red]ours[/]", "\x1b[32mtheirs :x:", highlight=False)
    assert written.getvalue() == "\x1b[31mours\x1b[0m ␛[32mtheirs :x:\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\n", "a\tb\n"),
        ("\x1b\x07\r\x7f", "␛␇␍␡"),
        ("\x9b\u202e\u2066", "\ufffd" * 3),
        ("größe 名", "größe 名"),
    ],
)
def test_controls_become_signs_and_text_stays(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_json_has_no_raw_control(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"name": "é\x1b\x9b\u202e"})
    assert capsys.readouterr().out == '{\n  "name": "é\\u001b\\u009b\\u202e"\n}\n'


def test_logs_are_shown_without_controls(capsys: pytest.CaptureFixture[str]) -> None:
    logs._write(b"GET /\x1b[2J\xff\n")  # noqa: SLF001 — what every line goes through
    assert capsys.readouterr().out == "GET /␛[2J\ufffd\n"
