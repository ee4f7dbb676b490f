"""What a log says about a failure, and the limit on its size."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepoj_kit.embedded.logs import bound, reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it wrote nothing to its log"),
        ("starting\nlistening\n", "listening"),
        ("FATAL:  no disk\nDETAIL:  none at all\n", "FATAL:  no disk"),
        ('{"level": "error", "message": "refused", "error": "no token"}\n', "refused: no token"),
        ("[1, 2]\n", "[1, 2]"),
        (
            """
            {"level": "error", "message": "no route"}
            {"level": "critical", "message": "cannot start: no database"}
            {"level": "info", "message": "draining", "failure": "cannot start: a KeyError"}
            {"level": "error", "message": "a part failed to stop"}
            {"level": "info", "message": "stopped"}
            """,
            "cannot start: no database",
        ),
    ],
)
def test_the_reason_is_the_last_of_the_gravest_lines(tmp_path: Path, text: str, said: str) -> None:
    log = tmp_path / "server.log"
    log.write_text(text)
    assert reason(log) == said


def test_lines_of_an_earlier_run_are_no_reason(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text("ERROR: long ago\n")
    assert reason(log, start=log.stat().st_size) == "it wrote nothing to its log"


def test_a_log_that_is_too_large_is_moved_while_its_writer_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"old\n" * 10)
        assert not bound(log, limit=100)
        assert bound(log, limit=20)
        writer.write(b"new\n")
    assert log.read_bytes() == b"new\n"
    assert (tmp_path / "server.log.1").read_bytes() == b"old\n" * 10
